import type { CiAttempt, ItemState } from "../work-item/records.ts";
import { formatRef } from "../ref/ref.ts";
import { attemptIn, isFailure, keyOf, newAttempt, withAttempt, withResult } from "./ci-attempt.ts";
import type { DecidedFact } from "./effect.ts";
import { pullRequestOf } from "./on-ci.ts";

/**
 * Remembers the newest results of a check, which heads have woken a session, whether it was told of
 * a failure that lasts, and whether people were told that it gives up.
 */
export function foldCi(item: ItemState, { event, decision, target }: DecidedFact): ItemState {
  if (event.kind !== "ci" || target === null) return item;
  const pullRequest = formatRef(pullRequestOf(event, { item }, target));
  const known = attemptIn(item, pullRequest, event);
  const attempt = known ?? newAttempt(pullRequest, event);
  const told = decision.verdict.kind === "delivered" && decision.reason !== "ci-recovered";
  const next = withResult(
    after(
      { ...attempt, check: keyOf(event) },
      event.check.headSha,
      decision.reason,
      isFailure(event),
    ),
    event,
    told,
  );
  return withAttempt(item, known, next);
}

function after(
  known: CiAttempt,
  headSha: string,
  reason: DecidedFact["decision"]["reason"],
  red: boolean,
): CiAttempt {
  const headShas = known.headShas.includes(headSha) ? known.headShas : [...known.headShas, headSha];
  if (reason === "ci-first-failure") return { ...known, headShas, failing: true, failed: headSha };
  if (reason === "activity-of-session") return { ...known, headShas };
  if (reason === "ci-recovered") return { ...known, failing: false, recovered: headSha };
  if (reason === "ci-wakes-used-up" && !known.noticed)
    return { ...known, noticed: true, failing: known.failing && !red };
  return known;
}
