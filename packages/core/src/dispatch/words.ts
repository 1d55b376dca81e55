import { sameAccount } from "../accounts/account.ts";
import { type Pins, pinnedIn, standingOf } from "../control/authority.ts";
import type { Authority } from "../control/authority-type.ts";
import type { Actor, InboundEvent } from "../normalise/event.ts";
import type { Collaborator } from "../work-item/records.ts";
import type { TurnInput } from "./turn.ts";

/** Text of an event that a person wrote, by the name of its field. It goes into prompts whole (decisions.md 4). */
export type Words = { readonly field: "title" | "body" | "comment" | "text"; readonly text: string; readonly by: Actor | null };

/** By what the authors of texts are judged: the same lists, grants and pins as the actors of events. */
export type Authors = { readonly authorizedUsers: ReadonlySet<string>; readonly collaborators: readonly Collaborator[]; readonly pins: Pins };

export const noAuthors: Authors = { authorizedUsers: new Set(), collaborators: [], pins: new Map() };

/** Authority of who wrote something, by the account that the host shows. */
export function authorityAmong(author: Actor, authors: Authors): Authority {
  return standingOf(author, pinnedIn(authors.pins, author), authors, authors.collaborators).authority;
}

/**
 * Whether title and body of the item are shown beside what the event itself says (decisions.md 5). `started`: the event
 * starts the work on this very item, so they stand as they stood then, whoever wrote them. `heard`: a conversation is opened anew, so only
 * where their author is heard: a stranger may have changed them since. `told`: only where the actor tells them now.
 */
export type ItemText = "started" | "heard" | "told";

/** What people wrote in an event and may be shown to the session. Strangers' words are none, but for an item that was started. */
export function wordsOf(input: TurnInput, itemText: ItemText, authors: Authors): readonly Words[] {
  const { event, authority } = input;
  const heard = isHeard(authority);
  switch (event.kind) {
    case "comment":
      return [...(showsItem(event, itemText, authors) ? itemWords(event) : []), ...(heard && event.change !== "deleted" && event.comment.body !== "" ? [{ field: "comment" as const, text: event.comment.body, by: event.comment.author }] : [])];
    case "control":
      if (event.request.verb === "say") return heard ? [{ field: "text", text: event.request.text, by: event.actor }] : [];
      return event.shown !== undefined && showsItem({ item: event.shown }, itemText, authors) ? itemWords({ item: event.shown }) : [];
    case "activity":
    case "label":
    case "closed":
      return showsItem(event, itemText, authors) || (heard && tellsItem(event)) ? itemWords(event) : [];
    case "ci":
      return [];
  }
}

/** Whether somebody's words reach a session at all (service.md 5.5). */
export function isHeard(authority: Authority): boolean {
  return authority === "authorized" || authority === "collaborator";
}

type ItemEvent = Extract<InboundEvent, { readonly kind: "comment" | "activity" | "label" | "closed" }>;

function showsItem({ item }: Pick<ItemEvent, "item">, itemText: ItemText, authors: Authors): boolean {
  if (itemText === "heard") return item.author !== null && isHeard(authorityAmong(item.author, authors));
  return itemText === "started";
}

function itemWords({ item }: Pick<ItemEvent, "item">): readonly Words[] {
  const by = item.author;
  return [
    { field: "title" as const, text: item.title, by },
    { field: "body" as const, text: item.body, by },
  ].filter(({ text }) => text !== "");
}

/** The actor tells about an item of their own: opened it, or changed its text. */
function tellsItem(event: ItemEvent): boolean {
  const tells = event.kind === "activity" && (event.action === "opened" || event.action === "edited" || event.action === "reopened");
  return tells && event.actor !== null && event.item.author !== null && sameAccount(event.actor, event.item.author);
}
