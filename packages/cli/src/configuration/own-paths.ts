import type { Paths } from "@loopwork/core/config";
import { filesElsewhere } from "../state/state-already-there.ts";
import { workTreeOn } from "../files/work-tree.ts";

/**
 * Every file and folder of ours, wherever the configuration puts it: the one list that the sandbox
 * hides and that deny rules are made of. Logs, turns, requests and artifacts stand in the state
 * root. Configuration that a repository holds is the repository's to show: it names secrets and
 * holds none, and git couldn't add or commit what is hidden from it.
 */
export function ownPaths(paths: Paths, configFile: string | null): readonly string[] {
  const { stateRoot, workspaceRoot, envFile, graphFile } = paths;
  const described = [graphFile, configFile].filter(
    (path) => path !== null && workTreeOn(path) === null,
  );
  return [stateRoot, ...filesElsewhere(paths), workspaceRoot, envFile, ...described].filter(
    (path) => path !== null,
  );
}
