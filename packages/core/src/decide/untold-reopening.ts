import type { InboundEvent } from "../event/event.ts";
import type { ItemState } from "../work-item/records.ts";
import { sameRef } from "../ref/ref.ts";
import { instantOf } from "../text/instant.ts";
import { itemIn, refOfItem } from "./item-view.ts";
import { timeOf } from "./overtaken.ts";
import type { State } from "./state.ts";
import type { Target } from "../linking/target.ts";

/**
 * Grants end with a closing, and a closing may never be told: webhooks were off, or only comments
 * are sent. What is told next shows an open item again; but the host also says of an issue that it
 * was reopened, and goes on saying so until it closes.
 *
 *     shown as reopened
 *       ├──an end of all grants is on record──▶ it may have been this one: nothing follows
 *       └──none is──▶ the grants of before this picture end, and that is put on record
 *
 * A grant in a comment comes with such a picture itself, and one of the command line asks the host
 * for it. So the end is on record before a grant of after the reopening is, and that grant stays.
 * The host doesn't say when it was: a second closing and reopening of which nothing was told looks
 * like the first. Of pull requests it says nothing at all.
 */
export function showsUntoldReopening(
  event: InboundEvent,
  target: Target | null,
  item: ItemState,
): boolean {
  const shown = itemIn(event);
  if (target === null || shown?.reopened !== true) return false;
  if (!sameRef(refOfItem(event, shown), target.workItem)) return false;
  return !(item.workItem?.revoked ?? []).some(({ login }) => login === null);
}

/** When the picture was made, at the latest: a newer grant may be of after the reopening. */
export function pictureTime(event: InboundEvent, decidedAt: number): number {
  const updatedAt = instantOf(itemIn(event)?.updatedAt ?? null) ?? 0;
  return Math.max(updatedAt, timeOf(event, decidedAt).at);
}

/** The state without the grants that the picture ends, so that nobody is heard by one of them. */
export function withoutEndedGrants(
  event: InboundEvent,
  state: State,
  end: (item: ItemState) => ItemState,
): State {
  const { item, target, ownedBy } = state;
  const { collaborators } = item;
  if (ownedBy !== null || collaborators.length === 0) return state;
  if (!showsUntoldReopening(event, target, item)) return state;
  const after = end(item);
  const ended = collaborators.filter((each) => !after.collaborators.includes(each));
  const logins = ended.map(({ login }) => login);
  return { ...state, item: after, ...(logins.length === 0 ? {} : { grantsEnded: logins }) };
}
