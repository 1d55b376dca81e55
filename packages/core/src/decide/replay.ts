import { emptyItemState, type ItemState } from "../work-item/records.ts";
import { formatRef, type RefText, sameRef } from "../ref/ref.ts";
import { questionsOf } from "../linking/questions.ts";
import type { LookupAnswers } from "../linking/lookups.ts";
import { noAnswers, refsToLoad, resolve, wantsAuthor } from "../linking/resolve.ts";
import type { InboundEvent } from "../event/event.ts";
import type { DecisionRow } from "./decision-row.ts";
import { decide } from "./decide.ts";
import type { Decision } from "./decision.ts";
import type { Effect } from "./effect.ts";
import { turnedAway } from "./event-filter.ts";
import { asksForOwn, type LookedUp, mayBeHeard, noGuests, ownActivity } from "./lookup-facts.ts";
import type { Policy } from "../config/policy.ts";
import type { Reason, RequestRefusal } from "../control/reason.ts";
import { wantsConfirming } from "./lifecycle-facts.ts";
import type { State } from "./state.ts";
import type { Target } from "../linking/target.ts";

/** What deciding anew came to. */
export type Replayed =
  | { readonly kind: "same" }
  | {
      readonly kind: "changed";
      readonly decision: Decision;
      readonly gone: readonly Effect[];
      readonly added: readonly Effect[];
    }
  /** The other configuration asks what nobody asked when this was decided. */
  | { readonly kind: "unknown"; readonly open: OpenQuestion };

/**
 * A fact that is not on record. `about` is the work item that it concerns, where it concerns one.
 */
export type OpenQuestion = {
  readonly question:
    | "turn-of-item"
    | "anything"
    | "lookups"
    | "closing-references"
    | "author-of-pull-request"
    | "pull-requests-of-commit"
    | "state"
    | "own-activity"
    | "issue-of-branch"
    | "edits-of-text";
  readonly about: RefText | null;
};

/**
 * Decides a recorded delivery anew under a policy, from the facts that were kept with its decision;
 * under the policy of that time it comes to the same bytes. Pure: nothing is asked, nothing
 * follows. Where the policy would have wanted to know more than was looked up then, that is said
 * instead of being guessed.
 */
export function redecide(
  { event, state, decision }: Pick<DecisionRow, "event" | "state" | "decision">,
  policy: Policy,
): Replayed {
  // What was not understood is not understood under any policy.
  if (event === null || state === null) return same;
  if (
    turnedAway(event, policy) !== null ||
    (state.seenAs !== null && !awayReasons.has(decision.reason))
  )
    return compare(decision, decide(event, state, policy));
  if (awayReasons.has(decision.reason)) return unknown("anything");
  const placed = placeAnew(event, state, policy);
  if ("kind" in placed) return placed;
  const [first, ...others] = confirmedAnew(event, placed, state, policy).map((each) =>
    decide(event, each, policy),
  );
  if (first !== undefined && decision.reason !== first.reason && grantsUnseen(event, first, state))
    return unknown("turn-of-item", placed.target);
  if (first !== undefined && decision.reason !== first.reason && startsUnasked(event, first, state))
    return unknown("edits-of-text", placed.target);
  if (
    first === undefined ||
    others.some((other) => JSON.stringify(other) !== JSON.stringify(first))
  )
    return unknown("issue-of-branch", placed.target);
  return compare(decision, first);
}

/** Reasons of those for which nothing was looked up. */
const awayReasons: ReadonlySet<Reason> = new Set([
  "routing-disabled",
  "event-not-listed",
  "repository-not-listed",
]);

const same: Replayed = { kind: "same" };

function unknown(question: OpenQuestion["question"], target: Target | null = null): Replayed {
  return {
    kind: "unknown",
    open: { question, about: target === null ? null : formatRef(target.workItem) },
  };
}

/** The state as it was, with work item and own doing found anew; or what is missing for that. */
function placeAnew(event: InboundEvent, state: State, policy: Policy): State | Replayed {
  const { found } = state;
  const questions = questionsOf(event, policy, found?.repository);
  if (questions.pullRequests.length === 0 && questions.headSha === null)
    return ownAnew(
      event,
      { ...state, target: resolve(event, noAnswers, policy, questions) },
      state,
      policy,
    );
  if (found === undefined) return unknown("lookups");
  const { asked, loaded } = found;
  const answers = questions.ask === "nothing" ? ofRecords(found) : found.answers;
  // Who could not be heard then, and may not steer now either, is dropped wherever it belongs.
  const unheard = found.unheard === true && !mayBeHeard(event, policy, noGuests, state.pinnedAs);
  if (
    !unheard &&
    questions.ask !== "nothing" &&
    asked === "nothing" &&
    answers.linked.length === 0 &&
    answers.heads.length === 0
  ) {
    return unknown(
      questions.ask === "pull-requests-of-commit" ? questions.ask : "closing-references",
    );
  }
  if (!unheard && answers.author === undefined && wantsAuthor(questions, answers, policy))
    return unknown("author-of-pull-request");
  const unread = refsToLoad(questions, answers).find((ref) => !loaded.includes(ref));
  if (unread !== undefined) return { kind: "unknown", open: { question: "state", about: unread } };
  const target = resolve(event, answers, policy, questions);
  return ownAnew(
    event,
    { ...state, target, item: itemOf(target, state, answers.items) },
    state,
    policy,
  );
}

