import { foldLogin } from "../accounts/account.ts";
import { isCalled, isRevocationOf } from "./named-account.ts";
import type { Revocation } from "./records.ts";

/**
 * How many logins are remembered one by one. Past that the oldest revocation counts for everybody,
 * which lets nobody in.
 */
export const mostRevocations = 50;

/**
 * From when on a grant of the account counts: the newest revocation of its login, of its id, or of
 * all; null where there was none.
 */
export function revokedAt(
  login: string,
  revoked: readonly Revocation[] = [],
  id: string | null = null,
): Revocation | null {
  return newestOf(revoked.filter((each) => isRevocationOf(each, login, id)));
}

/**
 * One more revocation remembered: the newest of a login, and the newest of all, which stands for
 * every older one. Keeps the list where that adds nothing.
 */
export function withRevocation(
  revoked: readonly Revocation[],
  added: Revocation,
): readonly Revocation[] {
  const one: Revocation =
    added.login === null ? added : { ...added, login: foldLogin(added.login) };
  if (revoked.some((known) => covers(known, one))) return revoked;
  const kept = [...revoked.filter((known) => !covers(one, known)), one];
  const oldest =
    kept.length > mostRevocations
      ? kept.filter(({ login }) => login !== null).toSorted((a, b) => a.at - b.at)[0]
      : undefined;
  return oldest === undefined
    ? kept
    : withRevocation(
        kept.filter((each) => each !== oldest),
        { ...oldest, login: null },
      );
}

/** Nothing is refused for the second that is not for the first. */
function covers(first: Revocation, second: Revocation): boolean {
  if (first.at < second.at) return false;
  if (first.login === null || second.login === null) return first.login === null;
  return (
    isCalled(first.login, second.login) &&
    (second.ids ?? []).every((id) => first.ids?.includes(id) === true)
  );
}

function newestOf(revocations: readonly Revocation[]): Revocation | null {
  return revocations.reduce<Revocation | null>(
    (newest, each) => (newest === null || each.at > newest.at ? each : newest),
    null,
  );
}
