import type { Hold } from "../work-item/records.ts";
import { isOpen } from "../work-item/hold.ts";

/**
 * What a lane waits for while a person is attached to its session. The session's lock keeps turns
 * away; the hold only says so, and lets no turn overtake somebody who waits for a running one to
 * end. It says so for a minute at a time, which its holder renews.
 *
 *     open, or waits for less than a minute ──attach──▶ attached ──leave──▶ open, or what is left of that minute
 *     waits for longer, or for somebody     ──attach──▶ as it was ──leave──▶ as it was
 *
 * So the hold of a person whose program was killed ends by itself, and never before the one in
 * whose place it stood.
 */
const attachedMs = 60_000;

/** The hold that is put on the lane; null where the present one keeps turns away for longer. */
export function attachedOver(present: Hold | null, now: number): Hold | null {
  const until = now + attachedMs;
  return isOpen(present, until) || isByPeople(present)
    ? { reason: "attached", until, detail: "it goes on when they leave" }
    : null;
}

/**
 * What comes back when the person leaves: `covered` as it was, or the hold by which the lane waits;
 * null when it waits for nothing.
 */
export function coveredBy(present: Hold | null, covered: Hold | null, now: number): Hold | null {
  if (present?.reason === "attached") return covered;
  return isOpen(present, now) || isByPeople(present) ? null : present;
}

/** What the lane waits for once the person has left. */
export function afterLeaving(present: Hold | null, covered: Hold | null, now: number): Hold | null {
  return isByPeople(present) ? (isOpen(covered, now) ? null : covered) : present;
}

/** Somebody was in the way, perhaps this very person: looking again costs nothing. */
function isByPeople(hold: Hold | null): boolean {
  return hold?.reason === "attached" || hold?.reason === "session-busy";
}
