import type { DecisionRow } from "../ports/store.ts";
import type { InboundEvent, RejectedShape } from "../normalise/event.ts";
import { inline } from "../audit/hidden.ts";
import { formatRef } from "../work-item/ref.ts";
import type { Verdict } from "./decision.ts";
import type { Effect } from "./effect.ts";
import { foreignSentence } from "./foreign.ts";
import { lateness } from "./explain-late.ts";
import { defaultWords, remedyOf, sentenceOf, type Words } from "./sentences.ts";
import type { OwnBy, Provenance, State, UnansweredQuestion } from "./state.ts";

/** The facts of a decision that explaining needs; a stored decision row has them all. */
export type Explained = Pick<DecisionRow, "event" | "state" | "decision">;

/**
 * The whole reasoning behind a decision, one plain sentence after another: what came, whose it was,
 * where it belonged, what was decided and why, what follows, and, where there is one, what to do
 * next (decisions.md 5).
 */
export function explain(row: Explained, words: Words = defaultWords): readonly string[] {
  const { decision } = row;
  const remedy = remedyOf(decision.reason, words);
  return [
    ...arrival(row),
    ...belonging(row.state),
    ...lateness(row),
    `${opening(decision.verdict)} ${sentenceOf(decision.reason, words)}`,
    ...decision.effects.map(effectSentence),
    ...(remedy === null ? [] : [`What to do next: ${remedy}`]),
  ];
}

/** What came, from whom. */
function arrival({ event, decision }: Explained): readonly string[] {
  if (event === null)
    return decision.verdict.kind === "rejected"
      ? [`The payload was not understood: ${misfits[decision.verdict.why]}.`]
      : [];
  const name = event.action === "" ? event.event : `${event.event} (${event.action})`;
  const who =
    event.actor === null
      ? "nobody in particular"
      : `${event.actor.bot ? "the bot " : ""}@${event.actor.login}`;
  const when = event.at === null ? "" : ` at ${event.at}`;
  return [`${name} came by ${event.source} from ${who}${when}.`, ...checked(event)];
}

/**
 * How a check ended, and on which commit. Its name is its author's to choose, and stands in no
 * sentence of ours.
 */
function checked(event: InboundEvent): readonly string[] {
  if (event.kind !== "ci") return [];
  const { conclusion, phase, headSha } = event.check;
  const end =
    phase === "completed" ? `ended with ${inline(conclusion ?? "no result", 40)}` : "is not over";
  return [`The check ${end} on the commit ${headSha.slice(0, 12)}.`];
}

/**
 * What was wrong with a payload; `shape` is also what a delivery is set aside as when reading it
 * failed here.
 */
const misfits: Readonly<Record<RejectedShape, string>> = {
  "not-json": "its body is no JSON",
  "not-an-object": "its body is JSON, but no object",
  "too-deep": "its body is nested deeper than is read here",
  "too-large": "its body has more parts than are read here",
  shape:
    "a part that this event always has is missing or of another kind, or reading it failed, which the daemon's log then shows",
  "unknown-event": "no event of that name is known here",
  "bad-name": "it names an owner, repository or number that the host would not give out",
};

/** Where it belonged, and how the item stood. */
function belonging(state: State | null): readonly string[] {
  if (state === null) return [];
  const open = (state.unanswered ?? []).map(
    ({ question, why }) =>
      `The code host ${why === "not-asked" ? "was not asked" : "was asked and did not tell"} ${unknowns[question]} (${why === "not-asked" ? "it had left several questions unanswered" : why}); what the event itself says counted.`,
  );
  return [...open, ...placing(state)];
}

function placing(state: State): readonly string[] {
  if (state.target === null) return [];
  const { workItem, endpoint, provenance } = state.target;
  const [item, lane] = [formatRef(workItem), formatRef(endpoint)];
  const found = `It belongs to ${item}, ${provenances[provenance]}${lane === item ? "" : `, and is for the session of ${lane}`}.`;
  const ended = state.grantsEnded === undefined ? [] : [endedSentence(state.grantsEnded)];
  return [
    found,
    ...ended,
    ...foreignSentence(state),
    ...(state.ownBy === undefined ? [] : [ownEvidence[state.ownBy]]),
    ...standing(state),
  ];
}

function endedSentence(logins: readonly string[]): string {
  const names = logins.map((login) => `@${login}`).join(", ");
  return `The code host says that the issue was reopened, and no closing was told since ${names} was let in, so every grant of before ended.`;
}

