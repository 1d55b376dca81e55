import type { CiEvent } from "../normalise/event.ts";
import type { CiAttempt, CiResult, ItemState } from "../work-item/records.ts";
import type { RefText } from "../work-item/ref.ts";
import { isBefore } from "./instant.ts";

/**
 * Heads for which one check of one pull request may wake its session, and suites of one head that
 * may.
 */
export const ciWakes = 3;

/**
 * Results that one check keeps, and checks of a work item that have woken nobody; the oldest go
 * first. What was told stays.
 */
const [mostResults, mostQuietChecks] = [16, 100];

const failures: ReadonlySet<string> = new Set([
  "failure",
  "error",
  "timed_out",
  "action_required",
  "startup_failure",
]);

/**
 * True for conclusions that a person would call red. A cancelled run was mostly overtaken by the
 * next one and says nothing.
 */
export function isFailure({ check }: CiEvent): boolean {
  return check.conclusion !== null && failures.has(check.conclusion);
}

/**
 * What this check has caused before. One of an earlier version has the check's name alone for its
 * key, and is gone on with.
 */
export function attemptIn(
  item: Pick<ItemState, "ciAttempts">,
  pullRequest: RefText,
  event: CiEvent,
): CiAttempt | undefined {
  const own = item.ciAttempts.filter((each) => each.pullRequest === pullRequest);
  const key = keyOf(event);
  return (
    own.find(({ check }) => check === key) ?? own.find(({ check }) => check === event.check.name)
  );
}

/** A check of which nothing is known. */
export function newAttempt(pullRequest: RefText, event: CiEvent): CiAttempt {
  return { pullRequest, check: keyOf(event), headShas: [], failing: false, noticed: false };
}

/** The newest result of the event's suite on its commit. */
export function resultFor(
  { check }: CiEvent,
  attempt: CiAttempt | undefined,
): CiResult | undefined {
  return resultsOf(attempt, check.headSha).find(({ run }) => run === runOf(check));
}

/** A newer result of the same suite on the same commit is known. */
export function isOvertaken(event: CiEvent, attempt: CiAttempt | undefined): boolean {
  return isBefore(event.at, resultFor(event, attempt)?.at ?? null);
}

/**
 * On a commit that has woken the session: it was told of this suite's result, or as often as one
 * commit may tell.
 */
export function isTold(event: CiEvent, attempt: CiAttempt): boolean {
  const told = resultsOf(attempt, event.check.headSha).filter((each) => each.told);
  return (
    told.length === 0 ||
    told.length >= ciWakes ||
    told.some(({ run }) => run === runOf(event.check))
  );
}

/**
 * Whether a success makes good what the session was told to have failed. Several suites may run a
 * check of one name, and only on one commit their ids tell them apart: so none of its commit may be
 * red, and on a later commit as many must have ended as on the failed one.
 */
export function isRecovery(event: CiEvent, attempt: CiAttempt): boolean {
  const { headSha } = event.check;
  const others = resultsOf(attempt, headSha).filter(({ run }) => run !== runOf(event.check));
  if (others.some(({ red }) => red)) return false;
  return (
    isFailedHead(headSha, attempt) ||
    others.length + 1 >= resultsOf(attempt, failedHead(attempt)).length
  );
}

/** Whether this is the commit of the failure that the session was told last. */
export function isFailedHead(headSha: string, attempt: CiAttempt | undefined): boolean {
  return attempt?.failing === true && failedHead(attempt) === headSha;
}

/**
 * Remembers the result, in place of an older one of its suite and commit. Only success and failure
 * are results.
 */
export function withResult(attempt: CiAttempt, event: CiEvent, told: boolean): CiAttempt {
  const { check, at } = event;
  const red = isFailure(event);
  if (!red && check.conclusion !== "success") return attempt;
  const before = resultFor(event, attempt);
  const result: CiResult = {
    headSha: check.headSha,
    run: runOf(check),
    at: at ?? before?.at ?? null,
    red,
    told: told || before?.told === true,
  };
  return {
    ...attempt,
    results: bounded(
      [...(attempt.results ?? []).filter((each) => each !== before), result],
      mostResults,
      (each) => !each.told,
    ),
  };
}

/** Puts the attempt in place of what was known of its check. */
export function withAttempt(
  item: ItemState,
  known: CiAttempt | undefined,
  next: CiAttempt,
): ItemState {
  if (known !== undefined)
    return { ...item, ciAttempts: item.ciAttempts.with(item.ciAttempts.indexOf(known), next) };
  const quiet = (each: CiAttempt): boolean => each.headShas.length === 0 && !each.noticed;
  const most = mostQuietChecks + item.ciAttempts.filter((each) => !quiet(each)).length;
  return { ...item, ciAttempts: bounded([...item.ciAttempts, next], most, quiet) };
}

/** As it stands in records: what tells checks of one pull request apart over its commits. */
export function keyOf({ event, check }: CiEvent): string {
  return JSON.stringify([event, check.source ?? null, check.name]);
}

function resultsOf(
  attempt: CiAttempt | undefined,
  headSha: string | undefined,
): readonly CiResult[] {
  return (attempt?.results ?? []).filter((each) => each.headSha === headSha);
}

function failedHead(attempt: CiAttempt): string | undefined {
  return attempt.failed ?? attempt.headShas.at(-1);
}

function runOf({ run }: CiEvent["check"]): string {
  return run ?? "";
}

/** Without the first that may go, where there is one more than there may be. */
function bounded<T>(list: readonly T[], most: number, mayGo: (each: T) => boolean): readonly T[] {
  if (list.length <= most) return list;
  const first = list.findIndex(mayGo);
  return first === -1 ? list : list.toSpliced(first, 1);
}
