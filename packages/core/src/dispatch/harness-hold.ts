import type { Policy } from "../decide/policy.ts";
import { hasLabel } from "../decide/telling.ts";
import type { HarnessId, Hold, HoldReason, ItemState } from "../work-item/records.ts";
import type { RefText } from "../work-item/ref.ts";
import { isOpen, outranks } from "./lane.ts";

/**
 * What concerns a harness as a whole: its login, its bill, its program, its usage limit. The lane
 * that met it holds every other lane of the harness, so that nobody is told twice and nothing is
 * tried in vain:
 *
 *     login, billing, not-installed ──resume of any lane, after a probe; its turn is done──▶ every lane goes on
 *     usage-limit ──reset──▶ the lane that met it probes ──done, or the others' time comes──▶ every lane goes on
 */
export type HarnessLane = {
  readonly workItem: RefText;
  readonly endpoint: RefText;
  readonly hold: Hold | null;
};

/**
 * Milliseconds after a reset for which the lanes that follow leave the probe alone. A limit that
 * still stands shows well within.
 */
const probeMs = 120_000;

const harnessWide: ReadonlySet<HoldReason> = new Set([
  "login",
  "billing",
  "not-installed",
  "usage-limit",
]);

export function isHarnessWide(hold: Hold | null): boolean {
  return hold !== null && harnessWide.has(hold.reason);
}

/**
 * A want of the whole harness that nothing but a person's doing ends, so that no time is set for
 * another try.
 */
export function opensByResumeAlone(hold: Hold): boolean {
  return isHarnessWide(hold) && hold.until === null;
}

/** The harness of a lane: its session's, else by label, else the configured default. */
export function harnessOf(
  item: ItemState,
  endpoint: RefText,
  policy: Pick<Policy, "harnessBLabel" | "defaultHarness">,
): HarnessId {
  const session = item.sessions.find(
    (each) => each.endpoint === endpoint && each.status !== "closed",
  );
  if (session !== undefined) return session.harness;
  return hasLabel(item.workItem?.labels ?? [], policy.harnessBLabel) ? "B" : policy.defaultHarness;
}

/**
 * Every lane of one harness on the machine of this instance, but the one that asks: what a login or
 * a limit here says holds for no other.
 */
export function lanesOfHarness(
  harness: HarnessId,
  but: RefText,
  items: readonly ItemState[],
  policy: Pick<Policy, "harnessBLabel" | "defaultHarness"> & {
    readonly instance: Pick<Policy["instance"], "name">;
  },
): readonly HarnessLane[] {
  const own = policy.instance.name;
  return items.flatMap((item) => {
    const workItem = item.workItem?.ref;
    if (workItem === undefined || (item.workItem?.control.instance ?? own) !== own) return [];
    return item.lanes
      .filter(({ endpoint }) => endpoint !== but && harnessOf(item, endpoint, policy) === harness)
      .map(({ endpoint, hold }) => ({ workItem, endpoint, hold }));
  });
}

export type SpreadHold = {
  /** Hold of the lane that met it. */
  readonly own: Hold;
  /** Lanes that wait with it, and how. */
  readonly others: readonly HarnessLane[];
  readonly othersHold: Hold;
  /** Another lane waits for the same already: its notice was posted. */
  readonly told: boolean;
};

/**
 * How a hold of the harness falls on its lanes. Of several lanes that meet the same limit one
 * probes at the reset, the others follow.
 */
export function spreadHold(found: Hold, lanes: readonly HarnessLane[], now: number): SpreadHold {
  const waiting = lanes.filter(({ hold }) => hold?.reason === found.reason && !isOpen(hold, now));
  const later = following(found);
  if (found.until !== null && waiting.some(({ hold }) => hold?.until === found.until))
    return { own: later, others: [], othersHold: later, told: true };
  return {
    own: found,
    others: lanes.filter(({ hold }) => isOpen(hold, now) || outranks(later, hold)),
    othersHold: later,
    told: waiting.length > 0,
  };
}

/**
 * What a lane that never ran waits for, because others of its harness sleep at a usage limit, of
 * which the first to wake probes; null when none does.
 */
export function waitsWithOthers(lanes: readonly HarnessLane[], now: number): Hold | null {
  const sleeping = lanes.flatMap(({ hold }) =>
    hold?.reason === "usage-limit" && !isOpen(hold, now) ? [hold] : [],
  );
  const probe = sleeping.toSorted((a, b) => (a.until ?? 0) - (b.until ?? 0))[0];
  return probe === undefined ? null : following(probe);
}

const following = (hold: Hold): Hold =>
  hold.until === null ? hold : { ...hold, until: hold.until + probeMs };
