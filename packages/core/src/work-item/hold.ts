import type { Hold, HoldReason } from "./records.ts";

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
