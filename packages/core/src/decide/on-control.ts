import { authorityOf } from "../control/authority.ts";
import { outOfScope } from "../control/instance.ts";
import type { ControlEvent } from "../normalise/event.ts";
import type { Decision } from "./decision.ts";
import { ignored, noted, refused } from "./outcome.ts";
import type { Policy } from "./policy.ts";
import { isRunning } from "./situation.ts";
import type { State } from "./state.ts";
import { steer } from "./steer.ts";
import { tell } from "./tell.ts";

/**
 * Somebody steered from the command line or through the API: it acts as a keyword of the operator
 * would, and the comment on the ticket is only its echo. What a request about the graph causes is
 * added by `carryGraph`, where there is a graph.
 */
export function onControl(event: ControlEvent, state: State, policy: Policy): Decision {
  const { request, addressee } = event;
  if (addressee !== undefined && addressee !== policy.instance.name)
    return ignored("addressed-elsewhere");
  const { authority, why } = authorityOf(event, state, policy);
  if (why !== null) return refused(why, request.verb);
  if (state.target === null) return ignored("no-work-item");
  if (request.verb === "graph") {
    const outside = outOfScope(
      { address: null, start: false },
      state.target.workItem,
      state,
      policy,
    );
    return outside !== null
      ? refused(outside, "graph")
      : isRunning(state)
        ? noted("graph-requested")
        : refused("not-running", "graph");
  }
  if (request.verb !== "say") {
    const order = { verb: request.verb, login: request.login, address: request.instance };
    return steer(
      { ...order, by: event.actor?.login ?? "operator", on: null, at: event.at },
      event,
      state,
      policy,
    );
  }
  const outside = outOfScope({ address: null, start: false }, state.target.workItem, state, policy);
  return outside === null ? tell(event, state, policy, authority) : refused(outside, "say");
}
