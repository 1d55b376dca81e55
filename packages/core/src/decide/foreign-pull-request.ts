import { formatRef } from "../ref/ref.ts";
import type { CommentEvent } from "../event/event.ts";
import { trustedWords } from "../message/message.ts";
import { formatPost } from "../message/post.ts";
import type { Decision } from "./decision.ts";
import type { Effect } from "./effect.ts";
import { itemRef } from "./item-view.ts";
import { ignored, noted } from "./outcome.ts";
import type { Policy } from "../config/policy.ts";
import type { Reason } from "../control/reason.ts";
import { remedyOf, sentenceOf } from "../control/reason-sentences.ts";
import type { State } from "./state.ts";

/**
 * A pull request that anybody could have opened says which issue it belongs to, and nobody vouches
 * for it (ADR 0009). Null where that is not so. Where the host did not say whether it comes from a
 * fork, that is the reason.
 */
export function foreignReason({ target }: Pick<State, "target">): Reason | null {
  if (target?.foreign === undefined) return null;
  return target.foreign.told ? "foreign-pull-request" : "link-unanswered";
}

/**
 * What somebody who is heard says there reaches nobody; they are told so once, if they may have
 * meant a session.
 */
export function onForeign(
  event: CommentEvent,
  reason: Reason,
  state: State,
  policy: Policy,
): Decision {
  const notice = foreignNotice(event, state, policy);
  return notice === null ? ignored(reason) : { ...noted(reason), effects: [notice] };
}

/** A keyword there is carried out for the pull request alone, which whoever typed it must know. */
export function withForeignNotice(
  decision: Decision,
  event: CommentEvent,
  state: State,
  policy: Policy,
): Decision {
  const notice =
    decision.verdict.kind === "refused" || decision.verdict.kind === "ignored"
      ? null
      : foreignNotice(event, state, policy);
  return notice === null ? decision : { ...decision, effects: [...decision.effects, notice] };
}

/**
 * One line on the pull request's thread; null where it stands there, or no issue that it names is
 * at work.
 */
function foreignNotice(event: CommentEvent, state: State, policy: Policy): Effect | null {
  if (
    state.target?.foreign?.atWork !== true ||
    foreignReason(state) !== "foreign-pull-request" ||
    state.item.workItem?.foreignTold === true
  )
    return null;
  return {
    kind: "reply",
    thread: itemRef(event),
    text: formatPost(
      trustedWords(
        `${sentenceOf("foreign-pull-request", policy)} ${remedyOf("foreign-pull-request", policy) ?? ""}`.trim(),
      ),
    ),
  };
}

/** Whose it is and what it names, for `loop why`. */
export function foreignSentence({ target }: Pick<State, "target">): readonly string[] {
  if (target?.foreign === undefined) return [];
  const { issues, told, author } = target.foreign;
  return [
    `It names ${issues
      .slice(0, 5)
      .map((ref) => formatRef(ref))
      .join(
        ", ",
      )}, which does not count: ${told ? "it comes from a fork" : "the code host did not say whether it comes from a fork"}, and ${author === null ? "nobody knows whose it is" : `@${author} has no authority there`}.`,
  ];
}
