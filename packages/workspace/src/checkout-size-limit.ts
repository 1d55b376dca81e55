import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { WorkspaceError } from "./failure.ts";
import type { Git } from "./git.ts";
import { fromList } from "./nul-lists.ts";
import type { Own } from "./own-repository.ts";

/** The most that one checkout may hold: files, and bytes of them. */
export type Budget = { readonly files: number; readonly bytes: number };

/**
 * More than any repository that people work in with such tools; less than what fills a disk or runs
 * for an hour.
 */
export const usualBudget: Budget = { files: 600_000, bytes: 20 * 1024 ** 3 };

/** Free space that stays after a checkout, in bytes. */
const spareBytes = 256 * 1024 ** 2;

/**
 * Refuses a commit whose files would be too many or too large, before any of them is written: the
 * work item fails with the reason, and others go on. Commits that were measured before are
 * remembered in `measured`.
 */
export async function refuseTooLarge(
  { git, own }: { readonly git: Git; readonly own: Own },
  clone: string,
  commit: string,
  where: string,
  budget: Budget,
  measured: Map<string, Budget>,
): Promise<void> {
  const size = measured.get(commit) ?? (await measure(git, own, clone, commit));
  measured.set(commit, size);
  const disk = await statfs(where).catch(() => null);
  const free = disk === null ? Number.POSITIVE_INFINITY : disk.bavail * disk.bsize - spareBytes;
  if (size.files > budget.files)
    throw tooLarge(`${size.files} files, and ${budget.files} are the most`);
  if (size.bytes > budget.bytes)
    throw tooLarge(`${inMiB(size.bytes)} MiB, and ${inMiB(budget.bytes)} MiB are the most`);
  if (size.bytes > free)
    throw tooLarge(`${inMiB(size.bytes)} MiB, and ${inMiB(Math.max(0, free))} MiB are free`);
}

async function measure(git: Git, own: Own, clone: string, commit: string): Promise<Budget> {
  const seed = {
    common: join(clone, ".git"),
    workTree: null,
    purpose: "look",
    head: commit,
  } as const;
  const rows = fromList(
    await own(seed, (where) =>
      git.run(where, ["ls-tree", "-r", "-l", "-z", "--full-tree", "--end-of-options", commit], {
        minutes: 5,
      }),
    ),
  );
  let bytes = 0;
  for (const row of rows) bytes += Number(row.slice(0, row.indexOf("\t")).split(" ").at(-1)) || 0;
  return { files: rows.length, bytes };
}

const inMiB = (bytes: number): number => Math.ceil(bytes / 1024 ** 2);
const tooLarge = (why: string): WorkspaceError =>
  new WorkspaceError(
    "LOOP_E_WORKSPACE_SIZE",
    `The checkout would hold ${why}.`,
    "Make room under routing.workspace.root, or work on this repository by hand.",
  );
