import { isAbsolute, relative } from "node:path";
import { LoopError } from "@loopwork/core/ports";
import type { LoadedConfig } from "./load-config.ts";
import { realPath, workTreeOn } from "../files/work-tree.ts";
import { shellQuoted } from "../output/shell-quoted.ts";

/**
 * Refuses to run on what the agents of sessions can write: one could name another program, or take
 * a person's approval out of the process graph. A trusted configuration is bound to its text. Throws
 * `LOOP_E_CONFIG_CHECKOUT`.
 */
export function refuseConfigInCheckout({
  file,
  source,
  paths: { workspaceRoot, spawnWorkdir, graphFile },
}: Pick<LoadedConfig, "file" | "source" | "paths">): void {
  const folder = workspaceRoot ?? (workTreeOn(spawnWorkdir) === null ? null : spawnWorkdir);
  if (folder === null) return;
  const because = `sessions work in ${folder}, so an agent could change it`;
  if (file !== null && source?.isBound === false && isIn(file, folder))
    throw new LoopError(
      "LOOP_E_CONFIG_CHECKOUT",
      `${file} can't be used: ${because}`,
      `move it to ~/.loop/cli-config.yaml, or run \`loop --config ${shellQuoted(file)} config trust\``,
    );
  if (graphFile !== null && isIn(graphFile, folder))
    throw new LoopError(
      "LOOP_E_CONFIG_CHECKOUT",
      `routing.graph.definition ${graphFile} can't be used: ${because}`,
      workspaceRoot === null
        ? "set routing.workspace.root, so that sessions get checkouts of their own, or move the file"
        : "move the file out of routing.workspace.root",
    );
}

function isIn(file: string, folder: string): boolean {
  const way = relative(realPath(folder), realPath(file));
  return way !== ".." && !way.startsWith("../") && !isAbsolute(way);
}
