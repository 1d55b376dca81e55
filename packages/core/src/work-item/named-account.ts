import type { Collaborator, Revocation } from "./records.ts";
import { personCalled, sameAccount } from "../accounts/account.ts";

/**
 * Whom a request means by a login: everything under which that account may have been let in. `ids`
 * are those of the account that has the login now and of the one that had it here; `names` are
 * logins to which these ids are pinned.
 */
export type NamedAccount = { readonly ids: readonly string[]; readonly names: readonly string[] };

export const namedByLogin: NamedAccount = { ids: [], names: [] };

type Granted = Pick<Collaborator, "login" | "id" | "calledNow">;

/**
 * Whether a grant is one of the account: recorded under the login itself, by an id of it, or, where
 * the grant knows no id, under one of its other names. Whoever has a former collaborator's login
 * takes that grant along, as it was made under that login.
 */
export function isGrantOf(grant: Granted, login: string, { ids, names }: NamedAccount): boolean {
  const known = [grant.login, grant.calledNow ?? grant.login];
  const isUnder = (name: string): boolean => known.some((each) => isCalled(each, name));
  if (isUnder(login)) return true;
  return grant.id === null ? names.some(isUnder) : ids.includes(grant.id);
}

/**
 * The same with what the grants tell: two grants of one id are of one account, whatever the logins.
 */
export function widened(
  login: string,
  account: NamedAccount,
  grants: readonly Granted[],
): NamedAccount {
  const own = grants.filter((grant) => isGrantOf(grant, login, account));
  const ids = [...new Set([...account.ids, ...own.flatMap(({ id }) => id ?? [])])];
  const logins = own.flatMap((each) => [each.login, each.calledNow ?? each.login]);
  const others = [...account.names, ...logins].filter((name) => !isCalled(name, login));
  const names = [...new Set(others)];
  const isSame = ids.length === account.ids.length && names.length === account.names.length;
  return isSame ? account : widened(login, { ids, names }, grants);
}

/** Whether a revocation that is remembered means the account. */
export function isRevocationOf(
  revoked: Pick<Revocation, "login" | "ids">,
  login: string,
  id: string | null,
): boolean {
  if (revoked.login === null || isCalled(revoked.login, login)) return true;
  return id !== null && revoked.ids?.includes(id) === true;
}

/** Where both are logins alone. */
export function isCalled(one: string, other: string): boolean {
  return sameAccount(personCalled(one), personCalled(other));
}
