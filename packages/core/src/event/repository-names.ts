import type { Repository } from "./event.ts";
import { sameName } from "../ref/ref.ts";

/**
 * Which repository a name means. Hosts give a name away again: a repository is renamed, moved to
 * another owner, or deleted and made anew. Only its id stays, so that each keeps, for all our
 * records, the name under which it was first seen here:
 *
 *     first seen ──▶ known = present
 *         │ the host calls the same id otherwise ──▶ renamed: known stays, present moves, and with it every call to the host
 *         │ another id has its name ──▶ recreated: the newcomer is known by a name of its own, and gets none of the
 *         ▼                             former one's sessions, starts or collaborators; calls for the former one fail
 */
export type NamedRepository = {
  /** As in `Repository`; null means the default host. */
  readonly host: string | null;
  /** The host's immutable id. */
  readonly id: string;
  readonly known: RepositoryName;
  /** What the host calls it now; nothing that exists there once another repository has the name. */
  readonly present: RepositoryName;
};

export type RepositoryName = { readonly owner: string; readonly name: string };

/** Finds the name by which a repository is known here; null when that is the one it has. */
export type KnownAs = (host: string | null, id: string) => RepositoryName | null;

export type Recognition = {
  readonly kind: "known" | "first-seen" | "renamed" | "recreated";
  /** Rows that are new or different. */
  readonly write: readonly NamedRepository[];
};

/**
 * What an event says about names, given the rows of its host. Without an id nothing can be told.
 */
export function recognise(
  seen: Pick<Repository, "host" | "id" | "owner" | "name" | "calledNow">,
  rows: readonly NamedRepository[],
): Recognition {
  const { host, id } = seen;
  if (id === null) return { kind: "known", write: [] };
  const present = presentName(seen);
  const here = rows.filter((row) => row.host === host);
  const own = here.find((row) => row.id === id);
  if (own !== undefined && isSame(own.present, present)) return { kind: "known", write: [] };
  const former = here.filter((row) => isSame(row.present, present));
  const gone = former.map((row): NamedRepository => ({
    ...row,
    present: setApart(present, row.id),
  }));
  if (own !== undefined) return { kind: "renamed", write: [...gone, { ...own, present }] };
  const taken = here.some((row) => isSame(row.known, present));
  return {
    kind: taken || gone.length > 0 ? "recreated" : "first-seen",
    write: [...gone, { host, id, known: taken ? setApart(present, id) : present, present }],
  };
}

/** What the host, and people on it, call the repository of an event. */
export function presentName({
  owner,
  name,
  calledNow,
}: Pick<Repository, "owner" | "name" | "calledNow">): RepositoryName {
  return calledNow ?? { owner, name };
}

/** As people write it: `owner/name`. */
export function fullName(repository: Pick<Repository, "owner" | "name" | "calledNow">): string {
  const { owner, name } = presentName(repository);
  return `${owner}/${name}`;
}

/**
 * Moves names from how one side calls repositories to how the other does. A name that no row has
 * stays.
 */
export function renameRefs(
  rows: readonly NamedRepository[],
  to: "present" | "known",
): <T extends { readonly host: string | null; readonly owner: string; readonly repo: string }>(
  ref: T,
) => T {
  const from = to === "present" ? "known" : "present";
  const moved = rows.filter((row) => !isSame(row.known, row.present));
  if (moved.length === 0) return (ref) => ref;
  return (ref) => {
    const row = moved.find(
      (each) =>
        each.host === ref.host &&
        sameName(each[from].owner, ref.owner) &&
        sameName(each[from].name, ref.repo),
    );
    return row === undefined ? ref : { ...ref, owner: row[to].owner, repo: row[to].name };
  };
}

/**
 * A name that no other repository of the host has, within the 100 characters that names may have.
 */
function setApart({ owner, name }: RepositoryName, id: string): RepositoryName {
  return { owner, name: `${name.slice(0, 99 - id.length)}.${id}` };
}

function isSame(a: RepositoryName, b: RepositoryName): boolean {
  return sameName(a.name, b.name) && sameName(a.owner, b.owner);
}
