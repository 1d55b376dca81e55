import {
  isCalled,
  isGrantOf,
  namedByLogin,
  type NamedAccount,
} from "../work-item/named-account.ts";
import type { Actor, InboundEvent } from "../event/event.ts";
import type { Collaborator, ItemState } from "../work-item/records.ts";
import { withRevocation } from "../work-item/revocations.ts";
import type { DecidedFact } from "./effect.ts";
import { timeOf } from "./overtaken.ts";
import { pictureTime } from "./untold-reopening.ts";

/**
 * Granting twice is one grant, which counts from the later time, and for the account that has the
 * login then. So is granting under a new login: where the id is known, the two are one.
 */
export function granting(item: ItemState, grant: Collaborator): ItemState {
  const isSame = ({ login, id, calledNow = login }: Collaborator): boolean =>
    isCalled(login, grant.login) ||
    (grant.id === null ? isCalled(calledNow, grant.login) : id === grant.id);
  const known = item.collaborators.filter(isSame);
  const [first] = known;
  if (first === undefined) return { ...item, collaborators: [...item.collaborators, grant] };
  const newest = known.reduce((one, other) => (other.at > one.at ? other : one));
  const named = known.find(({ login }) => isCalled(login, grant.login)) ?? newest;
  const merged = newest.at >= grant.at ? newest : renewed(named, grant);
  if (known.length === 1 && merged === first) return item;
  const others = item.collaborators.filter((each) => each === first || !isSame(each));
  return { ...item, collaborators: others.map((each) => (each === first ? merged : each)) };
}

/** The grant of before, under the login that it is made for this time. */
function renewed(known: Collaborator, { login, id, at }: Collaborator): Collaborator {
  const { calledNow: _calledNow, ...granted } = known;
  const kept = isCalled(known.login, login) ? known.login : login;
  return { ...granted, login: kept, id: id ?? known.id, at };
}

/**
 * Takes an account's grants back, and remembers when, also where there was none: one may be told
 * late (ADR 0013).
 */
export function revoking(
  item: ItemState,
  fact: DecidedFact,
  login: string | null,
  account: NamedAccount = namedByLogin,
): ItemState {
  if (login === null) return item;
  const collaborators = item.collaborators.filter((each) => !isGrantOf(each, login, account));
  const left = withGrants(item, collaborators);
  const names = [login, ...account.names];
  return names.reduce((state, name) => remembering(state, fact, name, account.ids), left);
}

/** Remembers under which login a collaborator speaks now, so that people know whom they let in. */
export function recognised(item: ItemState, actor: Actor | null): ItemState {
  if (actor === null || actor.id === null) return item;
  const index = item.collaborators.findIndex(({ id }) => id === actor.id);
  const known = item.collaborators[index];
  if (known === undefined || isCalled(known.calledNow ?? known.login, actor.login)) return item;
  const { calledNow: _calledNow, ...granted } = known;
  const now = isCalled(known.login, actor.login) ? granted : { ...granted, calledNow: actor.login };
  return { ...item, collaborators: item.collaborators.with(index, now) };
}

/**
 * A closing ends every grant, and remembers when; a reopening, and a closing that one has
 * overtaken, those of before it.
 */
export function endGrants(item: ItemState, fact: DecidedFact): ItemState {
  const { event, decision } = fact;
  const endedAt = timeOf(event, fact.at).at;
  const isPast = decision.reason === "closing-overtaken" || event.action === "reopened";
  const collaborators = isPast ? item.collaborators.filter(({ at }) => at > endedAt) : [];
  return remembering(withGrants(item, collaborators), fact, null);
}

/** A reopening that nobody told of ends the grants of before its picture, and is on record then. */
export function endUntold(item: ItemState, event: InboundEvent, decidedAt: number): ItemState {
  const shownAt = pictureTime(event, decidedAt);
  const left = withGrants(
    item,
    item.collaborators.filter(({ at }) => at > shownAt),
  );
  return remembering(left, { event, at: decidedAt }, null);
}

/** With only some of the grants left, and the very item where that is all of them. */
function withGrants(item: ItemState, left: ItemState["collaborators"]): ItemState {
  return left.length === item.collaborators.length ? item : { ...item, collaborators: left };
}

function remembering(
  item: ItemState,
  fact: Pick<DecidedFact, "event" | "at">,
  login: string | null,
  ids: readonly string[] = [],
): ItemState {
  if (item.workItem === null) return item;
  const known = item.workItem.revoked ?? [];
  const time = timeOf(fact.event, fact.at);
  const revoked = withRevocation(known, { login, ...time, ...(ids.length === 0 ? {} : { ids }) });
  return revoked === known ? item : { ...item, workItem: { ...item.workItem, revoked } };
}
