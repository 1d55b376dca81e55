import { randomUUID } from "node:crypto";
import { constants, copyFile, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { ifAbsent } from "./if-absent.ts";
import type { RefChange } from "./change-refs.ts";
import type { Git } from "./git.ts";
import type { Making } from "./checkout-in-progress.ts";
import { inFolder, isCode } from "./no-follow-folder.ts";
import { readRefs } from "./records.ts";

/** Ids by names of references. */
export type Refs = ReadonlyMap<string, string>;

/**
 * Fetches what `refspecs` say into a clone. Git talks to the remote in a repository of ours, so
 * that nothing in the clone's configuration is read for it: no helper, no proxy, no program. It
 * writes there, too: packs are moved into the clone when all of them are there, and then its
 * references follow. `options` are more of git's options for it. Returns what was fetched.
 */
export async function fetchInto(
  { git, own, layout, remote }: Pick<Making, "git" | "own" | "layout" | "remote">,
  options: readonly string[],
  refspec: string,
  minutes: number,
): Promise<Refs> {
  const common = join(layout.clone, ".git");
  const before = await readRefs(common, fetched);
  const format = before.size > 0 ? {} : { format: await formatOf(git, common) };
  return own(
    { common, workTree: null, purpose: "no-files", refs: before, ...format },
    async (where) => {
      const args = [
        "fetch",
        "--quiet",
        ...options,
        "--no-recurse-submodules",
        "--no-write-fetch-head",
        "--end-of-options",
        remote.url,
        refspec,
      ];
      await git.run(where, args, { protocol: remote.protocol, minutes });
      await movePacks(where.repository.gitDir, layout.clone);
      const after = await readRefs(where.repository.gitDir, fetched);
      await moveRefs(git, layout.clone, before, after);
      return after;
    },
  );
}

/**
 * What a fetch may change: branches and heads of pull requests as the remote has them, and tags,
 * which it only adds.
 */
export const fetched: readonly string[] = ["refs/remotes/origin/", "refs/loop/pull/", "refs/tags/"];

/** Gives a clone the references that differ. */
export async function moveRefs(git: Git, clone: string, before: Refs, after: Refs): Promise<void> {
  const gone = [...before.keys()].filter((name) => !after.has(name));
  const moved = [...after].filter(([name, id]) => before.get(name) !== id);
  await git.changeRefs(
    clone,
    new Map<string, RefChange>([
      ...gone.map((name) => [name, { to: null }] as const),
      ...moved.map(([name, to]) => [name, { to }] as const),
    ]),
  );
}

/**
 * Moves the packs of a repository of ours into a clone. An index makes its pack known: it goes
 * last.
 */
export async function movePacks(gitDir: string, clone: string): Promise<void> {
  const from = join(gitDir, "objects/pack");
  const names = (await readdir(from).catch(ifAbsent([]))).filter((name) =>
    /\.(?:pack|rev|idx)$/.test(name),
  );
  if (names.length === 0) return;
  const isIndex = (name: string): number => Number(name.endsWith(".idx"));
  const ordered = names.toSorted((one, other) => isIndex(one) - isIndex(other));
  await inFolder(
    join(clone, ".git"),
    ["objects", "pack"],
    async (folder) => {
      for (const name of ordered) await moveFile(join(from, name), folder, name);
    },
    { make: 0o777 },
  );
}

/** What has the name already has the same content, or is a link or the like. */
async function moveFile(from: string, folder: string, name: string): Promise<void> {
  const to = join(folder, name);
  await rename(from, to).catch(async (error: unknown) => {
    if (!isCode(error, "EXDEV")) throw error;
    // The name that git gives a pack in the making: it clears away what is left of one.
    const next = join(folder, `tmp_pack_${randomUUID()}`);
    try {
      await copyFile(from, next, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
      await rename(next, to);
    } catch (failure) {
      await rm(next, { force: true });
      throw failure;
    }
  });
}

/** How a clone without any reference names its objects. */
async function formatOf(git: Git, common: string): Promise<"sha1" | "sha256"> {
  const said = await git.run(
    { kind: "nowhere" },
    [
      "config",
      "--file",
      join(common, "config"),
      "--no-includes",
      "--get",
      "extensions.objectFormat",
    ],
    { answers: [1] },
  );
  return said.trim() === "sha256" ? "sha256" : "sha1";
}
