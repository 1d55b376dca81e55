import type { InboundEvent, Item } from "../event/event.ts";
import type { ItemState, StartText } from "../work-item/records.ts";
import { formatRef } from "../ref/ref.ts";
import type { DecidedFact } from "./effect.ts";
import { itemIn, refOfItem } from "./item-view.ts";
import { saidAt } from "./overtaken.ts";
import { tellsItem } from "../control/relevance.ts";

/** Keeps the text of a start. One on something else, such as a pull request, shows none of it. */
export function withStartText(item: ItemState, fact: DecidedFact): ItemState {
  if (item.workItem === null) return item;
  return { ...item, workItem: { ...item.workItem, startText: textIn(fact, item.workItem.ref) } };
}

/** What the author tells a session at work is the text from then on, unless others wrote in it. */
export function toldAnew(item: ItemState, fact: DecidedFact): ItemState {
  if (item.workItem?.startText == null || !tellsItem(fact.event)) return item;
  const startText = textIn(fact, item.workItem.ref);
  return startText === null ? item : { ...item, workItem: { ...item.workItem, startText } };
}

/** What was stopped starts with the text of its next start. */
export function withoutStartText(item: ItemState): ItemState {
  if (item.workItem?.startText === undefined) return item;
  const { startText: _over, ...workItem } = item.workItem;
  return { ...item, workItem };
}

/** The text of the work item as the turn of the decision tells it; null where it tells none. */
function textIn({ decision, event }: DecidedFact, workItem: string): StartText | null {
  for (const effect of decision.effects) {
    const shown = effect.kind === "turn" ? itemIn(effect.event) : null;
    if (shown === null || formatRef(refOfItem(event, shown)) !== workItem) continue;
    return shown.editors === undefined ? null : startTextOf(shown, shown.editors, event);
  }
  return null;
}

function startTextOf(
  { title, body, author, textAsOf, updatedAt }: Item,
  editors: StartText["editors"],
  event: InboundEvent,
): StartText {
  // The command line shows the item as the host had it when the command was typed.
  const said = event.kind === "comment" ? saidAt(event) : event.at;
  const at = event.kind === "control" ? updatedAt : said;
  const asOf = textAsOf === undefined ? {} : { asOf: textAsOf };
  return { title, body, author: plain(author), editors: plainEditors(editors), at, ...asOf };
}

/** By fields, because accounts are read late, which a copy would lose. */
function plain(author: StartText["author"]): StartText["author"] {
  return author === null ? null : { login: author.login, id: author.id, bot: author.bot };
}

function plainEditors(editors: StartText["editors"]): StartText["editors"] {
  return editors === "unknown" ? editors : editors.map(({ what, by }) => ({ what, by: plain(by) }));
}
