import { outOfScope } from "../control/instance.ts";
import { stepOf } from "../control/lifecycle.ts";
import type { ControlVerb, InboundEvent } from "../event/event.ts";
import { tellBeside } from "./beside-keyword.ts";
import type { Decision } from "./decision.ts";
import type { CommentTarget } from "./effect.ts";
import { endings } from "./endings.ts";
import { grant } from "./grant.ts";
import { heldByEdit } from "./held-start.ts";
import { instantOf } from "../text/instant.ts";
import { viewOf } from "./item-view.ts";
import { ignored, refused } from "./outcome.ts";
import { overtakenBy } from "./overtaken.ts";
import type { Policy } from "../config/policy.ts";
import { situationOf, whyUnconfirmed } from "./lifecycle-facts.ts";
import type { State } from "./state.ts";
import type { Target } from "../linking/target.ts";
import { editSince, textAtStart } from "./unauthorized-edits.ts";
import { refusedAloud, taken } from "./command-feedback.ts";
import { turnFor } from "./deliver-input.ts";

/**
 * One request to steer, by keyword or by control delivery. `on` is the comment that carries it,
 * null where there is none.
 */
export type Order = {
  readonly verb: ControlVerb;
  readonly login: string | null;
  readonly address: string | null;
  readonly by: string;
  readonly on: CommentTarget | null;
  readonly at: string | null;
};

const sevenDays = 7 * 24 * 60 * 60 * 1000;

/**
 * An authorized request is carried out if it is fresh, meant for this instance, and legal where the
 * item stands. What the lifecycle refuses is said on the thread with the remedy; the rest is said
 * in the log only.
 */
export function steer(order: Order, event: InboundEvent, state: State, policy: Policy): Decision {
  const { target } = state;
  if (target === null) return ignored("no-work-item");
  if (order.on !== null && isTooOld(order, state.now))
    return refused("control-too-old", order.verb);
  const outside = outOfScope(
    { address: order.address, start: order.verb === "start" },
    target.workItem,
    state,
    policy,
  );
  if (outside !== null) return refused(outside, order.verb);
  switch (order.verb) {
    case "add-collaborator":
    case "remove-collaborator":
      return (
        tooLate(order, state, policy) ?? grant({ ...order, verb: order.verb }, event, state, policy)
      );
    case "start":
    case "resume":
      return (
        tooLate(order, state, policy) ??
        move({ ...order, verb: order.verb }, event, state, policy, target)
      );
    case "pause":
    case "stop":
    case "cleanup":
      return move({ ...order, verb: order.verb }, event, state, policy, target);
  }
}

/** One legal move of the lifecycle, with what follows from it. */
function move(
  order: Order & { readonly verb: Exclude<ControlVerb, `${string}-collaborator`> },
  event: InboundEvent,
  state: State,
  policy: Policy,
  target: Target,
): Decision {
  const step = stepOf(order.verb, situationOf(viewOf(event, state, policy), state, policy));
  if (step.to === null)
    return refusedAloud(
      order,
      step.why === "link-unconfirmed" ? whyUnconfirmed(state) : step.why,
      policy,
    );
  const { by } = order;
  switch (order.verb) {
    case "start": {
      const edit = event.kind === "comment" ? editSince(event, state, policy) : null;
      if (edit !== null && event.kind === "comment")
        return heldByEdit("start", edit, event, policy);
      return taken(
        order,
        { kind: "started", by, endpoint: target.workItem },
        "start-requested",
        [
          turnFor(
            event,
            target.workItem,
            state.item,
            "authorized",
            policy,
            textAtStart(event, state),
          ),
        ],
        event,
        target,
        policy,
      );
    }
    case "pause":
      return taken(
        order,
        { kind: "paused", by },
        "pause-requested",
        tellBeside(event, state, policy, target),
        event,
        target,
        policy,
      );
    case "resume":
      return taken(
        order,
        { kind: "resumed", by },
        "resume-requested",
        tellBeside(event, state, policy, target),
        event,
        target,
        policy,
      );
    case "stop":
      return taken(
        order,
        { kind: "stopped", by },
        "stop-requested",
        endings(state.item, "stopped", 0),
        event,
        target,
        policy,
      );
    case "cleanup":
      return taken(
        order,
        { kind: "cleaned-up", by },
        "cleanup-requested",
        [
          ...endings(state.item, "cleaned-up", 0),
          { kind: "release", workItem: target.workItem, why: "cleaned-up" },
        ],
        event,
        target,
        policy,
      );
  }
}

/** A control comment older than 7 days is stale. */
function isTooOld(order: Order, now: number): boolean {
  const at = instantOf(order.at);
  return at !== null && now - at > sevenDays;
}

/**
 * What was written before a newer request never undoes that one. Among comments the thread shows
 * it; where this machine's clock says so the thread is told, because that clock may be wrong.
 */
function tooLate(order: Order, { item, granteeId }: State, policy: Policy): Decision | null {
  const newer = order.on === null ? null : overtakenBy(order, item, granteeId);
  if (newer === null) return null;
  return newer.clock === "host"
    ? refused("older-than-known", order.verb, order.login)
    : refusedAloud(order, "older-than-command-line", policy);
}
