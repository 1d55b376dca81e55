import type { Authority } from "../control/authority-type.ts";
import type { AgentAtWork } from "../decide/state.ts";
import type { Policy } from "../config/policy.ts";
import type { InboundEvent } from "../event/event.ts";
import { mayBeAgents } from "../own-writing/quiet-period.ts";
import { saysApproved } from "../control/approval-words.ts";

/**
 * What a person said at a human gate; `mayBeAgents`: an agent at work may have written it under its
 * operator's login, so that it answers nothing.
 */
export type GateAnswer = {
  readonly approved: boolean;
  readonly by: string;
  readonly mayBeAgents: boolean;
};

/** What is known of who may have written it. */
export type Speaker = {
  readonly authority: Authority;
  /** Undefined where nobody looked. */ readonly agentAtWork: AgentAtWork | null | undefined;
};

/**
 * Reads an answer to a gate: a comment or review that an authorized user has just made, never an
 * edited one, never one from the command line. A review answers by its state, a comment on the
 * thread by a first line that is nothing but `approved`, `approve` or `lgtm`; everything else that
 * people say is input of the session and moves no gate.
 *
 * A bot answers nothing, also one that is listed among the authorized users: its words are input,
 * and the gate is for a person.
 */
export function readAnswer(
  event: InboundEvent,
  { authority, agentAtWork }: Speaker,
  policy: Pick<Policy, "authorizedUsers">,
): GateAnswer | null {
  if (authority !== "authorized" || !mayAnswer(event) || event.actor?.bot !== false) return null;
  const by = event.comment.author?.login ?? "";
  const isAgents =
    agentAtWork === undefined ||
    (agentAtWork !== null && mayBeAgents(event.actor, agentAtWork.own, policy));
  return { approved: event.comment.reviewState !== "changes_requested", by, mayBeAgents: isAgents };
}

/**
 * Whether an event could be an answer, whoever made it: only then somebody must find out whether an
 * agent was at work.
 */
export function mayAnswer(
  event: InboundEvent,
): event is Extract<InboundEvent, { readonly kind: "comment" }> {
  if (event.kind !== "comment" || event.change !== "created" || event.surface === "diff")
    return false;
  const { reviewState, body } = event.comment;
  return reviewState === "approved" || reviewState === "changes_requested" || saysApproved(body);
}
