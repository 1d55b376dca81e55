import type { Looking } from "@loopwork/runtime/graph";
import { graphFiles } from "../files/graph-files.ts";
import { headByFiles } from "../git/git-files.ts";

/**
 * Looks at a checkout as quickly as can be: by git's files, and with git where they do not tell.
 * That one runs in a repository of ours, so that nothing a session left in the checkout decides
 * what it runs. `env` is the user's environment.
 */
export function lookAtCheckouts(env: Readonly<Record<string, string | undefined>>): Looking {
  const open = async (): Promise<Omit<Looking, "files">> =>
    (await import("@loopwork/workspace")).createFixedWorkspace({
      spawnWorkdir: "/",
      home: "",
      env,
    });
  return {
    files: graphFiles,
    headOf: async (workdir) => headByFiles(workdir) ?? (await open()).headOf(workdir),
    changesOf: async (workdir) => (await open()).changesOf(workdir),
    hasChosenLoop: async (workdir) =>
      (await import("../manifest/repository-opt-in.ts")).hasChosenLoop(workdir),
  };
}
