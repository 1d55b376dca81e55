import type { Decision, Verdict } from "@loopwork/core";
import type { Hold, ItemState, RefText } from "@loopwork/core/ports";
import type { TurnProgress } from "./turn.ts";

/** The effects that only the machine of the session can carry out. */
export const machineEffects: readonly string[] = ["end-session", "release"];

/**
 * The effects of which nobody knows whether they happened once they were begun; doing another again
 * changes nothing.
 */
export const onceOnly: string = "reply";

/** Whether an effect is such a one that was begun. */
export const isBegun: string = `kind = '${onceOnly}' and attempts > 0`;

/**
 * What the new owner notes of a delivery that the old one has decided: it was that one's business.
 */
export const decidedThere: Decision = {
  verdict: { kind: "ignored" },
  reason: "owned-elsewhere",
  effects: [],
};

/**
 * Of deliveries that the old owner has decided, and this instance has yet to read: read later they
 * would be taken for its own.
 */
export function noteDecided(
  instance: string,
  from: string,
  workItem: RefText,
): readonly [sql: string, ...values: string[]] {
  const { verdict, reason } = decidedThere;
  return [
    `insert into decision (instance, seq, work_item, key, verdict, reason, event, state, decision, decided_at)
     select ?, seq, work_item, case when exists (select 1 from decision other where other.instance = ? and other.key = theirs.key) then null else key end, ?, ?, event, state, ?, decided_at
     from decision theirs where theirs.instance = ? and theirs.work_item = ? and not exists (select 1 from decision mine where mine.instance = ? and mine.seq = theirs.seq)`,
    ...[
      instance,
      instance,
      verdict.kind,
      reason,
      JSON.stringify(decidedThere),
      from,
      workItem,
      instance,
    ],
  ];
}

/**
 * Of deliveries that the old owner has not come to: what this instance turned away, for whatever
 * reason, which another owner would not have done. One that reads ahead may not even know yet that
 * the item was started. `nothingFollows` tells by SQL that a decision has no effects; those have
 * happened.
 */
export function turnedAway(
  instance: string,
  from: string,
  workItem: RefText,
  nothingFollows: string,
): readonly [sql: string, ...values: string[]] {
  return [
    `select mine.seq from decision mine where mine.instance = ? and mine.work_item = ? and mine.verdict in (${away.map((kind) => `'${kind}'`).join(", ")}) and ${nothingFollows}
     and not exists (select 1 from decision theirs where theirs.instance = ? and theirs.seq = mine.seq) order by mine.seq`,
    ...[instance, workItem, from],
  ];
}

/** The same of one decision. */
export function isTurnedAway({ verdict, effects }: Decision): boolean {
  return away.includes(verdict.kind) && effects.length === 0;
}

const away: readonly string[] = ["ignored", "refused"] satisfies readonly Verdict["kind"][];

/** Takes the instance three times. */
export function itemsOf(standing: string): string {
  return `select ref from work_item where instance = ?
  union select session.work_item from session join lane on lane.endpoint = session.endpoint where lane.instance = ? and session.status = 'active'
  union select lane.work_item from lane join turn on turn.lane = lane.endpoint and turn.${standing} where lane.instance = ?
  order by ref`;
}

/** Takes the new owner, the work item and the old owner. */
export const passLanes: string =
  "update lane set instance = ?, fence = fence + 1, holder = null, lease_until = null, lease_ms = null where work_item = ? and instance = ?";

/** Takes the work item and its owner. */
export function underWay(standing: string): string {
  return `select turn.id, turn.lane from turn join lane on lane.endpoint = turn.lane where lane.work_item = ? and lane.instance = ? and turn.${standing} and turn.state = 'injecting' order by turn.id`;
}

/** A turn that was under way on another machine, of which nobody here can tell what became. */
export function lostSight(turn: TurnProgress, note: string): TurnProgress {
  return { ...turn, state: "uncertain", note };
}

/** The state with the lanes held on which such turns stand. */
export function heldFor(item: ItemState, lanes: ReadonlySet<RefText>, note: string): ItemState {
  const hold: Hold = { reason: "uncertain", until: null, detail: note };
  return {
    ...item,
    lanes: item.lanes.map((lane) => (lanes.has(lane.endpoint) ? { ...lane, hold } : lane)),
  };
}
