import { authorityOf } from "../control/authority.ts";
import type { Authority } from "../control/authority-type.ts";
import { outOfScope } from "../control/instance.ts";
import { type ControlReading, hiddenKeyword, readControl } from "../control/keyword.ts";
import { withoutControl } from "../control/without-control.ts";
import type { CommentEvent } from "../event/event.ts";
import type { Decision } from "./decision.ts";
import { foreignReason, onForeign, withForeignNotice } from "./foreign-pull-request.ts";
import { changedBefore, heldByEdit, heldComment } from "./held-start.ts";
import { itemRef } from "./item-view.ts";
import { ignored, refused } from "./outcome.ts";
import { saidAt } from "./overtaken.ts";
import type { Policy } from "../config/policy.ts";
import type { Reason } from "../control/reason.ts";
import type { State } from "./state.ts";
import { steer } from "./steer.ts";
import { tell } from "./deliver-input.ts";
import { editOfComment, type TextEdit } from "./unauthorized-edits.ts";
import { refusedAloud } from "./command-feedback.ts";

/**
 * A comment steers, or is input of the session, or is nobody's business.
 *
 * Our own comments and those of strangers are gone before anything reads them. Two different
 * keywords or addresses mean nothing at all. Only a comment that was just created carries a
 * keyword, and only in its author's own visible words.
 */
export function onComment(event: CommentEvent, state: State, policy: Policy): Decision {
  if (state.own === "comment") return ignored("own-comment");
  const { authority, why } = authorityOf(event, state, policy);
  if (why !== null) return heldComment(event, state, policy) ?? ignored(why);
  if (state.target === null) return ignored("no-work-item");
  if (event.change === "deleted") return ignored("nothing-to-tell");

  const changed = changedBefore(event, policy);
  if (changed !== null) return changed;
  const edit = editOfComment(event, state, policy, authority);
  if (edit !== null) return onEdited(event, edit, state, policy, authority);
  const control = readControl(event.comment.body, policy.keywords);
  if (control.kind === "none") {
    const outside = outOfScope(
      { address: control.address, start: false },
      state.target.workItem,
      state,
      policy,
    );
    if (outside !== null) return ignored(outside);
    return withoutKeyword(event, state, policy, authority);
  }
  if (event.change === "edited")
    return control.kind === "command" && authority === "authorized"
      ? besideEditedKeyword(event, control, state, policy)
      : ignored("keyword-not-in-created");
  if (authority === "collaborator") return refused("collaborator-may-not-steer");
  switch (control.kind) {
    case "ambiguous":
      return refused("ambiguous-keywords");
    case "address-conflict":
      return refused("ambiguous-addresses");
    case "login-off-grammar":
      return refused("login-off-grammar", control.verb);
    case "command": {
      const on = { thread: itemRef(event), surface: event.surface, commentId: event.comment.id };
      const order = { ...control, by: event.comment.author?.login ?? "", on, at: saidAt(event) };
      // Nobody knows whose session is meant, and a stop that stops nothing must not look like one
      // that does.
      if (foreignReason(state) === "link-unanswered")
        return refusedAloud(order, "link-unanswered", policy);
      return withForeignNotice(steer(order, event, state, policy), event, state, policy);
    }
  }
}

/**
 * Somebody with less authority changed what is about to be carried out or told as its author's
 * words: it is neither.
 */
function onEdited(
  event: CommentEvent,
  edit: TextEdit,
  state: State,
  policy: Policy,
  authority: Authority,
): Decision {
  const control = readControl(event.comment.body, policy.keywords);
  const address = control.kind === "command" || control.kind === "none" ? control.address : null;
  const verb = control.kind === "command" && event.change === "created" ? control.verb : null;
  const isOurs =
    state.target !== null &&
    outOfScope({ address, start: verb === "start" }, state.target.workItem, state, policy) === null;
  if (authority !== "authorized" || !isOurs) return ignored("text-edited");
  if (verb !== null) return heldByEdit(verb, edit, event, policy);
  const on = { thread: itemRef(event), surface: event.surface, commentId: event.comment.id };
  return {
    verdict: { kind: "refused", verb: null, edit },
    reason: "text-edited",
    effects: [{ kind: "react", on, reaction: "confused" }],
  };
}

/**
 * A keyword in an edit is never carried out, but what an authorized person says beside it is
 * told to a session at work like any edit's words. Whoever edited is shown that the keyword did
 * nothing, but for a start of what is started, as that stood there before.
 */
function besideEditedKeyword(
  event: CommentEvent,
  { verb, address }: Extract<ControlReading, { readonly kind: "command" }>,
  state: State,
  policy: Policy,
): Decision {
  const reason = "keyword-not-in-created";
  const { target } = state;
  if (target === null || outOfScope({ address, start: false }, target.workItem, state, policy))
    return ignored(reason);
  const told = input(event, state, policy, "authorized");
  if (told.verdict.kind === "delivered" && verb === "start") return told;
  if (told.reason === "unlabelled") return ignored(reason);
  const isTold = told.verdict.kind === "delivered";
  return unheard(isTold ? told : ignored(reason), event, "authorized", reason);
}

/**
 * Input of the session, also where a keyword in it does not count; whoever may steer is shown that
 * it did not.
 */
function withoutKeyword(
  event: CommentEvent,
  state: State,
  policy: Policy,
  authority: Authority,
): Decision {
  const hidden =
    event.change === "created" ? hiddenKeyword(event.comment.body, policy.keywords) : null;
  if (hidden?.alone === true && event.comment.reviewState === null)
    return unheard(ignored("nothing-to-tell"), event, authority, "keyword-not-visible");
  const told = input(event, state, policy, authority);
  return hidden === null ? told : unheard(told, event, authority, "keyword-not-visible");
}

function input(event: CommentEvent, state: State, policy: Policy, authority: Authority): Decision {
  if (!hasText(event, policy)) return ignored("nothing-to-tell");
  const foreign = foreignReason(state);
  return foreign === null
    ? tell(event, state, policy, authority)
    : onForeign(event, foreign, state, policy);
}

/**
 * What is none of the service's business stays so, and a start without a keyword says more than
 * that one was ignored.
 */
function unheard(
  told: Decision,
  event: CommentEvent,
  authority: Authority,
  reason: Reason,
): Decision {
  const { verdict, effects } = told;
  if (verdict.kind === "started" || told.reason === "unlabelled") return told;
  if (authority !== "authorized") return verdict.kind === "refused" ? told : { ...told, reason };
  const on = { thread: itemRef(event), surface: event.surface, commentId: event.comment.id };
  return {
    verdict: verdict.kind === "ignored" ? { kind: "refused", verb: null } : verdict,
    reason,
    effects: [...effects, { kind: "react", on, reaction: "confused" }],
  };
}

/** An approval without a word is still something to tell; an address without one is not. */
function hasText({ comment }: CommentEvent, { keywords }: Policy): boolean {
  return (
    withoutControl(comment.body, keywords).trim() !== "" ||
    comment.reviewState === "approved" ||
    comment.reviewState === "changes_requested"
  );
}
