import type { WorkGate } from "@loopwork/core/ports";
import type { RuntimeSettings } from "../runtime/parts.ts";

/** Without a graph (`routing.graph.specDir` is empty) there is nothing that could be missing. This build has no graph to look at. */
export function createWorkGate(settings: () => RuntimeSettings): WorkGate {
  return {
    async check() {
      const { specDir } = settings().config.routing.graph;
      return specDir === "" ? { kind: "complete" } : { kind: "unknown", why: `routing.graph.specDir is ${specDir}, and this build has no graph to look at` };
    },
  };
}
