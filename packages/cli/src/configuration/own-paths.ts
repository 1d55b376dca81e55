import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Paths } from "@loopwork/core/config";
import { ownFiles } from "../state/state-already-there.ts";
import { workTreeOn } from "../files/work-tree.ts";

/**
 * Every file and folder of ours, wherever the configuration puts it and wherever links lead: the one
 * list that the sandbox and deny rules are made of. Logs, turns, requests and artifacts stand in the
 * state root. `locked` is what steers the service and holds no secret, compiled code among it. Git
 * couldn't add or commit what is hidden from it, so that what a repository holds of that is its to
 * show.
 */
export function ownPaths(
  paths: Paths,
  configFile: string | null,
  compiled: string | null,
): { readonly hide: readonly string[]; readonly locked: readonly string[] } {
  const { stateRoot, workspaceRoot, envFile, graphFile } = paths;
  const locked = [graphFile, configFile, compiled].filter((path) => path !== null);
  return {
    hide: [
      stateRoot,
      ...linksIn(stateRoot),
      ...ownFiles(paths),
      workspaceRoot,
      envFile,
      ...locked.filter((path) => workTreeOn(path) === null),
    ].filter((path) => path !== null),
    locked,
  };
}

/** What is moved to another disk by a link stays ours. */
function linksIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isSymbolicLink())
      .map(({ name }) => join(folder, name));
  } catch {
    return []; // Nothing is there yet.
  }
}
