import type { Decision } from "../decide/decision.ts";
import { instantOf } from "../text/instant.ts";
import { itemIn, refOfItem } from "../decide/item-view.ts";
import { saidAt } from "../decide/overtaken.ts";
import type { Policy } from "../config/policy.ts";
import type { Target } from "../linking/target.ts";
import type { CommentEvent, InboundEvent } from "../event/event.ts";
import { commitId } from "../event/fields.ts";
import type { ItemState } from "../work-item/records.ts";
import { formatRef } from "../ref/ref.ts";
import type { GraphFacts } from "./advance.ts";
import { type GateAnswer, readAnswer } from "./gate.ts";
import { nodeOf } from "./model.ts";
import {
  answerSubjectOf,
  type NodeProgress,
  type ObservedWork,
  type GraphProgress,
  progressAt,
  subjectOf,
} from "./progress.ts";
import type { Announcement, GraphRecord, GraphSignal } from "../work-item/graph-record.ts";

/** Why the answer of a person at a gate, or the request of an operator, is not taken. */
export type NotTaken =
  | "no-such-node"
  | "not-optional"
  | "agent-at-work"
  | "no-checkout"
  | "not-open"
  | "early"
  | "changed"
  | "other-commit";

/**
 * What an event says about a node: something that holds from now on, an answer that is not taken,
 * or nothing. `words` tell people why.
 */
export type Heard =
  | { readonly kind: "nothing" }
  | { readonly kind: "signal"; readonly signal: GraphSignal }
  | {
      readonly kind: "not-taken";
      readonly why: NotTaken;
      readonly by: string;
      readonly words: string;
    };

/** An event that concerns a work item, as it was decided; `now` in milliseconds since 1970. */
export type Spoken = {
  readonly event: InboundEvent;
  readonly target: Target;
  readonly now: number;
  readonly decision: Decision;
};

/**
 * The work as an event finds it; `observed` and `progress` are null while there is no checkout to
 * look at.
 */
export type Situation = {
  readonly record: GraphRecord;
  readonly progress: GraphProgress | null;
  readonly observed: ObservedWork | null;
  readonly after: ItemState;
};

/**
 * Reads what an event says about a node. A person's answer is bound to the state of the work with
 * which the gate was announced on the thread (`GraphRecord.announced`):
 *
 *     an agent at work may have written it          → not taken        an edit or a stranger's word says nothing at all (gate.ts)
 *     what stands there is not finished             → not taken
 *     it asks for changes                           → a signal: it opens nothing, so that nothing has to be proven
 *     written before the announcement               → not taken
 *     another state than the announced one          → not taken
 *     a review of another commit than the head      → not taken
 *     else                                          → a signal
 *
 * Where nobody was asked, the same words are input like any other, and nothing is said of them.
 */
export function hear(
  { event, target, now, decision }: Spoken,
  situation: Situation,
  facts: GraphFacts,
  policy: Policy,
): Heard {
  if (event.kind === "control")
    return event.request.verb === "graph"
      ? waived(event.request, situation, event.actor?.login ?? "operator", facts, now)
      : nothing;
  if (event.kind !== "comment" || !isAboutTheWork(target)) return nothing;
  const authority = decision.effects.find((effect) => effect.kind === "turn")?.authority ?? "none";
  const answer = readAnswer(event, { authority, agentAtWork: facts.agentAtWork }, policy);
  return answer === null ? nothing : weigh(answer, event, target, situation, facts, now);
}

const nothing: Heard = { kind: "nothing" };

/**
 * The item's own thread, or a pull request that is recorded as its work. Anybody may open a pull
 * request that names the item in its text or its branch: a review of that is input of the session
 * and says nothing about the work.
 */
function isAboutTheWork({ provenance }: Target): boolean {
  return provenance === "itself" || provenance === "recorded-link";
}

