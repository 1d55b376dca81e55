import type { DecisionRow } from "../decide/decision-row.ts";
import type { InboundEvent, RejectedShape } from "../event/event.ts";
import { escapeInline } from "../text/hidden-characters.ts";
import { formatRef } from "../ref/ref.ts";
import type { Verdict } from "../decide/decision.ts";
import type { Effect } from "../decide/effect.ts";
import { foreignSentence } from "../decide/foreign-pull-request.ts";
import { lateness } from "./lateness.ts";
import { quotesTaken } from "./quotes-taken.ts";
import { defaultWords, remedyOf, sentenceOf, type Words } from "../control/reason-sentences.ts";
import type { OwnBy, State, UnansweredQuestion } from "../decide/state.ts";
import type { Provenance } from "../linking/target.ts";

/** The facts of a decision that explaining needs; a stored decision row has them all. */
export type Explained = Pick<DecisionRow, "event" | "state" | "decision">;

/**
 * The whole reasoning behind a decision, one plain sentence after another: what came, whose it was,
 * where it belonged, what was decided and why, what follows, and, where there is one, what to do
 * next.
 */
export function explain(row: Explained, words: Words = defaultWords): readonly string[] {
  const { decision } = row;
  const remedy = remedyOf(decision.reason, words);
  return [
    ...arrival(row),
    ...belonging(row.state),
    ...lateness(row),
    `${opening(decision.verdict)} ${sentenceOf(decision.reason, words)}`,
    ...quotesTaken(row.event, decision),
    ...decision.effects.map(effectSentence),
    ...(remedy === null ? [] : [`Next: ${remedy}`]),
  ];
}

/** What came, from whom. */
function arrival({ event, decision }: Explained): readonly string[] {
  if (event === null)
    return decision.verdict.kind === "rejected"
      ? [`The payload is invalid: ${misfits[decision.verdict.why]}.`]
      : [];
  const name = event.action === "" ? event.event : `${event.event} (${event.action})`;
  const who =
    event.actor === null ? "nobody" : `${event.actor.bot ? "the bot " : ""}@${event.actor.login}`;
  const when = event.at === null ? "" : ` at ${event.at}`;
  return [`${name} by ${event.source} from ${who}${when}.`, ...checked(event)];
}

/**
 * How a check ended, and on which commit. Its name is its author's to choose, and stands in no
 * sentence of ours.
 */
function checked(event: InboundEvent): readonly string[] {
  if (event.kind !== "ci") return [];
  const { conclusion, phase, headSha } = event.check;
  const end =
    phase === "completed"
      ? `ended with ${escapeInline(conclusion ?? "no result", 40)}`
      : "hasn't finished";
  return [`The check ${end} on the commit ${headSha.slice(0, 12)}.`];
}

/**
 * What was wrong with a payload; `shape` is also what a delivery is set aside as when reading it
 * failed here.
 */
const misfits: Readonly<Record<RejectedShape, string>> = {
  "not-json": "its body isn't JSON",
  "not-an-object": "its body isn't a JSON object",
  "too-deep": "its body is nested too deeply",
  "too-large": "its body has too many parts",
  shape: "a required field is missing or has another type, or reading it failed (see `loop logs`)",
  "unknown-event": "unknown event name",
  "bad-name": "invalid owner, repository or number",
};

/** Where it belonged, and how the item stood. */
function belonging(state: State | null): readonly string[] {
  if (state === null) return [];
  const open = (state.unanswered ?? []).map(
    ({ question, why }) =>
      `The code host ${why === "not-asked" ? "wasn't asked" : "didn't say"} ${unknowns[question]} (${why === "not-asked" ? "it had left several questions unanswered" : why}). The event itself was used instead.`,
  );
  return [...open, ...placing(state)];
}

function placing(state: State): readonly string[] {
  if (state.target === null) return [];
  const { workItem, endpoint, provenance } = state.target;
  const [item, lane] = [formatRef(workItem), formatRef(endpoint)];
  const found = `It belongs to ${item}, ${provenances[provenance]}${lane === item ? "" : `, and goes to the session of ${lane}`}.`;
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
  return `The code host says that the issue was reopened, and no close arrived since ${names} was added, so earlier collaborators lost access.`;
}

/** A person whose words were taken for an agent's must see by what. */
const ownEvidence: Readonly<Record<OwnBy, string>> = {
  marker: "It was posted by the token's login and carries loop's marker for exactly this text.",
  "service-record": "The event log shows that loop posted it.",
  "hook-record":
    "The event log shows that an agent posted it during its turn (`loop events --type host.posted`).",
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
      ? "Not on record"
      : `It was ${record.control.status}, ${record.armed ? "labelled" : "not labelled"} and ${record.open ? "open" : "closed"}`;
  const sessions =
    live === 0
      ? "no session was active"
      : `${live} session${live === 1 ? " was" : "s were"} active`;
  const lanes = held.length === 0 ? "" : `, on hold (${held.join(", ")})`;
  return [
    `${stood}; ${sessions}${lanes}.`,
    ...(seenAs === null ? [] : [`Duplicate of delivery ${seenAs}.`]),
    ...(ownedBy === null ? [] : [`The instance ${ownedBy} owns the item.`]),
  ];
}

const provenances: Readonly<Record<Provenance, string>> = {
  "recorded-link": "by a pull request linked with `loop sessions link-pr`",
  "closing-reference": "by the code host's closing reference",
  "head-branch": "by the head branch's name",
  "closing-keyword": "by a closing keyword in the pull request",
  itself: "because it happened there",
  "head-sha": "by the commit the check ran on",
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
      return "Close deferred:";
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
        ? `Opens a session for ${formatRef(effect.endpoint)} with this as its first message.`
        : `Delivers it to the session of ${formatRef(effect.endpoint)}.`;
    case "drop-turns":
      return `Drops queued messages for the session of ${formatRef(effect.endpoint)}.`;
    case "react":
      return `Reacts to the comment with ${effect.reaction}.`;
    case "reply":
      return `Comments on ${formatRef(effect.thread)}: ${effect.text}`;
    case "phase-label":
      return `Labels ${formatRef(effect.workItem)} with the node ${effect.phase}.`;
    case "end-session":
      return effect.graceMs === 0
        ? `Ends the session of ${formatRef(effect.endpoint)} now.`
        : `Ends the session of ${formatRef(effect.endpoint)} after its turn, within ${effect.graceMs / 60_000} min.`;
    case "release":
      return `Releases the checkout and session records of ${formatRef(effect.workItem)}.`;
  }
}
