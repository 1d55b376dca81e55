import type { Effect } from "@loopwork/core";
import type { ItemState, TakenLane } from "@loopwork/core/ports";
import { eventLine } from "../event-line.ts";
import type { RuntimeParts } from "../parts.ts";

type Release = Extract<Effect, { readonly kind: "release" }>;

/**
 * Releases the checkout of a turn that was dropped while it was made: the release may have looked
 * before it stood. Not for a plain stop, which keeps it; and not while a turn of the item runs
 * there, because the release still waits for that end.
 */
export async function releaseLate({ turn }: TakenLane, parts: RuntimeParts): Promise<void> {
  const { items, lanes, events } = parts.store;
  const asked = await releaseAskedFor(await items.load(turn.workItem), parts);
  if (
    asked === null ||
    (await lanes.turns({ workItem: turn.workItem, states: ["injecting"], limit: 1 })).length > 0
  )
    return;
  const result = await parts.workspace.release(asked.workItem, asked.why);
  if (result.kind === "nothing") return;
  const kept = result.kind === "kept";
  const fields = kept
    ? { why: result.why }
    : { removed: result.removed.join(", "), salvage: result.salvage };
  await events.append([
    eventLine(parts, "checkout.released", {
      level: kept ? "error" : "info",
      workItem: turn.workItem,
      reason: kept ? "kept" : asked.why,
      fields,
    }),
  ]);
}

/**
 * The release that the last word about the item asked for; null when it goes on, or its checkout is
 * to stay.
 */
async function releaseAskedFor(
  { workItem }: ItemState,
  parts: RuntimeParts,
): Promise<Release | null> {
  const control = workItem?.control;
  if (
    control === undefined ||
    control.deliveryId === null ||
    (control.status !== "stopped" && control.status !== "closed")
  )
    return null;
  const row = await parts.store.log.decision(control.deliveryId);
  return row?.decision.effects.find((effect) => effect.kind === "release") ?? null;
}
