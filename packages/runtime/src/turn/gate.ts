import { breakerHold, isHuman, waitsWithOthers } from "@loopwork/core";
import {
  type ControlRecord,
  type HarnessId,
  type Hold,
  type Message,
  outside,
  say,
  type TakenLane,
  trustedWords,
  type Turn,
} from "@loopwork/core/ports";
import type { RuntimeParts } from "../parts.ts";
import { otherLanesIfHeld } from "./harness-wide.ts";

/** Why a turn is not begun now, and what the thread is told of it; null when it may begin. */
export type Gate = { readonly hold: Hold; readonly notice: Message | null };

/** What is asked before each attempt: does the harness work, and has a person spoken lately? */
export async function gateOf(
  taken: TakenLane,
  harness: HarnessId,
  parts: RuntimeParts,
): Promise<Gate | null> {
  return (await breakerGate(taken, parts)) ?? (await harnessGate(taken, harness, parts));
}

/**
 * A retry belongs to a turn that was let go before; only new turns count. A person's own request
 * (`resume`) starts the count anew.
 */
async function breakerGate({ turn, item }: TakenLane, parts: RuntimeParts): Promise<Gate | null> {
  if (turn.attempts > 0 || turn.inputs.some(isHuman)) return null;
  const { breaker } = parts.settings().dispatch;
  const begun = await parts.store.lanes.turns({
    lane: turn.lane,
    states: ["done", "failed", "uncertain", "dropped"],
    limit: breaker.turns,
  });
  const hold = breakerHold(
    begun.filter(({ attempt }) => attempt !== null),
    breaker,
    parts.clock.now(),
    await askedAt(item.workItem?.control, parts),
  );
  return hold === null
    ? null
    : {
        hold,
        notice: say`This conversation waits: ${trustedWords(hold.detail)}. ${outside(parts.settings().policy.keywords.resume)} goes on with it.`,
      };
}

/**
 * When a person last asked something of the item, by this machine's clock, like the turns' starts.
 * The host's own time has whole seconds and may be off: a turn of the same second would count as
 * begun after it.
 */
async function askedAt(
  control: ControlRecord | undefined,
  parts: RuntimeParts,
): Promise<number | null> {
  if (control === undefined || control.deliveryId === null) return control?.at ?? null;
  return (await parts.store.log.decision(control.deliveryId))?.decidedAt ?? control.at;
}

/** Where login or program were missing, the harness is asked before it is sent a message. */
async function harnessGate(
  taken: TakenLane,
  harness: HarnessId,
  parts: RuntimeParts,
): Promise<Gate | null> {
  const others = await otherLanesIfHeld(harness, taken, parts);
  const lacking =
    others.some(({ hold }) => lacks(hold?.reason)) ||
    (taken.turn.attempts > 0 && lacks(await heldBefore(taken.turn, parts)));
  const hold = lacking ? await probed(harness, parts) : null;
  if (hold !== null) return { hold, notice: null };
  const waits =
    taken.turn.attempts === 0 && taken.item.sessions.every(({ begun }) => !begun)
      ? waitsWithOthers(others, parts.clock.now())
      : null;
  // Who has waited with others once is the next to try: where the lane that met the limit is gone,
  // those who never ran would wait for each other for ever.
  return waits === null || (await heldBefore(taken.turn, parts)) === waits.reason
    ? null
    : { hold: waits, notice: null };
}

function lacks(reason: string | null | undefined): boolean {
  return reason === "login" || reason === "not-installed";
}

/** Why this very turn, or all of its lane, was held the last time; null when it was not. */
async function heldBefore(
  { id, workItem, lane }: Turn,
  parts: RuntimeParts,
): Promise<string | null> {
  const held = await parts.store.events.list({
    workItem,
    kind: "lane.held",
    limit: 20,
    newestFirst: true,
  });
  return (
    held.find(({ fields }) => fields["turn"] === id || fields["endpoint"] === lane)?.reason ?? null
  );
}

async function probed(harness: HarnessId, parts: RuntimeParts): Promise<Hold | null> {
  const turns = parts.harnesses[harness]?.turns;
  const probe = await turns?.probe();
  if (probe === undefined) return null;
  if (!probe.found)
    return { reason: "not-installed", until: null, detail: `${probe.command} was not found` };
  return probe.login === "no"
    ? { reason: "login", until: null, detail: `${probe.command} is not logged in` }
    : null;
}
