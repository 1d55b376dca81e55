import { foldLogin, personCalled, sameAccount } from "../accounts/account.ts";
import type { Revocation } from "./records.ts";

/** How many logins are remembered one by one. Past that the oldest revocation counts for everybody, which lets nobody in. */
export const mostRevocations = 50;

/** From when on a grant of the login counts: the newest revocation of it, or of all; null where there was none. */
export function revokedAt(login: string, revoked: readonly Revocation[] = []): Revocation | null {
  return newestOf(revoked.filter((each) => each.login === null || isOf(each.login, login)));
}

/**
 * One more revocation remembered: the newest of a login, and the newest of all, which stands for every older one. Keeps the list where
 * that adds nothing.
 */
export function withRevocation(revoked: readonly Revocation[], added: Revocation): readonly Revocation[] {
  const one: Revocation = added.login === null ? added : { ...added, login: foldLogin(added.login) };
  if (revoked.some((known) => covers(known, one))) return revoked;
  const kept = [...revoked.filter((known) => !covers(one, known)), one];
  const oldest = kept.length > mostRevocations ? kept.filter(({ login }) => login !== null).toSorted((a, b) => a.at - b.at)[0] : undefined;
  return oldest === undefined ? kept : withRevocation(kept.filter((each) => each !== oldest), { ...oldest, login: null });
}

/** Nothing is refused for the second that is not for the first. */
function covers(first: Revocation, second: Revocation): boolean {
  return (first.login === null || (second.login !== null && isOf(first.login, second.login))) && first.at >= second.at;
}

/** Like grants, revocations name a login. */
function isOf(revoked: string, login: string): boolean {
  return sameAccount(personCalled(revoked), personCalled(login));
}

function newestOf(revocations: readonly Revocation[]): Revocation | null {
  return revocations.reduce<Revocation | null>((newest, each) => (newest === null || each.at > newest.at ? each : newest), null);
}
