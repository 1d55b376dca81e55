import { readNote, writeNote } from "./checkout-notes.ts";

/**
 * What was fetched of a repository, as far as something is decided by it: the commits that a branch
 * was at, newest first, and which branch is the default one. A session can change the references of
 * a clone, and not this.
 */
export type FetchedNote = {
  readonly defaultBranch: string | null;
  readonly branches: ReadonlyMap<string, readonly string[]>;
};

/** Positions of a branch that are kept. */
const mostSeen = 100;

export async function readFetched(checkout: string): Promise<FetchedNote> {
  const note = await readNote("fetched", checkout);
  const fields = typeof note === "object" && note !== null ? note : {};
  const named = "defaultBranch" in fields ? fields.defaultBranch : null;
  const listed: unknown = "branches" in fields ? fields.branches : {};
  const rows = typeof listed === "object" && listed !== null ? Object.entries(listed) : [];
  return {
    defaultBranch: typeof named === "string" ? named : null,
    branches: new Map(
      rows.map(([name, ids]: [string, unknown]) => [
        name,
        Array.isArray(ids) ? ids.filter((id: unknown) => typeof id === "string") : [],
      ]),
    ),
  };
}

/** The note once `wanted` are looked up in what was fetched. `isNew` false only adds branches. */
export function notedAfter(
  before: FetchedNote,
  wanted: readonly string[],
  at: (branch: string) => string | null,
  isNew: boolean,
): FetchedNote["branches"] {
  const names = new Set([...before.branches.keys(), ...wanted]);
  return new Map(
    [...names].flatMap((name) => {
      const known = before.branches.get(name) ?? [];
      if (!isNew && known.length > 0) return [[name, known] as const];
      const id = at(name);
      if (id === null) return [];
      const ids = id === known[0] ? known : [id, ...known].slice(0, mostSeen);
      return [[name, ids] as const];
    }),
  );
}

export async function writeFetched(
  checkout: string,
  before: FetchedNote,
  note: FetchedNote,
): Promise<void> {
  const text = (each: FetchedNote): string =>
    JSON.stringify([each.defaultBranch, ...each.branches]);
  if (text(before) === text(note)) return;
  const { defaultBranch, branches } = note;
  await writeNote("fetched", checkout, { defaultBranch, branches: Object.fromEntries(branches) });
}
