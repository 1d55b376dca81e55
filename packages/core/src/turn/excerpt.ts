import { countHidden } from "../text/hidden-characters.ts";
import { sameAccount } from "../accounts/account.ts";
import type { Authority } from "../control/authority-type.ts";
import type { StartText } from "../work-item/records.ts";
import type { Actor, InboundEvent, Item } from "../event/event.ts";
import { itemIn, refOfItem } from "../decide/item-view.ts";
import { formatRef, type RefText } from "../ref/ref.ts";
import { fullName } from "../event/repository-names.ts";
import type { TurnInput } from "./turn.ts";
import {
  authorityAmong,
  type Authors,
  isHeard,
  type ItemText,
  noAuthors,
  type Words,
  wordsOf,
} from "./authored-text.ts";

/** What a session is shown of an event: an allow-list of fields by kind of event. */
export type Excerpt = { readonly [field: string]: ExcerptValue };
type ExcerptValue = string | number | boolean | null | readonly ExcerptValue[] | Excerpt;

/** Characters of one field that nobody wrote as words to the session: names and addresses. */
const fieldLimit = 500;

/** The excerpt of one event. */
export function excerptOf(input: TurnInput, itemText: ItemText, authors: Authors): Excerpt {
  const { event, authority } = input;
  const words = wordsOf(input, itemText, authors);
  return {
    event: cap(event.event),
    action: cap(event.action),
    repository: cap(fullName(event.repository)),
    actor: event.actor === null ? null : { login: cap(event.actor.login), authority },
    at: event.at === null ? null : cap(event.at),
    ...factsOf(event),
    ...noteOf(input, itemText, words),
    words: words.map((word) => wordsExcerpt(word, input, authors)),
  };
}

/** Characters that an event takes in a prompt. `starting`: it starts the work. */
export function excerptSize(input: TurnInput, starting: boolean): number {
  return JSON.stringify(excerptOf(input, starting ? "started" : "told", noAuthors)).length;
}

/**
 * The excerpts of all events, and how many hidden characters there are in people's words. `first`
 * says how much of the item the first event shows; the others show only what they tell. `started`
 * is the text of the start, null where that showed none, and undefined where nobody kept it.
 */
export function excerptsOf(
  inputs: readonly TurnInput[],
  first: "started" | "heard" | "told",
  authors: Authors,
  endpoint: RefText,
  started?: StartText | null,
): { readonly excerpts: readonly Excerpt[]; readonly hidden: number } {
  const shown = inputs.map((input, i) => ({
    input,
    itemText: i === 0 ? itemTextOf(input, first, endpoint, started) : ("told" as const),
  }));
  const excerpts = shown.map(({ input, itemText }) => excerptOf(input, itemText, authors));
  const hidden = shown
    .flatMap(({ input, itemText }) => wordsOf(input, itemText, authors))
    .reduce((sum, { text }) => sum + countHidden(text), 0);
  return { excerpts, hidden };
}

/**
 * What was started is shown as it stood then, whoever wrote it. A start on a pull request that
 * names the issue starts the issue, and shows the pull request only where its author is heard.
 */
function itemTextOf(
  input: TurnInput,
  first: "started" | "heard" | "told",
  endpoint: RefText,
  started: StartText | null | undefined,
): ItemText {
  if (first === "told") return first;
  const item = itemIn(input.event);
  const isOther = item !== null && formatRef(refOfItem(input.event, item)) !== endpoint;
  if (started != null) return started;
  if (isOther) return "heard";
  if (started === null) return "told";
  return first === "started" && input.steered === input.deliveryId ? "started" : "heard";
}