function waived(
  request: { readonly step: "advance" | "complete" | "skip"; readonly node: string | null },
  { record, observed }: Situation,
  by: string,
  { graph }: GraphFacts,
  at: number,
): Heard {
  if (request.step === "advance") return nothing;
  const id = request.node ?? record.node;
  const node = nodeOf(graph.definition, id);
  if (node === null)
    return {
      kind: "not-taken",
      why: "no-such-node",
      by,
      words: `the graph ${graph.definition.name} has no node ${id}`,
    };
  if (request.step === "skip" && !node.optional)
    return { kind: "not-taken", why: "not-optional", by, words: `the node ${id} is not optional` };
  const seen =
    observed === null ? {} : { subject: subjectOf(node, "node", graph.definition, observed) };
  return {
    kind: "signal",
    signal: {
      kind: "waived",
      node: id,
      how: request.step === "skip" ? "skipped" : "accepted",
      ...seen,
      by,
      at,
    },
  };
}

function weigh(
  { approved, by, mayBeAgents }: GateAnswer,
  event: CommentEvent,
  target: Target,
  { record, progress, observed, after }: Situation,
  { graph }: GraphFacts,
  now: number,
): Heard {
  const no = (why: NotTaken, words: string): Heard => ({ kind: "not-taken", why, by, words });
  const asked = wasAsked(record);
  const at = progress === null ? null : progressAt(progress, progress.position.id);
  const open = at !== null && mayBeAnswered(at);
  if (!open && !asked) return nothing;
  if (mayBeAgents)
    return no(
      "agent-at-work",
      "a turn ran when it was written, and its agent may have written it under this login; write it again when no turn runs",
    );
  if (at === null || observed === null) return no("no-checkout", "there is no checkout to look at");
  if (!open)
    return no(
      "not-open",
      "what stands there is not finished, so that there is nothing to answer yet",
    );
  const subject = answerSubjectOf(at.node, graph.definition, observed);
  const signal: Heard = {
    kind: "signal",
    signal: {
      kind: "answer",
      node: at.node.id,
      subject,
      approved,
      by,
      delivery: event.deliveryId,
      at: now,
    },
  };
  if (!approved) return signal;
  const told = record.announced?.node === at.node.id ? record.announced : null;
  if (told === null || isEarly(event, told))
    return no("early", "it was written before the gate was announced");
  if (told.subject !== subject)
    return no("changed", "what stands there has changed since the gate was announced");
  const strange = ofAnotherCommit(event, target, after);
  return strange === null ? signal : no("other-commit", strange);
}

/** The thread was told of a gate at the node, and nobody has approved what it was told of. */
function wasAsked({ node, announced, signals }: GraphRecord): boolean {
  if (announced?.node !== node) return false;
  return !signals.some(
    (signal) =>
      signal.kind === "answer" &&
      signal.node === node &&
      signal.approved &&
      signal.subject === announced.subject,
  );
}

/**
 * A gate that waits, one that was refused before, or critics that cannot settle it. What is not
 * finished cannot be approved.
 */
function mayBeAnswered({ lacks }: NodeProgress): boolean {
  return (
    lacks.length > 0 &&
    lacks.every(({ kind }) => kind === "approval" || kind === "rejected" || kind === "escalated")
  );
}

/** The host tells whole seconds, so that within one of them the order of arrival counts. */
function isEarly(event: CommentEvent, { at }: Announcement): boolean {
  const written = instantOf(saidAt(event));
  return written !== null && written < at - (at % 1000);
}

/**
 * Why a review is of something else than what stands there: in words; null where it is of the head,
 * and for a comment, which is of no commit.
 */
function ofAnotherCommit(
  event: CommentEvent,
  { workItem }: Target,
  { pullRequests }: ItemState,
): string | null {
  const shown = itemIn(event);
  if (event.surface !== "review" || shown === null) return null;
  const reviewed = formatRef(refOfItem(event, shown));
  const recorded =
    reviewed === formatRef(workItem)
      ? null
      : (pullRequests.find(({ pullRequest }) => pullRequest === reviewed)?.headSha ?? null);
  const head = recorded ?? shown.branches?.headSha ?? null;
  const commit = event.comment.commitId ?? null;
  if (commit !== null && commit === head) return null;
  return `the review is of ${short(commit)}, and the head of its pull request is ${short(head)}`;
}

function short(commit: string | null): string {
  return commitId(commit)?.slice(0, 10) ?? "a commit that nobody tells";
}
