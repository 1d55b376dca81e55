import type { Recorded } from "../decide/effect.ts";
import type { OutboxEffect, PendingEffect } from "./outbox-entry.ts";

/**
 * Ends are `end-session` and `release`. A lane waits for them, so none is ever given up by itself:
 *
 *     pending ──waits──▶ pending ──tried, failed──▶ pending, later ──tried──▶ done
 *                                                     └─ a person: tried at once, or dropped
 */
export type End = Extract<OutboxEffect, { readonly kind: "end-session" | "release" }>;

export function isEndingEffect(effect: OutboxEffect): effect is End {
  return effect.kind === "end-session" || effect.kind === "release";
}

/**
 * Milliseconds until an end is tried again of which so many tries failed: half a minute, doubled up
 * to a quarter of an hour.
 */
export function endAgainAfterMs(failed: number): number {
  return Math.min(quarterHourMs, 30_000 * 2 ** Math.min(10, Math.max(0, failed - 1)));
}

/** Failed tries after which somebody should look, and is told. */
export const triesUntilStuck = 3;

/**
 * Whether somebody should look at a pending end: it failed several times, or has been under way
 * much longer than it may be. `now` is milliseconds since 1970.
 */
export function isStuck(
  { effect, attempts, createdAt }: Pick<PendingEffect, "effect" | "attempts" | "createdAt">,
  now: number,
): boolean {
  if (!isEndingEffect(effect)) return false;
  const graceMs = effect.kind === "end-session" ? effect.graceMs : 0;
  return attempts >= triesUntilStuck || now > createdAt + graceMs + 2 * quarterHourMs;
}

const quarterHourMs = 15 * 60_000;

/**
 * What is folded when a person leaves an effect: its lane goes on as if it had been carried out.
 */
export function leftUndone(effect: OutboxEffect, at: number): Recorded {
  switch (effect.kind) {
    case "end-session":
      return { kind: "session-closed", endpoint: effect.endpoint };
    case "release":
      return { kind: "released", workItem: effect.workItem, salvage: null, at };
    case "react":
    case "reply":
    case "phase-label":
      return { kind: "nothing", why: "dropped by a person" };
  }
}
