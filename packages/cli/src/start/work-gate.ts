import type { GateAnswer, Store, WorkGate } from "@loopwork/core/ports";
import type { RuntimeSettings } from "../runtime/parts.ts";

/** Asks the graph what `loop check` asks it. Without `routing.graph.specDir` there is nothing that could be missing, and nothing is loaded or opened. */
export function createWorkGate(settings: () => RuntimeSettings, openStore: () => Promise<Pick<Store, "items">>, headOf: (workdir: string) => Promise<string | null>): WorkGate {
  return {
    async check({ workItem, workdir }) {
      if (settings().config.routing.graph.specDir === "") return { kind: "complete" };
      try {
        return await look({ workItem, workdir }, settings(), await openStore(), headOf);
      } catch (error) {
        return { kind: "unknown", why: error instanceof Error ? error.message : String(error) };
      }
    },
  };
}

async function look({ workItem, workdir }: Parameters<WorkGate["check"]>[0], settings: RuntimeSettings, store: Pick<Store, "items">, headOf: (workdir: string) => Promise<string | null>): Promise<GateAnswer> {
  const [{ finishedIn }, item] = await Promise.all([import("../runtime/graph/finished-in.ts"), store.items.load(workItem)]);
  const found = await finishedIn(workItem, item, workdir, settings, headOf);
  if (found.kind === "none") return { kind: "complete" };
  if (found.kind === "unknown") return found;
  return found.finished.answer === "incomplete" ? { kind: "incomplete", missing: found.finished.missing } : { kind: "complete" };
}
