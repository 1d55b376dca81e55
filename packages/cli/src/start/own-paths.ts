import type { Paths } from "@loopwork/core/config";
import { filesElsewhere } from "./state-already-there.ts";

/**
 * Every file and folder of ours, wherever the configuration puts it: the one list that the sandbox
 * hides and that deny rules are made of. Logs, turns, requests and artifacts stand in the state
 * root.
 */
export function ownPaths(paths: Paths, configFile: string | null): readonly string[] {
  const { stateRoot, workspaceRoot, envFile, graphFile } = paths;
  return [
    stateRoot,
    ...filesElsewhere(paths),
    workspaceRoot,
    envFile,
    graphFile,
    configFile,
  ].filter((path) => path !== null);
}