/** From when an item's text is, where the event itself doesn't say. */
function noteOf({ event }: TurnInput, itemText: ItemText, words: readonly Words[]): Excerpt {
  const item = itemIn(event);
  if (itemText === "told" || !words.some(({ field }) => field === "title" || field === "body"))
    return {};
  if (typeof itemText === "object") {
    if (itemText.asOf !== undefined)
      return { note: `title and body are those of the work item as of ${cap(itemText.asOf)}` };
    const isSame = item?.title === itemText.title && item.body === itemText.body;
    return isSame
      ? {}
      : { note: "title and body are those of the work item as they stood at the start" };
  }
  const at = item?.updatedAt ?? event.at;
  return item?.editors !== undefined || at === null ? {} : { note: `text as of ${cap(at)}` };
}

function factsOf(event: InboundEvent): Excerpt {
  switch (event.kind) {
    case "comment":
      return {
        item: itemExcerpt(event.item),
        comment: {
          surface: event.surface,
          change: event.change,
          url: capOrNull(event.comment.url),
          review: capOrNull(event.comment.reviewState),
          path: capOrNull(event.comment.path),
          line: event.comment.line,
        },
      };
    case "label":
      return { item: itemExcerpt(event.item), label: cap(event.label), change: event.change };
    case "activity":
    case "closed":
      return { item: itemExcerpt(event.item) };
    case "ci":
      // The branch is left out: in a fork a stranger chose its name.
      return {
        check: {
          name: cap(event.check.name),
          headSha: cap(event.check.headSha),
          phase: event.check.phase,
          conclusion: capOrNull(event.check.conclusion),
          url: capOrNull(event.check.url),
          pullRequests: event.check.pullRequests.slice(0, 20),
        },
      };
    case "control":
      return event.shown === undefined ? {} : { item: itemExcerpt(event.shown) };
  }
}

function itemExcerpt(item: Item): Excerpt {
  const { branches } = item;
  const shown =
    branches === null
      ? {}
      : {
          base: cap(branches.base),
          headSha: cap(branches.headSha),
          fork: !branches.sameRepository,
          ...(branches.sameRepository ? { head: cap(branches.head) } : {}),
        };
  return {
    type: item.type,
    number: item.number,
    ...(item.textAsOf === undefined ? {} : { note: `text as of ${cap(item.textAsOf)}` }),
    url: capOrNull(item.url),
    open: item.open,
    ...(item.type === "pull-request" ? { merged: item.merged, ...shown } : {}),
  };
}

function wordsExcerpt(word: Words, input: TurnInput, authors: Authors): Excerpt {
  const { editors } = word;
  const editedBy =
    editors === "unknown" ? editors : editors.map((by) => (by === null ? null : cap(by.login)));
  return {
    field: word.field,
    by: word.by === null ? null : cap(word.by.login),
    ...(editedBy.length === 0 ? {} : { editedBy }),
    authority: authorityOfWords(word, input, authors),
    text: word.text,
  };
}

/**
 * No more than that of anybody who may have written in it: who may be anybody where the host
 * doesn't say.
 */
function authorityOfWords({ by, editors }: Words, input: TurnInput, authors: Authors): Authority {
  if (editors === "unknown") return "none";
  const all = [by, ...editors].map((each) => authorityOf(each, input, authors));
  return ranks.find((rank) => all.includes(rank)) ?? "none";
}

const ranks: readonly Authority[] = ["none", "stranger", "collaborator", "authorized"];

/**
 * Who made the event had their authority when it was decided, also where a grant has ended since.
 */
function authorityOf(
  author: Actor | null,
  { event, authority }: TurnInput,
  authors: Authors,
): Authority {
  if (author === null) return "none";
  const known = authorityAmong(author, authors);
  return !isHeard(known) &&
    event.actor !== null &&
    event.actor.id === author.id &&
    sameAccount(event.actor, author)
    ? authority
    : known;
}

const cap = (text: string): string =>
  text.length > fieldLimit
    ? `${text.slice(0, fieldLimit)}… (${text.length - fieldLimit} more characters)`
    : text;
const capOrNull = (text: string | null): string | null => (text === null ? null : cap(text));
