import { emptyGraphRecord } from "@loopwork/core";
import { type GraphRecord, itemFinished, type ItemState, type RefText } from "@loopwork/core/ports";
import { eventLine } from "../event-line.ts";
import type { RuntimeParts } from "../parts.ts";
import type { Standing } from "./standing.ts";

/**
 * A session that was reminded often enough and let go leaves its work to people: what waits for
 * them says so until somebody speaks.
 */
export async function noteUnfinished(
  workItem: RefText,
  { progress, graph }: Standing,
  parts: RuntimeParts,
): Promise<void> {
  await note(workItem, parts, (item) => {
    const { answer, node, missing } = itemFinished(progress, workItem, item);
    return answer === "incomplete"
      ? {
          record: item.workItem?.graph ?? emptyGraphRecord(graph.definition.name, node),
          node,
          detail: missing.join("; "),
        }
      : null;
  });
}

/**
 * Work that goes on by nothing that the service or its session would do by itself; `detail` says
 * why.
 */
export async function noteStalled(
  workItem: RefText,
  detail: string,
  parts: RuntimeParts,
): Promise<void> {
  const { emptyGraphRecord } = await import("@loopwork/core");
  // Of a graph that could never be used nothing is on record, not even where it begins.
  await note(workItem, parts, ({ workItem: known }) => ({
    record: known?.graph ?? emptyGraphRecord(unknown, unknown),
    node: known?.graph?.node ?? unknown,
    detail,
  }));
}

/** Name of graph and node where neither could ever be read. */
const unknown = "unknown";

type Left = { readonly record: GraphRecord; readonly node: string; readonly detail: string };

async function note(
  workItem: RefText,
  parts: RuntimeParts,
  leftOf: (item: ItemState) => Left | null,
): Promise<void> {
  const now = parts.clock.now();
  await parts.store.items.updateOwn(workItem, (item) => {
    const left = leftOf(item);
    if (item.workItem === null || left === null) return { after: item, lines: [] };
    const { record, node, detail } = left;
    const after = {
      ...item,
      workItem: {
        ...item.workItem,
        graph: { ...record, waits: { for: "unfinished" as const, node, detail, since: now } },
      },
    };
    return {
      after,
      lines: [
        eventLine(parts, "graph.waits", {
          level: "warn",
          workItem,
          reason: "unfinished",
          fields: { node, detail },
        }),
      ],
    };
  });
}
