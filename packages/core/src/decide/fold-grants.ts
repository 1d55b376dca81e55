import { personCalled, sameAccount } from "../accounts/account.ts";
import type { Collaborator, ItemState } from "../work-item/records.ts";
import { withRevocation } from "../work-item/revocations.ts";
import type { DecidedFact } from "./effect.ts";
import { timeOf } from "./overtaken.ts";

/** Granting twice is one grant, which counts from the later time, and for the account that has the login then. */
export function granting(item: ItemState, grant: Collaborator): ItemState {
  const index = item.collaborators.findIndex(({ login }) => isOf(login, grant.login));
  const known = item.collaborators[index];
  if (known === undefined) return { ...item, collaborators: [...item.collaborators, grant] };
  return known.at >= grant.at ? item : { ...item, collaborators: item.collaborators.with(index, { ...known, id: grant.id ?? known.id, at: grant.at }) };
}

/** Takes a grant back, and remembers when, also where there was none: it may be told late (ADR 72). */
export function revoking(item: ItemState, fact: DecidedFact, login: string | null): ItemState {
  if (login === null) return item;
  const collaborators = item.collaborators.filter((each) => !isOf(each.login, login));
  return remembering(collaborators.length === item.collaborators.length ? item : { ...item, collaborators }, fact, login);
}

/** A closing ends every grant, and remembers when; a reopening, and a closing that one has overtaken, those of before it. */
export function endGrants(item: ItemState, fact: DecidedFact): ItemState {
  const { event, decision } = fact;
  const endedAt = timeOf(event, fact.at).at;
  const isPast = decision.reason === "closing-overtaken" || event.action === "reopened";
  const collaborators = isPast ? item.collaborators.filter(({ at }) => at > endedAt) : [];
  return remembering(collaborators.length === item.collaborators.length ? item : { ...item, collaborators }, fact, null);
}

/** Grants are made and taken back by login: an id would keep an old grant beside a new one. */
function isOf(granted: string, login: string): boolean {
  return sameAccount(personCalled(granted), personCalled(login));
}

function remembering(item: ItemState, fact: DecidedFact, login: string | null): ItemState {
  if (item.workItem === null) return item;
  const known = item.workItem.revoked ?? [];
  const revoked = withRevocation(known, { login, ...timeOf(fact.event, fact.at) });
  return revoked === known ? item : { ...item, workItem: { ...item.workItem, revoked } };
}
