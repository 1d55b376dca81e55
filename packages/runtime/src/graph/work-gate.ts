import type { GateAnswer, Items, WorkGate } from "@loopwork/core/ports";
import type { GraphSettings } from "./load.ts";
import type { Looking } from "./observe.ts";

/**
 * Asks the graph what `loop check` asks it. Without `routing.graph.specDir` there is nothing that
 * could be missing, and nothing is loaded or opened.
 */
export function createWorkGate(
  settings: () => GraphSettings,
  openStore: () => Promise<{ readonly items: Pick<Items, "load"> }>,
  looking: Looking,
): WorkGate {
  return {
    async check({ workItem, workdir }) {
      if (settings().config.routing.graph.specDir === "") return { kind: "complete" };
      try {
        return await look({ workItem, workdir }, settings(), await openStore(), looking);
      } catch (error) {
        return { kind: "unknown", why: error instanceof Error ? error.message : String(error) };
      }
    },
  };
}

async function look(
  { workItem, workdir }: Parameters<WorkGate["check"]>[0],
  settings: GraphSettings,
  store: { readonly items: Pick<Items, "load"> },
  looking: Looking,
): Promise<GateAnswer> {
  const [{ finishedIn }, { workdirOf }, item] = await Promise.all([
    import("./finished-in.ts"),
    import("./standing.ts"),
    store.items.load(workItem),
  ]);
  // A hook tells where the harness stands, which may be any folder below the checkout, or another
  // one.
  const found = await finishedIn(
    workItem,
    item,
    workdirOf(workItem, item) ?? workdir,
    settings,
    looking,
  );
  if (found.kind === "none") return { kind: "complete" };
  if (found.kind === "unknown") return found;
  return found.finished.answer === "incomplete"
    ? { kind: "incomplete", missing: found.finished.missing }
    : { kind: "complete" };
}
