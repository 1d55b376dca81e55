import { realpathSync } from "node:fs";
import path from "node:path";

/** Paths as they are written, and with the links on the way to them followed; each once. */
export function bothPlaces(files: readonly string[]): readonly string[] {
  return [
    ...new Set(files.map((file) => path.resolve(file)).flatMap((file) => [file, realPlace(file)])),
  ];
}

function realPlace(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    const folder = path.dirname(file);
    return folder === file ? file : path.join(realPlace(folder), path.basename(file));
  }
}
