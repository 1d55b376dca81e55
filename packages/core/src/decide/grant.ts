import { readControl } from "../control/keyword.ts";
import { isListed, isLogin, personCalled } from "../accounts/account.ts";
import { isGrantOf, type NamedAccount, namedByLogin, widened } from "../work-item/named-account.ts";
import type { CommentEvent, InboundEvent } from "../event/event.ts";
import { mayBeAgents } from "../own-writing/quiet-period.ts";
import { tellBeside } from "./beside-keyword.ts";
import type { Decision } from "./decision.ts";
import { viewOf } from "./item-view.ts";
import { ignored, refused } from "./outcome.ts";
import type { Policy } from "../config/policy.ts";
import type { ItemState } from "../work-item/records.ts";
import type { State } from "./state.ts";
import type { Target } from "../linking/target.ts";
import type { Order } from "./steer.ts";
import { refusedAloud, taken } from "./command-feedback.ts";

/**
 * One login may speak on one work item until that closes, or no longer. Who may steer anyway, the
 * issuer among them, needs no grant. Granting twice is one grant.
 */
export function grant(
  order: Order & { readonly verb: "add-collaborator" | "remove-collaborator" },
  event: InboundEvent,
  state: State,
  policy: Policy,
): Decision {
  const { login, by } = order;
  if (state.target === null) return ignored("no-work-item");
  if (login === null || !isLogin(login)) return refused("login-off-grammar", order.verb);
  if (order.verb === "add-collaborator") {
    if (isListed(personCalled(login), policy.authorizedUsers))
      return refused("login-needs-no-grant", order.verb);
    if (mayBeOfAgent(order, event, state, policy))
      return refusedAloud(order, "grant-during-turn", policy);
    if (!viewOf(event, state, policy).open) return refusedAloud(order, "item-closed", policy);
    return taken(
      order,
      { kind: "granted", login, by, ...(state.granteeId == null ? {} : { id: state.granteeId }) },
      "collaborator-granted",
      tellBeside(event, state, policy, state.target),
      event,
      state.target,
      policy,
    );
  }
  return revoke({ ...order, login }, event, state, policy, state.target);
}

/**
 * Takes back every grant of the account that the login means, and says that it is done only where
 * that is sure. Speaking goes by the account, so a login alone is not enough: while the host does
 * not say whose it is, a grant that is left may be of the same account, renamed.
 */
function revoke(
  order: Order & { readonly login: string },
  event: InboundEvent,
  state: State,
  policy: Policy,
  target: Target,
): Decision {
  const { login, by } = order;
  const { collaborators } = state.item;
  const account = revokeeOf(login, state);
  const named = account.ids.length + account.names.length === 0 ? {} : { account };
  const left = collaborators.filter((each) => !isGrantOf(each, login, account));
  const isGranted = left.length < collaborators.length;
  const why = whoIsHeard(login, account, left, state, policy);
  if (why === "nobody" && isGranted) {
    const verdict = { kind: "revoked", login, by, ...named } as const;
    const beside = tellBeside(event, state, policy, target);
    return taken(order, verdict, "collaborator-revoked", beside, event, target, policy);
  }
  const unanswered = isGranted ? "revoked-in-part" : "revocation-unanswered";
  const reasons = {
    listed: "still-authorized",
    unknown: unanswered,
    nobody: "not-a-collaborator",
  } as const;
  const told = refusedAloud(order, reasons[why], policy);
  if (told.verdict.kind !== "refused") return told;
  return { ...told, verdict: { ...told.verdict, ...named } };
}

/** By the login alone in decisions of earlier versions, for which nobody looked whose it is. */
function revokeeOf(
  login: string,
  { item, granteeId, revokee = namedByLogin }: State,
): NamedAccount {
  if (granteeId === undefined) return namedByLogin;
  const ids = granteeId === null ? revokee.ids : [...new Set([granteeId, ...revokee.ids])];
  return widened(login, { ...revokee, ids }, item.collaborators);
}

/** Who is heard although the account's grants are gone; `unknown` where it may be that account. */
function whoIsHeard(
  login: string,
  { names }: NamedAccount,
  left: ItemState["collaborators"],
  state: State,
  policy: Policy,
): "listed" | "unknown" | "nobody" {
  if (state.granteeId === undefined) return "nobody";
  const isOnList = (name: string): boolean => isListed(personCalled(name), policy.authorizedUsers);
  if ([login, ...names].some(isOnList)) return "listed";
  const isOpen = (state.unanswered ?? []).some(({ question }) => question === "account");
  return isOpen && left.some(({ id }) => id !== null) ? "unknown" : "nobody";
}

/**
 * Whether an event asks for a grant in a comment, so that it matters whether an agent may have
 * written it.
 */
export function asksForGrant(
  event: InboundEvent,
  policy: Pick<Policy, "keywords">,
): event is CommentEvent {
  return event.kind === "comment" && granteeOf(event, policy)?.verb === "add-collaborator";
}

/**
 * Whom the event asks to let in, or no longer, so that the id can be looked up; null where nobody.
 */
export function granteeOf(event: InboundEvent, policy: Pick<Policy, "keywords">): Grantee | null {
  const asked = event.kind === "control" ? event.request : commandIn(event, policy);
  if (asked?.verb !== "add-collaborator" && asked?.verb !== "remove-collaborator") return null;
  return asked.login === null ? null : { verb: asked.verb, login: asked.login };
}

export type Grantee = {
  readonly verb: "add-collaborator" | "remove-collaborator";
  readonly login: string;
};

function commandIn(event: InboundEvent, { keywords }: Pick<Policy, "keywords">) {
  if (event.kind !== "comment" || event.change !== "created") return null;
  const control = readControl(event.comment.body, keywords);
  return control.kind === "command" ? control : null;
}

/**
 * No agent may grant, and none can on the command line. A program that it runs in its turn can
 * comment under its operator's login, and no hook tells of that: under a login that tools of an
 * agent may have, a grant does not count while one is at work (docs/security.md).
 */
function mayBeOfAgent(
  { on }: Order,
  { actor }: InboundEvent,
  { agentAtWork }: State,
  policy: Policy,
): boolean {
  return (
    on !== null &&
    actor !== null &&
    agentAtWork !== undefined &&
    agentAtWork !== null &&
    mayBeAgents(actor, agentAtWork.own, policy)
  );
}
