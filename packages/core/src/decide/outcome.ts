import type { ControlVerb } from "../normalise/event.ts";
import type { Decision } from "./decision.ts";
import type { Reason } from "./reason.ts";

/** Understood, and nothing is to be done. */
export function ignored(reason: Reason): Decision {
  return { verdict: { kind: "ignored" }, reason, effects: [] };
}

/** Only remembered. */
export function noted(reason: Reason): Decision {
  return { verdict: { kind: "noted" }, reason, effects: [] };
}

/** Not granted, and said nowhere but in the log: ambiguity, addresses, scope, people without the right (decisions.md 5). */
export function refused(reason: Reason, verb: ControlVerb | "say" | null = null): Decision {
  return { verdict: { kind: "refused", verb }, reason, effects: [] };
}
