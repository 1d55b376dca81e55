import { type Pins, pinnedIn, standingOf } from "../control/authority.ts";
import type { Authority } from "../control/authority-type.ts";
import { holdsCopy } from "../text/own-words.ts";
import { partsOf } from "../text/quoted-parts.ts";
import { itemIn } from "../decide/item-view.ts";
import { tellsItem } from "../control/relevance.ts";
import type { Actor, InboundEvent, Item } from "../event/event.ts";
import type { Collaborator, StartText } from "../work-item/records.ts";
import type { TurnInput } from "./turn.ts";

/**
 * Text of an event that a person wrote, by the name of its field. It goes into prompts whole.
 * `editors` are others who changed it, null for an account that is gone.
 */
export type Words = {
  readonly field: "title" | "body" | "comment" | "quote" | "text";
  readonly text: string;
  readonly by: Actor | null;
  readonly editors: readonly (Actor | null)[] | "unknown";
};

/**
 * By what the authors of texts are judged: the same lists, grants and pins as the actors of events.
 */
export type Authors = {
  readonly authorizedUsers: ReadonlySet<string>;
  readonly collaborators: readonly Collaborator[];
  readonly pins: Pins;
};

export const noAuthors: Authors = {
  authorizedUsers: new Set(),
  collaborators: [],
  pins: new Map(),
};

/** Authority of who wrote something, by the account that the host shows. */
export function authorityAmong(author: Actor, authors: Authors): Authority {
  return standingOf(author, pinnedIn(authors.pins, author), authors, authors.collaborators)
    .authority;
}

/**
 * Whether title and body of the item are shown beside what the event itself says. `started`: the
 * event starts the work on this very item, so they stand as they stood then, whoever wrote them.
 * `heard`: a conversation is opened anew, so only where their author is heard: a stranger may have
 * changed them since. `told`: only where the actor tells them now. A text of the start: that one,
 * whatever the event shows.
 */
export type ItemText = "started" | "heard" | "told" | StartText;

/**
 * What people wrote in an event and may be shown to the session. Strangers' words are none, but for
 * an item that was started.
 */
export function wordsOf(input: TurnInput, itemText: ItemText, authors: Authors): readonly Words[] {
  const heard = isHeard(input.authority);
  return [...wordsOfItem(input, itemText, authors), ...(heard ? saidIn(input.event) : [])];
}

function wordsOfItem(
  { event, authority }: TurnInput,
  itemText: ItemText,
  authors: Authors,
): readonly Words[] {
  if (typeof itemText === "object") return itemWords(itemText);
  const item = itemIn(event);
  if (item === null) return [];
  const shows = showsItem(item, itemText, authors) || (isHeard(authority) && tellsItem(event));
  return shows ? itemWords(item) : [];
}

/** What is said in the event itself. */
function saidIn(event: InboundEvent): readonly Words[] {
  if (event.kind === "control") {
    const { request, actor: by } = event;
    return request.verb === "say" ? [{ field: "text", text: request.text, by, editors: [] }] : [];
  }
  if (event.kind !== "comment" || event.change === "deleted") return [];
  const { body, author } = event.comment;
  return partedWords({ field: "comment", text: body, by: author, editors: [] });
}

/** What an author quotes, such as the mail that is answered, is somebody else's. */
function partedWords(words: Words): readonly Words[] {
  return partsOf(words.text).map(({ text, isQuoted }) =>
    isQuoted ? { field: "quote", text, by: null, editors: [] } : { ...words, text },
  );
}

/** Whether somebody's words reach a session at all. */
export function isHeard(authority: Authority): boolean {
  return authority === "authorized" || authority === "collaborator";
}

function showsItem(item: Item, itemText: "started" | "heard" | "told", authors: Authors): boolean {
  if (itemText === "heard")
    return item.author !== null && isHeard(authorityAmong(item.author, authors));
  return itemText === "started";
}

function itemWords({
  title,
  body,
  author: by,
  editors = "unknown",
}: Pick<Item, "title" | "body" | "author" | "editors">): readonly Words[] {
  const of = (what: "title" | "description"): Words["editors"] =>
    editors === "unknown"
      ? editors
      : editors.flatMap((edited) => (edited.what === what ? [edited.by] : []));
  // The host takes the title from what it copies as well.
  const titledBy = holdsCopy(body) ? null : by;
  const own: Words = { field: "title", text: title, by: titledBy, editors: of("title") };
  const described: Words = { field: "body", text: body, by, editors: of("description") };
  return [...(title === "" ? [] : [own]), ...partedWords(described)];
}