/** A person whose words were taken for an agent's must see by what. */
const ownEvidence: Readonly<Record<OwnBy, string>> = {
  marker: "It came under the token's login and carries our marker on just these words.",
  "service-record": "The event log says that the service posted it.",
  "hook-record":
    "The event log says that an agent posted it during its turn with a tool of its own, as the hook after the tool told (`loop events --type host.posted`).",
};

const unknowns: Readonly<Record<UnansweredQuestion["question"], string>> = {
  "closing-references": "which issues the pull request closes",
  head: "which branch the pull request comes from",
  "pull-requests-of-commit": "which pull requests contain the commit",
  "issue-of-branch": "whether the issue that the branch names exists",
  "own-login": "whose token the service has",
  account: "which account has the login that is named",
  "edits-of-text": "who edited the text of the item",
};

/** How the item stood when this was decided. */
function standing({ item, seenAs, ownedBy }: State): readonly string[] {
  const record = item.workItem;
  const live = item.sessions.filter((session) => session.status === "active").length;
  const held = item.lanes.flatMap((lane) => (lane.hold === null ? [] : [lane.hold.reason]));
  const stood =
    record === null
      ? "Nothing was on record about it"
      : `It was ${record.control.status}, ${record.armed ? "labelled" : "not labelled"} and ${record.open ? "open" : "closed"}`;
  const sessions =
    live === 0
      ? "no session was active"
      : `${live} session${live === 1 ? " was" : "s were"} active`;
  const lanes = held.length === 0 ? "" : `, lanes were held (${held.join(", ")})`;
  return [
    `${stood}; ${sessions}${lanes}.`,
    ...(seenAs === null ? [] : [`The same thing was decided as delivery ${seenAs}.`]),
    ...(ownedBy === null ? [] : [`The instance ${ownedBy} owns the item.`]),
  ];
}

const provenances: Readonly<Record<Provenance, string>> = {
  "recorded-link": "by a pull request that was recorded with link-pr",
  "closing-reference": "by the closing reference that the host knows",
  "head-branch": "by the name of the head branch",
  "closing-keyword": "by a closing keyword in the pull request's text",
  itself: "because it happened there",
  "head-sha": "by the commit that the check ran on",
  named: "because the request names it",
};

/** The verdict as the beginning of a sentence. */
function opening(verdict: Verdict): string {
  switch (verdict.kind) {
    case "rejected":
      return "Rejected:";
    case "ignored":
      return "Ignored:";
    case "refused":
      return verdict.verb === null ? "Refused:" : `Refused (${verdict.verb}):`;
    case "noted":
      return "Noted:";
    case "started":
      return `Started by @${verdict.by}:`;
    case "delivered":
      return "Delivered:";
    case "paused":
      return `Paused by @${verdict.by}:`;
    case "resumed":
      return `Resumed by @${verdict.by}:`;
    case "stopped":
      return `Stopped by @${verdict.by}:`;
    case "cleaned-up":
      return `Cleaned up by @${verdict.by}:`;
    case "closed":
      return verdict.whole ? "Closed:" : "Closed (this session only):";
    case "close-deferred":
      return "Deferred:";
    case "reopened":
      return `Reopened (${verdict.to} again):`;
    case "granted":
      return `Granted to @${verdict.login} by @${verdict.by}:`;
    case "revoked":
      return `Revoked for @${verdict.login} by @${verdict.by}:`;
  }
}

/** What follows from one effect, in one sentence. */
export function effectSentence(effect: Effect): string {
  switch (effect.kind) {
    case "turn":
      return effect.mode === "spawn"
        ? `A session is spawned for ${formatRef(effect.endpoint)} with this as its first message.`
        : `The session of ${formatRef(effect.endpoint)} is told.`;
    case "drop-turns":
      return `What waits for the session of ${formatRef(effect.endpoint)} is dropped.`;
    case "react":
      return `The comment gets the reaction ${effect.reaction}.`;
    case "reply":
      return `One line is posted on ${formatRef(effect.thread)}: ${effect.text}`;
    case "phase-label":
      return `The label of ${formatRef(effect.workItem)} says that it is at the node ${effect.phase}.`;
    case "end-session":
      return effect.graceMs === 0
        ? `The session of ${formatRef(effect.endpoint)} ends now.`
        : `The session of ${formatRef(effect.endpoint)} ends once its turn is over, at the latest after ${effect.graceMs / 60_000} minutes.`;
    case "release":
      return `Checkout and session records of ${formatRef(effect.workItem)} are released.`;
  }
}
