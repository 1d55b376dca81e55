import type { Message, Session, TakenLane } from "@loopwork/core/ports";
import type { RuntimeParts } from "../parts.ts";
import { lookingOf } from "./observe.ts";
import { standingOf } from "./standing.ts";

/**
 * The task of a node, and the folder outside of the checkout that its artifacts belong into; null
 * where they belong into the checkout.
 */
export type NodeTask = { readonly text: Message; readonly folder: string | null };

/**
 * What the session is asked to do at its node; null where there is no graph, or the lane is that of
 * a pull request beside it.
 */
export async function nodeTaskOf(
  { turn }: TakenLane,
  session: Session & { readonly workdir: string },
  parts: RuntimeParts,
): Promise<NodeTask | null> {
  const settings = parts.settings();
  const looking = lookingOf(parts);
  if (settings.config.routing.graph.specDir === "" || looking === null) return null;
  if (turn.lane !== turn.workItem) return null;
  const item = await parts.store.items.load(turn.workItem);
  const record = item.workItem?.graph;
  const found = await standingOf(turn.workItem, item, session.workdir, settings, looking);
  if (record === undefined || found.kind !== "standing") return null;
  const { nodeOf, nodeTask } = await import("@loopwork/core");
  const { graph, progress, signals, place } = found.standing;
  const node = nodeOf(graph.definition, record.node);
  if (node === null) return null;
  // A harness lets a session write only into folders that are there.
  if (!place.inTree) parts.files.makeFolder(place.shown);
  return {
    text: nodeTask(node, graph, progress, signals, place),
    folder: place.inTree ? null : place.shown,
  };
}
