import { escapeInline } from "../text/hidden-characters.ts";
import { sameAccount } from "../accounts/account.ts";
import { nothingPinned, standingOf } from "../control/authority.ts";
import { outOfScope } from "../control/instance.ts";
import { readControl } from "../control/keyword.ts";
import type { CommentEvent, ControlVerb, InboundEvent } from "../event/event.ts";
import type { WorkItem } from "../work-item/records.ts";
import { type Message, say } from "../message/message.ts";
import { outside } from "../message/outside-text.ts";
import { formatPost, type PostText } from "../message/post.ts";
import type { Decision } from "./decision.ts";
import type { CommentTarget, DecidedFact, Effect } from "./effect.ts";
import { itemRef } from "./item-view.ts";
import { ignored } from "./outcome.ts";
import type { Policy } from "../config/policy.ts";
import { keywordText, type Words } from "../control/reason-sentences.ts";
import type { State } from "./state.ts";
import type { TextEdit } from "./unauthorized-edits.ts";
import type { StartHeld } from "../work-item/start-held.ts";

/**
 * A request whose text somebody without authority has edited since is not carried out, and the
 * thread says who did (ADR 0015).
 */
export function heldByEdit(
  verb: ControlVerb,
  edit: TextEdit,
  event: Extract<InboundEvent, { readonly kind: "comment" | "activity" | "label" }>,
  policy: Words,
): Decision {
  const thread = itemRef(event);
  const on: CommentTarget | null =
    event.kind === "comment"
      ? { thread, surface: event.surface, commentId: event.comment.id }
      : null;
  const effects: readonly Effect[] = [
    ...(on === null ? [] : [{ kind: "react", on, reaction: "confused" } as const]),
    { kind: "reply", thread, text: threadText(verb, edit, policy) },
  ];
  return { verdict: { kind: "refused", verb, edit }, reason: "text-edited", effects };
}

/**
 * A comment of an authorized person that somebody else changed before anybody here had read it:
 * what it asks for is not carried out, as an edit never is, and whoever wrote it must know. Null
 * for every other comment.
 */
export function heldComment(event: CommentEvent, state: State, policy: Policy): Decision | null {
  const { author } = event.comment;
  if (
    event.change !== "edited" ||
    state.creationSeen !== false ||
    state.target === null ||
    state.ownedBy !== null ||
    author === null
  )
    return null;
  if (event.actor !== null && sameAccount(event.actor, author)) return null;
  if (
    standingOf(author, nothingPinned, policy, state.item.collaborators).authority !== "authorized"
  )
    return null;
  const control = readControl(event.comment.body, policy.keywords);
  if (
    control.kind !== "command" ||
    outOfScope(
      { address: control.address, start: control.verb === "start" },
      state.target.workItem,
      state,
      policy,
    ) !== null
  )
    return null;
  return heldByEdit(
    control.verb,
    { what: "comment", by: event.actor, at: event.at ?? "" },
    event,
    policy,
  );
}

/**
 * A payload that shows a new comment as edited already: who wrote what is there is told by the
 * edit, which comes by itself.
 */
export function changedBefore(event: CommentEvent, policy: Policy): Decision | null {
  if (
    event.change !== "created" ||
    event.source !== "webhook" ||
    event.comment.editedSince !== true
  )
    return null;
  const control = readControl(event.comment.body, policy.keywords);
  return control.kind === "command"
    ? heldByEdit(control.verb, { what: "comment", by: null, at: event.at ?? "" }, event, policy)
    : ignored("text-edited");
}

/** Keeps what holds the start, until the next request. */
export function holdStart(
  workItem: WorkItem,
  { event, decision: { verdict } }: DecidedFact,
): WorkItem {
  if (verdict.kind !== "refused" || verdict.verb !== "start" || verdict.edit === undefined)
    return workItem;
  const { what, by, at } = verdict.edit;
  const requester = event.kind === "comment" ? event.comment.author : event.actor;
  return {
    ...workItem,
    startHeld: { what, by: by?.login ?? null, at, requestedBy: requester?.login ?? null },
  };
}

/** Who edited what, as the beginning of a sentence. A login is no mention. */
export function editWords(edit: Pick<StartHeld, "what" | "by">): string {
  return formatPost(editMessage(edit));
}

const nouns = {
  comment: say`the comment`,
  title: say`the title`,
  description: say`the description`,
} as const;

function editMessage({ what, by }: Pick<StartHeld, "what" | "by">): Message {
  return by === null
    ? say`Somebody edited ${nouns[what]} (the code host does not say who)`
    : say`${outside(by)} edited ${nouns[what]}`;
}

/** Why a start is held and what to do, for `loop why` and `loop status`. */
export function heldSentence(
  { workItem }: { readonly workItem: WorkItem | null },
  words: Words,
): string | null {
  const held = workItem?.startHeld;
  if (workItem === null || held === undefined) return null;
  return `${editWords(held)} after ${held.requestedBy === null ? "a start" : `@${escapeInline(held.requestedBy, 100)} asked to start it`}, so nothing was started: read it, then type \`${keywordText("start", words)}\`.`;
}

function threadText(verb: ControlVerb, edit: TextEdit, words: Words): PostText {
  const who = editMessage({ what: edit.what, by: edit.by?.login ?? null });
  const typed = outside(keywordText(verb, words));
  if (edit.what === "comment")
    return formatPost(
      say`${who} before it was read here, so ${typed} was not carried out. Type it again in a new comment.`,
    );
  return formatPost(
    say`${who} after this request, so nothing was started. Read ${nouns[edit.what]} as it is now, then type ${typed} again.`,
  );
}
