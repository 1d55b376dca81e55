import { type Policy, remedyOf, sentenceOf } from "@loopwork/core";
import type { SentControl } from "./send-control.ts";

/**
 * What became of a request so far, in a word and in sentences; `stored` waits to be decided, and
 * then there is nothing to say yet.
 */
export type SentOutcome = {
  readonly state: "done" | "refused" | "stored";
  readonly reason: string | null;
  readonly sentence: string | null;
  readonly remedy: string | null;
};

export function outcomeOf({ decision }: SentControl, policy: Policy): SentOutcome {
  if (decision === null) return { state: "stored", reason: null, sentence: null, remedy: null };
  const { verdict, reason } = decision;
  const refused =
    verdict.kind === "refused" || verdict.kind === "ignored" || verdict.kind === "rejected";
  const sentence =
    reason === "input-of-authorized"
      ? "The session is told in its next turn."
      : sentenceOf(reason, policy);
  return {
    state: refused ? "refused" : "done",
    reason,
    sentence,
    remedy: refused ? remedyOf(reason, policy) : null,
  };
}
