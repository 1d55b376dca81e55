import { isLogin } from "../control/login.ts";
import type { InboundEvent } from "../normalise/event.ts";
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
    if (policy.authorizedUsers.has(login.toLowerCase())) return refused("login-needs-no-grant", order.verb);
    if (!viewOf(event, state, policy).open) return refusedAloud(order, "item-closed", policy);
    return taken(order, { kind: "granted", login, by }, "collaborator-granted", [], event, state.target, policy);
  }
  const granted = state.item.collaborators.some((each) => each.login.toLowerCase() === login.toLowerCase());
  if (!granted) return refusedAloud(order, "not-a-collaborator", policy);
  return taken(order, { kind: "revoked", login, by }, "collaborator-revoked", [], event, state.target, policy);
}
