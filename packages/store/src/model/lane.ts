import type { Hold, MergeTurns, RefText, Turn } from "@loopwork/core/ports";

/**
 * The lane as a state machine. `fence` grows with every taking, whoever takes.
 *
 *     open ──take──▶ leased ──begin──▶ at work ──settle──▶ open
 *      │ ▲              │                 │
 *      │ │              └──release────────┼──▶ open            the turn stays ready
 *      │ │                                └──lease runs out──▶ orphaned ──orphans──▶ at work, fence + 1
 *      │ └──fold, or `until` passes── held
 *      └──fold──▶ held                                         a held lane gives no turn; one at work ends its turn first
 *
 * A hold for `uncertain` never runs out: only a person ends it.
 */
export type LaneRow = {
  readonly endpoint: RefText;
  readonly workItem: RefText;
  readonly instance: string;
  readonly hold: Hold | null;
  readonly lease: LeaseRow | null;
  readonly fence: number;
};

/**
 * `ms` is the length that was asked for: a lease that seems to last longer was given under another
 * clock.
 */
export type LeaseRow = { readonly holder: string; readonly until: number; readonly ms: number };

/**
 * A lane with a ready turn at its head. `workdir` is the directory of its session, null where none
 * is known.
 */
export type Candidate = {
  readonly lane: LaneRow;
  readonly notBefore: number;
  readonly workdir: string | null;
};

/**
 * What a driver must be able to read for `chooseLane`; candidates come in the order of their heads.
 */
export type LaneSource = {
  candidates(): readonly Candidate[];
  /** Ready turns from the head on, up to the first that is not ready. */
  waiting(endpoint: RefText): readonly Turn[];
  /** Directories in which a lane is at work now. */
  busyWorkdirs(): ReadonlySet<string>;
};

export type Choice = {
  readonly taken: {
    readonly lane: LaneRow;
    readonly head: Turn;
    readonly merge: readonly Turn[];
  } | null;
  readonly wakeAt: number | null;
};

/** The first lane that may be taken now; else when one could be, null when none waits for time. */
export function chooseLane(source: LaneSource, now: number, merge: MergeTurns): Choice {
  const choosing = choosingLane(source.candidates(), source.busyWorkdirs(), now, merge);
  let step = choosing.next();
  while (step.done !== true) step = choosing.next(source.waiting(step.value));
  return step.value;
}

/**
 * The same for a driver that has to wait for its rows: yields each lane whose waiting turns it
 * needs, and is given them.
 */
export function* choosingLane(
  candidates: readonly Candidate[],
  busyWorkdirs: ReadonlySet<string>,
  now: number,
  merge: MergeTurns,
): Generator<RefText, Choice, readonly Turn[]> {
  let wakeAt: number | null = null;
  for (const { lane, notBefore, workdir } of candidates) {
    let at = freeAt(lane, notBefore, now);
    if (at === null || (workdir !== null && busyWorkdirs.has(workdir))) continue;
    if (at <= now) {
      const waiting = yield lane.endpoint;
      const next = merge(waiting, now);
      const head = waiting[0];
      if (next.kind === "go" && head !== undefined)
        return { taken: { lane, head, merge: named(waiting, next.merge) }, wakeAt: now };
      if (next.kind === "wait") at = next.until;
    }
    wakeAt = wakeAt === null ? at : Math.min(wakeAt, at);
  }
  return { taken: null, wakeAt };
}

/**
 * From when on neither lease, hold nor back-off stands in the way; null when only somebody's act
 * can open the lane.
 */
function freeAt(lane: LaneRow, notBefore: number, now: number): number | null {
  const heldUntil = lane.hold === null ? 0 : holdEnds(lane.hold);
  if (heldUntil === null) return null;
  const leasedUntil = lane.lease !== null && leaseLasts(lane.lease, now) ? lane.lease.until : 0;
  return Math.max(heldUntil, leasedUntil, notBefore);
}

/** When a hold runs out by itself; null when it never does. */
export function holdEnds(hold: Hold): number | null {
  return hold.reason === "uncertain" ? null : hold.until;
}

/** True while the hold stands. */
export function holdLasts(hold: Hold | null, now: number): boolean {
  if (hold === null) return false;
  const end = holdEnds(hold);
  return end === null || end > now;
}

/**
 * True while the lease keeps others off. One that reaches further ahead than it was given for is
 * void: the clock went back.
 */
export function leaseLasts(lease: LeaseRow | null, now: number): boolean {
  return lease !== null && lease.until > now && lease.until - now <= lease.ms;
}

function named(waiting: readonly Turn[], ids: readonly number[]): readonly Turn[] {
  return ids.map((id) => {
    const turn = waiting.slice(1).find((each) => each.id === id);
    if (turn === undefined)
      throw new Error(`the merge step named turn ${id}, which does not wait behind the head`);
    return turn;
  });
}
