import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import { programNames } from "./capabilities.ts";

/**
 * The program as the PATH has it: `cursor-agent`, else `agent`, a name that other tools use, too.
 * Where neither is there the first is given back, so that starting it fails under the name that
 * people know. Looked up anew for each turn, because it may be installed while the service runs.
 */
export function findProgram(searchPath: string | undefined): string {
  const folders = (searchPath ?? "")
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder));
  return (
    programNames.find((name) => folders.some((folder) => isProgram(path.join(folder, name)))) ??
    programNames[0]
  );
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
