import { readControl } from "../control/keyword.ts";
import { isLogin, isListed, personCalled, sameAccount } from "../accounts/account.ts";
import type { CommentEvent, InboundEvent } from "../normalise/event.ts";
import { mayBeAgents } from "../own-writing/quiet.ts";
import { tellBeside } from "./beside-keyword.ts";
import type { Decision } from "./decision.ts";
import { viewOf } from "./item-view.ts";
import { ignored, refused } from "./outcome.ts";
import type { Policy } from "./policy.ts";
import type { State } from "./state.ts";
import type { Order } from "./steer.ts";
import { refusedAloud, taken } from "./thread.ts";

/**
 * One login may speak on one work item until that closes, or no longer (service.md 2.3; P06). Who may steer anyway, the issuer
 * among them, needs no grant. Granting twice is one grant.
 */
export function grant(order: Order & { readonly verb: "add-collaborator" | "remove-collaborator" }, event: InboundEvent, state: State, policy: Policy): Decision {
  const { login, by } = order;
  if (state.target === null) return ignored("no-work-item");
  if (login === null || !isLogin(login)) return refused("login-off-grammar", order.verb);
  if (order.verb === "add-collaborator") {
    if (isListed(personCalled(login), policy.authorizedUsers)) return refused("login-needs-no-grant", order.verb);
    if (mayBeOfAgent(order, event, state, policy)) return refusedAloud(order, "grant-during-turn", policy);
    if (!viewOf(event, state, policy).open) return refusedAloud(order, "item-closed", policy);
    return taken(order, { kind: "granted", login, by, ...(state.granteeId == null ? {} : { id: state.granteeId }) }, "collaborator-granted", tellBeside(event, state, policy, state.target), event, state.target, policy);
  }
  const granted = state.item.collaborators.some((each) => sameAccount(personCalled(each.login), personCalled(login)));
  if (!granted) return refusedAloud(order, "not-a-collaborator", policy);
  return taken(order, { kind: "revoked", login, by }, "collaborator-revoked", tellBeside(event, state, policy, state.target), event, state.target, policy);
}

/** Whether an event asks for a grant in a comment, so that it matters whether an agent may have written it. */
export function asksForGrant(event: InboundEvent, policy: Pick<Policy, "keywords">): event is CommentEvent {
  return event.kind === "comment" && granteeOf(event, policy) !== null;
}

/** Login that the event asks to let in, so that its id can be looked up and pinned; null where it asks for no grant. */
export function granteeOf(event: InboundEvent, policy: Pick<Policy, "keywords">): string | null {
  if (event.kind === "control") return event.request.verb === "add-collaborator" ? event.request.login : null;
  if (event.kind !== "comment" || event.change !== "created") return null;
  const control = readControl(event.comment.body, policy.keywords);
  return control.kind === "command" && control.verb === "add-collaborator" ? control.login : null;
}

/**
 * No agent may grant, and none can on the command line. A program that it runs in its turn can comment under its operator's login, and no
 * hook tells of that: under a login that tools of an agent may have, a grant does not count while one is at work (docs/security.md).
 */
function mayBeOfAgent({ on }: Order, { actor }: InboundEvent, { agentAtWork }: State, policy: Policy): boolean {
  return on !== null && actor !== null && agentAtWork !== undefined && agentAtWork !== null && mayBeAgents(actor, agentAtWork.own, policy);
}
