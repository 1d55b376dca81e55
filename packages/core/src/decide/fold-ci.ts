import type { CiAttempt, ItemState } from "../work-item/records.ts";
import { formatRef } from "../work-item/ref.ts";
import type { DecidedFact } from "./effect.ts";
import { isFailure, pullRequestOf } from "./on-ci.ts";

/** Remembers which heads of a check have woken a session, whether it was told of a failure that lasts, and whether people were told that it gives up. */
export function foldCi(item: ItemState, { event, decision, target }: DecidedFact): ItemState {
  if (event.kind !== "ci" || target === null) return item;
  const pullRequest = formatRef(pullRequestOf(event, { item }, target));
  const index = item.ciAttempts.findIndex((each) => each.pullRequest === pullRequest && each.check === event.check.name);
  const known: CiAttempt = item.ciAttempts[index] ?? { pullRequest, check: event.check.name, headShas: [], failing: false, noticed: false };
  const next = after(known, event.check.headSha, decision.reason, isFailure(event));
  if (next === known) return item;
  return { ...item, ciAttempts: index === -1 ? [...item.ciAttempts, next] : item.ciAttempts.with(index, next) };
}

function after(known: CiAttempt, headSha: string, reason: DecidedFact["decision"]["reason"], red: boolean): CiAttempt {
  if (reason === "ci-first-failure") return { ...known, headShas: [...known.headShas, headSha], failing: true };
  if (reason === "activity-of-session") return { ...known, headShas: [...known.headShas, headSha] };
  if (reason === "ci-recovered") return { ...known, failing: false, recovered: headSha };
  if (reason === "ci-wakes-used-up" && !known.noticed) return { ...known, noticed: true, failing: known.failing && !red };
  return known;
}
