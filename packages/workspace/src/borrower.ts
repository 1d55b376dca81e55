import { join } from "node:path";
import type { Where } from "./git.ts";
import { decodeName } from "./names.ts";
import { makeOwn, type Seed } from "./own-repository.ts";
import { readPlain } from "./plain-file.ts";
import { type Records, readHead } from "./records.ts";
import { excludePattern } from "./restore.ts";
import { changedSince, readRestored, type RestoredFile } from "./restored-files.ts";

/**
 * What was restored from the base and is still as it was put there is nobody's work; what the
 * session changed in it is.
 */
export type SinceRestored = {
  readonly changed: readonly RestoredFile[];
  readonly untouched: readonly RestoredFile[];
};

export async function sinceRestored({ workTree }: Records): Promise<SinceRestored> {
  const restored = await readRestored(workTree);
  if (restored === null) return { changed: [], untouched: [] };
  const changed = await changedSince(workTree, restored);
  return {
    changed: restored.files.filter(({ path }) => changed.has(path)),
    untouched: restored.files.filter(({ path }) => !changed.has(path)),
  };
}

/** A repository of ours for a look at a work tree, whose commands may use any index. */
export type Borrower = {
  readonly gitDir: string;
  at(index?: string): Extract<Where, { kind: "own" }>;
};

/** Made in a folder that the caller takes away. */
export async function makeBorrower(
  records: Records,
  gitDir: string,
  restored?: SinceRestored,
  refs?: ReadonlyMap<string, string>,
): Promise<Borrower> {
  const repository = await makeOwn(gitDir, await borrowed(records, restored, refs));
  return {
    gitDir,
    at: (index = repository.index) => ({ kind: "own", repository: { ...repository, index } }),
  };
}

/**
 * What a work tree's records lead to, for a look. What is ignored there by the clone's own list is
 * ignored here as well.
 */
export async function borrowed(
  records: Records,
  restored: SinceRestored = { changed: [], untouched: [] },
  refs: ReadonlyMap<string, string> = new Map(),
): Promise<Seed> {
  const head = (await readHead(records))?.commit ?? null;
  return {
    common: records.common,
    workTree: records.workTree,
    purpose: "look",
    head,
    refs,
    excludes: await excludesOf(records, restored),
  };
}

async function excludesOf(
  { common }: Records,
  { changed, untouched }: SinceRestored,
): Promise<string> {
  const bytes = await readPlain(join(common, "info", "exclude"), 1024 ** 2);
  const exclude = typeof bytes === "string" ? "" : decodeName(bytes);
  const added = (files: readonly RestoredFile[]): readonly string[] =>
    files.filter(({ how }) => how === "added").map(({ path }) => excludePattern(path));
  const dropped = new Set(added(changed));
  return `${[...exclude.split("\n").filter((line) => !dropped.has(line)), ...added(untouched)].join("\n")}\n`;
}
