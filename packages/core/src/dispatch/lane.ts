import type { Hold, HoldReason } from "../work-item/records.ts";
import type { Turn } from "./turn.ts";

/**
 * A lane is the FIFO of one endpoint's turns.
 *
 *     open ──hold──▶ held(reason, until?) ──time, resume, somebody acts──▶ open
 *
 * One turn at a time; the head is the oldest turn that has not ended, and nothing overtakes it.
 */

/** Whether the lane may run a turn now. */
export function isOpen(hold: Hold | null, now: number): boolean {
  return hold === null || (hold.until !== null && hold.until <= now);
}

/**
 * Whether `resume` opens the lane: any hold but those that wait for a person's verdict or for a
 * release under way.
 */
export function resumeOpens(hold: Hold | null): boolean {
  return (
    hold === null ||
    !(hold.reason === "uncertain" || hold.reason === "ending" || hold.reason === "releasing")
  );
}

/**
 * The turn that runs next or runs now; null when nothing waits. `turns` in the order of the lane.
 */
export function headOf(turns: readonly Turn[]): Turn | null {
  return (
    turns.find(
      (turn) => turn.state === "ready" || turn.state === "injecting" || turn.state === "uncertain",
    ) ?? null
  );
}

/**
 * What must not be lifted by accident outranks the rest: an end in progress, then a turn whose end
 * is unknown, then what people asked for, then what waits for somebody, then what ends by itself.
 * That somebody is attached only says so: the session's lock keeps turns away.
 */
const rank: Readonly<Record<HoldReason, number>> = {
  releasing: 6,
  ending: 6,
  uncertain: 5,
  paused: 4,
  budget: 3,
  "loop-breaker": 3,
  login: 3,
  billing: 3,
  "not-installed": 3,
  failed: 3,
  workspace: 3,
  "spawn-refused": 3,
  sandbox: 3,
  "usage-limit": 1,
  "session-busy": 1,
  backoff: 1,
  attached: 0,
};

/** Whether a hold takes the place of the present one. Equal ranks: the newer one is said. */
export function outranks(found: Hold, present: Hold | null): boolean {
  return present === null || rank[found.reason] >= rank[present.reason];
}

/** The hold that stands when both would: a pause is never lost to a backoff that ends by itself. */
export function strongerHold(present: Hold | null, found: Hold | null, now: number): Hold | null {
  if (found === null) return present;
  return isOpen(present, now) || outranks(found, present) ? found : present;
}
