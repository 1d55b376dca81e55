import type { Session } from "@loopwork/core";
import type { TakenLane } from "@loopwork/core/ports";
import type { RuntimeParts } from "../parts.ts";
import { standingOf } from "./standing.ts";

/** What the session is asked to do at its node; null where there is no graph, or the lane is that of a pull request beside it. */
export async function nodeTaskOf({ turn }: TakenLane, session: Session & { readonly workdir: string }, parts: RuntimeParts): Promise<string | null> {
  const settings = parts.settings();
  if (settings.config.routing.graph.specDir === "" || turn.lane !== turn.workItem) return null;
  const item = await parts.store.items.load(turn.workItem);
  const record = item.workItem?.graph;
  const found = await standingOf(turn.workItem, item, session.workdir, settings, parts.workspace);
  if (record === undefined || found.kind !== "standing") return null;
  const { nodeOf, nodeTask } = await import("@loopwork/core/graph");
  const { graph, progress, signals, folder } = found.standing;
  const node = nodeOf(graph.definition, record.node);
  return node === null ? null : nodeTask(node, graph, progress, signals, folder);
}