/** The answers without what the host told, for a policy under which it is not asked. */
function ofRecords({ answers, asked }: LookedUp): LookupAnswers {
  const { pulls: _pulls, ...recorded } = answers;
  return {
    ...recorded,
    closing: [],
    head: null,
    heads: asked === "pull-requests-of-commit" ? [] : answers.heads,
  };
}

/**
 * The work item's state: as it was in the transaction where the target is the same, else as it was
 * read before.
 */
function itemOf(
  target: Target | null,
  { target: before, item }: State,
  items: readonly ItemState[],
): ItemState {
  if (target === null) return emptyItemState;
  if (before !== null && sameRef(before.workItem, target.workItem)) return item;
  const ref = formatRef(target.workItem);
  return (
    items.find(({ workItem, sessions }) => (workItem?.ref ?? sessions[0]?.workItem) === ref) ??
    emptyItemState
  );
}

/**
 * Whether the session did it itself. What was looked up holds for the work item that was looked at.
 */
function ownAnew(
  event: InboundEvent,
  state: State,
  before: State,
  policy: Policy,
): State | Replayed {
  if (event.kind === "comment") return state;
  const { target, item, found } = state;
  if (target === null || !asksForOwn(event, policy)) return { ...state, own: "no" };
  const evidence =
    before.target !== null && sameRef(before.target.workItem, target.workItem)
      ? (found?.own ?? null)
      : null;
  if (evidence !== null) return { ...state, own: ownActivity(evidence, event, policy) };
  return item.sessions.some(({ status, workdir }) => status !== "closed" && workdir !== null)
    ? unknown("own-activity", target)
    : { ...state, own: "no" };
}

/**
 * The state, or the two that it may be: whether the host has the issue of a branch is known only of
 * the one that it was asked for.
 */
function confirmedAnew(
  event: InboundEvent,
  state: State,
  before: State,
  policy: Policy,
): readonly State[] {
  const { branchConfirmed: _confirmed, ...open } = state;
  const { target, item, found } = state;
  if (
    target === null ||
    !wantsConfirming(event, target, policy) ||
    (item.workItem?.hostId ?? null) !== null
  )
    return [open];
  const known =
    before.target !== null && sameRef(before.target.workItem, target.workItem)
      ? (found?.confirmed ?? null)
      : null;
  if (known === null) return [open, { ...open, branchConfirmed: true }];
  return [known ? { ...open, branchConfirmed: true } : open];
}

/**
 * What counts as a grant only now: nobody looked whether an agent was at work when it was written.
 */
function grantsUnseen(event: InboundEvent, { reason }: Decision, state: State): boolean {
  return (
    event.kind === "comment" && reason === "collaborator-granted" && state.agentAtWork === undefined
  );
}

/** What starts only now: nobody asked who had edited the text since. */
function startsUnasked(event: InboundEvent, { verdict }: Decision, { edits }: State): boolean {
  return event.kind !== "control" && verdict.kind === "started" && edits === undefined;
}

/**
 * Compared as they are kept, byte for byte, but for what the way through the process graph added:
 * that was derived from artifacts as they stood then, and nobody kept those.
 */
function compare(decided: Decision, after: Decision): Replayed {
  const refused =
    decided.verdict.kind === "refused" &&
    decided.verdict.verb === "graph" &&
    refusedByGraph.has(decided.reason);
  const asked = refused
    ? ({ ...decided, verdict: { kind: "noted" }, reason: "graph-requested" } satisfies Decision)
    : decided;
  const before = { ...asked, effects: asked.effects.filter((effect) => !isOfGraph(effect)) };
  if (JSON.stringify(before) === JSON.stringify(after)) return same;
  return {
    kind: "changed",
    decision: after,
    gone: without(before.effects, after.effects),
    added: without(after.effects, before.effects),
  };
}

/** What is wrong with a request about the graph the graph says, after it was decided. */
const refusedByGraph: ReadonlySet<Reason> = new Set([
  "no-graph",
  "graph-broken",
  "no-such-node",
  "node-not-optional",
] satisfies readonly RequestRefusal[]);

function isOfGraph(effect: Effect): boolean {
  return effect.kind === "phase-label" || "node" in effect;
}

/** The effects that the others do not have, each as often as it is missing there. */
function without(effects: readonly Effect[], others: readonly Effect[]): readonly Effect[] {
  const left = others.map((effect) => JSON.stringify(effect));
  return effects.filter((effect) => {
    const at = left.indexOf(JSON.stringify(effect));
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}
