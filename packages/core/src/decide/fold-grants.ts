import type { Collaborator, ItemState } from "../work-item/records.ts";
import { sameName } from "../work-item/ref.ts";
import { withRevocation } from "../work-item/revocations.ts";
import type { DecidedFact } from "./effect.ts";
import { timeOf } from "./overtaken.ts";

/** Granting twice is one grant, which counts from the later time. */
export function granting(item: ItemState, grant: Collaborator): ItemState {
  const index = item.collaborators.findIndex(({ login }) => sameName(login, grant.login));
  const known = item.collaborators[index];
  if (known === undefined) return { ...item, collaborators: [...item.collaborators, grant] };
  return known.at >= grant.at ? item : { ...item, collaborators: item.collaborators.with(index, { ...known, at: grant.at }) };
}

/** Takes a grant back, and remembers when, also where there was none: it may be told late (ADR 72). */
export function revoking(item: ItemState, fact: DecidedFact, login: string | null): ItemState {
  if (login === null) return item;
  const collaborators = item.collaborators.filter((each) => !sameName(each.login, login));
  return remembering(collaborators.length === item.collaborators.length ? item : { ...item, collaborators }, fact, login);
}

/** A closing ends every grant, and remembers when; one that a reopening has overtaken, those of before it. */
export function endGrants(item: ItemState, fact: DecidedFact): ItemState {
  const closedAt = timeOf(fact.event, fact.at).at;
  const collaborators = fact.decision.reason === "closing-overtaken" ? item.collaborators.filter(({ at }) => at > closedAt) : [];
  return remembering(collaborators.length === item.collaborators.length ? item : { ...item, collaborators }, fact, null);
}

function remembering(item: ItemState, fact: DecidedFact, login: string | null): ItemState {
  if (item.workItem === null) return item;
  const known = item.workItem.revoked ?? [];
  const revoked = withRevocation(known, { login, ...timeOf(fact.event, fact.at) });
  return revoked === known ? item : { ...item, workItem: { ...item.workItem, revoked } };
}
