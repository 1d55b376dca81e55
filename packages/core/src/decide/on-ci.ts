import type { CiEvent } from "../event/event.ts";
import type { CiAttempt, ItemState } from "../work-item/records.ts";
import { type Message, say } from "../message/message.ts";
import { outside } from "../message/outside-text.ts";
import { formatPost } from "../message/post.ts";
import { formatRef, type Ref } from "../ref/ref.ts";
import {
  attemptIn,
  ciWakes,
  isFailedHead,
  isFailure,
  isOvertaken,
  isRecovery,
  isTold,
} from "./ci-attempt.ts";
import type { Decision } from "./decision.ts";
import { foreignReason } from "./foreign-pull-request.ts";
import { isBefore } from "../text/instant.ts";
import { refOf } from "./item-view.ts";
import { ignored, noted } from "./outcome.ts";
import type { Policy } from "../config/policy.ts";
import type { Reason } from "../control/reason.ts";
import type { State } from "./state.ts";
import type { Target } from "../linking/target.ts";
import { lives, turnFor } from "./deliver-input.ts";

/**
 * CI wakes a session that is at work, and never arms or spawns. With `changes` it wakes on the
 * first failure of a check for a head, and on the recovery of what the session was told to have
 * failed; for at most three heads, after which one notice goes to the thread and nothing more. With
 * `all` the first result of a head wakes, whatever it is, within the same three. What counts as the
 * same check, and as a recovery, is said in ADR 0008.
 */
export function onCi(event: CiEvent, state: State, policy: Policy): Decision {
  const { target } = state;
  if (policy.ciWakeOn === "never") return ignored("ci-never");
  if (event.check.phase !== "completed") return ignored("ci-not-finished");
  if (target === null) return ignored("ci-no-pull-request");
  if (state.ownedBy !== null) return ignored("owned-elsewhere");
  const foreign = foreignReason(state);
  if (foreign !== null) return ignored(foreign);
  if (!lives(target.endpoint, state.item)) return ignored("not-running");
  if (isSumOfRuns(event, policy)) return ignored("ci-suite-of-runs");
  const pullRequest = pullRequestOf(event, state, target);
  const attempt = attemptIn(state.item, formatRef(pullRequest), event);
  const reason = reasonOf(
    event,
    attempt,
    standingOf(event, state.item, pullRequest),
    policy.ciWakeOn,
  );
  if (reason === "ci-older-result" || reason === "ci-older-commit") return ignored(reason);
  if (reason === "ci-no-change")
    return isFailure(event) || event.check.conclusion === "success"
      ? noted(reason)
      : ignored(reason);
  if (reason !== "ci-wakes-used-up")
    return {
      verdict: { kind: "delivered", endpoint: target.endpoint },
      reason,
      effects: [turnFor(event, target.endpoint, state.item, "none", policy)],
    };
  if (attempt?.noticed === true) return noted(reason);
  return {
    verdict: { kind: "noted" },
    reason,
    effects: [{ kind: "reply", thread: pullRequest, text: formatPost(noticeOf(event)) }],
  };
}

/**
 * The pull request that the checked commit belongs to: named by the payload, or recorded with that
 * head, or the only open one, or the endpoint.
 */
export function pullRequestOf(event: CiEvent, { item }: Pick<State, "item">, target: Target): Ref {
  const { host, owner, name } = event.repository;
  const number = event.check.pullRequests[0];
  if (number !== undefined) return { host, owner, repo: name, number };
  const open = item.pullRequests.filter((each) => each.open);
  const link =
    item.pullRequests.find((each) => each.headSha === event.check.headSha) ??
    (open.length === 1 ? open[0] : undefined);
  return link === undefined ? target.endpoint : refOf(link.pullRequest);
}

/**
 * A suite ends as its runs did, each of which is told where they are listened to; one that could
 * not start has none.
 */
function isSumOfRuns({ event, check }: CiEvent, { events }: Policy): boolean {
  return (
    event === "check_suite" && events.has("check_run") && check.conclusion !== "startup_failure"
  );
}

/**
 * How a commit stands to the head of its pull request; `unknown` is another one than was recorded,
 * and perhaps a newer one.
 */
type Standing = "present" | "older" | "unknown";

/**
 * The payload tells the head as it was sent; the record counts where that is newer than the result,
 * or where there is nothing else.
 */
function standingOf({ check, at }: CiEvent, item: ItemState, pullRequest: Ref): Standing {
  const link = item.pullRequests.find((each) => each.pullRequest === formatRef(pullRequest));
  const recorded = link?.headSha ?? null;
  const sure = recorded !== null && isBefore(at, link?.updatedAt ?? null);
  const told = sure ? recorded : (check.pullRequestHead ?? null);
  const head = told ?? recorded;
  if (head === null || head === check.headSha) return "present";
  return told === null ? "unknown" : "older";
}

function reasonOf(
  event: CiEvent,
  attempt: CiAttempt | undefined,
  standing: Standing,
  wakeOn: "changes" | "all",
): Reason {
  const { conclusion, headSha } = event.check;
  const red = isFailure(event);
  if (isOvertaken(event, attempt)) return "ci-older-result";
  const ofFailed = conclusion === "success" && isFailedHead(headSha, attempt);
  if (standing === "older" && !ofFailed) return "ci-older-commit";
  if (
    conclusion === "success" &&
    attempt?.failing === true &&
    (ofFailed || standing === "present") &&
    isRecovery(event, attempt)
  )
    return "ci-recovered";
  if (!red && (wakeOn !== "all" || attempt?.recovered === headSha)) return "ci-no-change";
  if (attempt?.headShas.includes(headSha) === true)
    return red && !isTold(event, attempt) ? "ci-first-failure" : "ci-no-change";
  if (attempt !== undefined && attempt.headShas.length >= ciWakes) return "ci-wakes-used-up";
  return red ? "ci-first-failure" : "activity-of-session";
}

function noticeOf(event: CiEvent): Message {
  return say`The check ${outside(event.check.name)} has woken the session for ${ciWakes} commits, so it wakes it no more. A comment that says what to do does.`;
}
