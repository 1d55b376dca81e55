import type { InboundEvent } from "../normalise/event.ts";
import type { Decision } from "./decision.ts";
import { turnedAway } from "./event-filter.ts";
import { onActivity } from "./on-activity.ts";
import { onCi } from "./on-ci.ts";
import { onClosed } from "./on-closed.ts";
import { onComment } from "./on-comment.ts";
import { onControl } from "./on-control.ts";
import { onLabel } from "./on-label.ts";
import { ignored } from "./outcome.ts";
import type { Policy } from "./policy.ts";
import type { State } from "./state.ts";

/**
 * What an event means, and what must be done about it. Pure: the same event, state and policy give
 * the same decision, which is why `loop why` can explain it and `loop replay` can make it again.
 *
 * The order is fixed (docs/specification.md#order-of-deciding): event filter, repetition, own
 * writing, actor, work item, keyword, instance scope, lifecycle. What is cheap comes first, and no
 * text means anything before its author's authority is known.
 */
export function decide(event: InboundEvent, state: State, policy: Policy): Decision {
  const away = turnedAway(event, policy);
  if (away !== null) return ignored(away);
  if (state.seenAs !== null) return ignored("seen-before");
  switch (event.kind) {
    case "comment":
      return onComment(event, state, policy);
    case "label":
      return onLabel(event, state, policy);
    case "activity":
      return onActivity(event, state, policy);
    case "closed":
      return onClosed(event, state, policy);
    case "ci":
      return onCi(event, state, policy);
    case "control":
      return onControl(event, state, policy);
  }
}
