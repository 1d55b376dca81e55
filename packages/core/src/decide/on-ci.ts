import type { CiEvent } from "../normalise/event.ts";
import type { CiAttempt } from "../work-item/records.ts";
import { formatRef, type Ref, type RefText } from "../work-item/ref.ts";
import type { Decision } from "./decision.ts";
import { refOf } from "./item-view.ts";
import { ignored, noted } from "./outcome.ts";
import type { Policy } from "./policy.ts";
import type { Reason } from "./reason.ts";
import type { State, Target } from "./state.ts";
import { isRunning, turnFor } from "./tell.ts";

/** Heads for which one check of one pull request may wake its session (decisions.md 5). */
const ciWakes = 3;

const failures: ReadonlySet<string> = new Set(["failure", "error", "timed_out", "action_required", "startup_failure"]);

/**
 * CI wakes a session that is at work, and never arms or spawns (decisions.md 5, Actor). With `changes` it wakes on the first
 * failure of a check for a head, and on the recovery of what the session was told to have failed; for at most three heads, after
 * which one notice goes to the thread and nothing more. With `all` the first result of a head wakes, whatever it is, within the same three.
 */
export function onCi(event: CiEvent, state: State, policy: Policy): Decision {
  const { target } = state;
  if (policy.ciWakeOn === "never") return ignored("ci-never");
  if (event.check.phase !== "completed") return ignored("ci-not-finished");
  if (target === null) return ignored("ci-no-pull-request");
  if (state.ownedBy !== null) return ignored("owned-elsewhere");
  if (!isRunning(state)) return ignored("not-running");
  const turn = turnFor(event, target.endpoint, state.item, "none");
  if (turn.mode === "spawn") return ignored("not-running");
  const attempt = attemptOf(event, state, target);
  const reason = reasonOf(event, attempt, policy.ciWakeOn);
  if (reason === "ci-no-change") return ignored(reason);
  if (reason !== "ci-wakes-used-up") return { verdict: { kind: "delivered", endpoint: target.endpoint }, reason, effects: [turn] };
  if (attempt?.noticed === true) return noted(reason);
  return { verdict: { kind: "noted" }, reason, effects: [{ kind: "reply", thread: pullRequestOf(event, state, target), text: noticeOf(event) }] };
}

/** True for conclusions that a person would call red. A cancelled run was mostly overtaken by the next one and says nothing. */
export function isFailure(event: CiEvent): boolean {
  return event.check.conclusion !== null && failures.has(event.check.conclusion);
}

/** What this check has caused before; undefined when nothing. */
function attemptOf(event: CiEvent, state: Pick<State, "item">, target: Target): CiAttempt | undefined {
  const pullRequest: RefText = formatRef(pullRequestOf(event, state, target));
  return state.item.ciAttempts.find((each) => each.pullRequest === pullRequest && each.check === event.check.name);
}

/** The pull request that the checked commit belongs to: named by the payload, or recorded with that head, or the endpoint. */
export function pullRequestOf(event: CiEvent, state: Pick<State, "item">, target: Target): Ref {
  const { host, owner, name } = event.repository;
  const number = event.check.pullRequests[0];
  if (number !== undefined) return { host, owner, repo: name, number };
  const link = state.item.pullRequests.find((each) => each.headSha === event.check.headSha);
  return link === undefined ? target.endpoint : refOf(link.pullRequest);
}

function reasonOf(event: CiEvent, attempt: CiAttempt | undefined, wakeOn: "changes" | "all"): Reason {
  const { conclusion, headSha } = event.check;
  const red = isFailure(event);
  if (conclusion === "success" && attempt?.failing === true) return "ci-recovered";
  if (!red && (wakeOn !== "all" || attempt?.recovered === headSha)) return "ci-no-change";
  if (attempt?.headShas.includes(headSha) === true) return "ci-no-change";
  if (attempt !== undefined && attempt.headShas.length >= ciWakes) return "ci-wakes-used-up";
  return red ? "ci-first-failure" : "activity-of-session";
}

function noticeOf(event: CiEvent): string {
  return `The check ${JSON.stringify(event.check.name)} has woken the session for ${ciWakes} commits, so it wakes it no more. A comment that says what to do does.`;
}
