import type { InboundEvent } from "../event/event.ts";
import type { Decision, Verdict } from "./decision.ts";
import type { Effect } from "./effect.ts";
import { type Message, say, trustedWords } from "../message/message.ts";
import { outside } from "../message/outside-text.ts";
import { formatPost } from "../message/post.ts";
import { refused } from "./outcome.ts";
import type { Policy } from "../config/policy.ts";
import type { Reason } from "../control/reason.ts";
import { keywordText, remedyOf, sentenceOf } from "../control/reason-sentences.ts";
import type { Target } from "../linking/target.ts";
import type { Order } from "./steer.ts";

/**
 * A request that is carried out: eyes first, then what follows from it, then hooray. The outbox
 * keeps that order, so that hooray means that it is done. A control delivery has no comment to
 * react on; its keyword is posted instead, as the service's own.
 */
export function taken(
  order: Order,
  verdict: Verdict,
  reason: Reason,
  effects: readonly Effect[],
  event: InboundEvent,
  target: Target,
  policy: Policy,
): Decision {
  const { on } = order;
  if (on === null)
    return {
      verdict,
      reason,
      effects: [
        ...effects,
        {
          kind: "reply",
          thread: target.workItem,
          text: formatPost(echoOf(order, event.source, policy)),
        },
      ],
    };
  return {
    verdict,
    reason,
    effects: [
      { kind: "react", on, reaction: "eyes" },
      ...effects,
      { kind: "react", on, reaction: "hooray" },
    ],
  };
}

/**
 * A request that the lifecycle refuses: confused, and one line with the remedy. On the command line
 * the answer says it.
 */
export function refusedAloud(order: Order, reason: Reason, policy: Policy): Decision {
  const { on, verb, login } = order;
  const silent = refused(reason, verb, login);
  if (on === null) return silent;
  const text = formatPost(
    trustedWords(`${sentenceOf(reason, policy)} ${remedyOf(reason, policy) ?? ""}`.trim()),
  );
  return {
    ...silent,
    effects: [
      { kind: "react", on, reaction: "confused" },
      { kind: "reply", thread: on.thread, text },
    ],
  };
}

/**
 * The keyword as a person would have written it, as code: on the page it reads the same, and no
 * instance, whatever its key, takes it for a request.
 */
function echoOf(order: Order, source: InboundEvent["source"], policy: Policy): Message {
  const login = order.login === null ? "" : ` @${order.login}`;
  const address = order.address === null ? "" : ` instance:${order.address}`;
  const keyword = outside(`${keywordText(order.verb, policy)}${login}${address}`);
  return source === "api"
    ? say`${keyword} (asked for through the API)`
    : say`${keyword} (asked for on the command line)`;
}
