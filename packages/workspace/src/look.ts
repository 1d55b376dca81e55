import { lstat, realpath, stat } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { consentListing, tracksConsent } from "@loopwork/core/config";
import { GitLost } from "@loopwork/core/ports";
import { borrowed, sinceRestored } from "./borrower.ts";
import { baseOf } from "./repository-opt-in.ts";
import type { Git, Where } from "./git.ts";
import { isInside, layoutOn } from "./layout.ts";
import { fromList } from "./nul-lists.ts";
import { copyIndex, type Own, type Seed } from "./own-repository.ts";
import { smallText } from "./plain-file.ts";
import { readHead, readRefs, type Records } from "./records.ts";
import type { Registry } from "./registry.ts";
import { isFinished, leadsTo } from "./worktree-record.ts";

/**
 * Looks at folders that sessions work in, as the port of workspaces says. A folder in which nothing
 * can be seen is no error.
 */
export type Look = {
  headOf(workdir: string): Promise<string | null>;
  changesOf(workdir: string): Promise<readonly string[]>;
  hasChosenLoop(workdir: string): Promise<boolean>;
  unpushedOf(workdir: string): Promise<readonly string[] | null>;
  /** As the port says. */
  ask(
    workdir: string,
    args: readonly ["ls-files" | "cat-file", ...string[]],
  ): Promise<string | undefined>;
  /** Names below the folder that git knows or would take up; null when it is in no work tree. */
  filesIn(workdir: string): Promise<readonly string[] | null>;
};

/** `locate` says where the records of a folder's work tree are. Git never looks for them itself. */
export function createLook(
  git: Git,
  own: Own,
  locate: (workdir: string) => Promise<Records | null>,
): Look {
  const inside = async (
    records: Records,
    refs: ReadonlyMap<string, string>,
    args: readonly string[],
    minutes: number,
  ): Promise<string> => {
    const seed = await borrowed(records, await sinceRestored(records), refs);
    return own(seed, async (where: Extract<Where, { kind: "own" }>) => {
      await copyIndex(records.own, where.repository.index, where.repository.gitDir);
      return git.run(where, args, { minutes });
    });
  };
  const none = new Map<string, string>();
  return {
    async headOf(workdir) {
      const records = await locate(workdir);
      return records === null
        ? null
        : ((await readHead(records).catch(() => null))?.commit ?? null);
    },
    async changesOf(workdir) {
      const records = await locate(workdir);
      if (records === null) return [];
      // A submodule's own repository is never asked: git would run in it, by its configuration.
      return fromList(
        await inside(
          records,
          none,
          [
            "status",
            "--porcelain",
            "-z",
            "--no-renames",
            "--untracked-files=all",
            "--ignore-submodules=all",
          ],
          2,
        ).catch(() => ""),
      );
    },
    async hasChosenLoop(workdir) {
      const records = await locate(workdir);
      const base = records === null ? null : await baseOf(git, records).catch(() => null);
      if (base === null) return false;
      const seed: Seed = { common: base.common, workTree: null, purpose: "look" };
      return tracksConsent(
        await own(seed, (where) => git.run(where, consentListing(base.commit))).catch(() => ""),
      );
    },
    async unpushedOf(workdir) {
      const records = await locate(workdir);
      const head =
        records === null ? null : ((await readHead(records).catch(() => null))?.commit ?? null);
      if (records === null || head === null) return null;
      const found = await readRefs(records.common, ["refs/remotes/", "refs/loop/pull/"])
        .then((refs) =>
          inside(
            records,
            refs,
            [
              "rev-list",
              `--max-count=${mostUnpushed}`,
              head,
              "--not",
              "--remotes",
              "--glob=refs/loop/pull/*",
              "--",
            ],
            2,
          ),
        )
        .catch(() => null);
      return found === null ? null : found.split("\n").filter((line) => line !== "");
    },
    async ask(workdir, args) {
      const records = await locate(workdir);
      if (records === null) return undefined;
      const below = relative(records.workTree, await realpath(workdir).catch(() => workdir));
      return inside(records, none, below === "" ? args : ["-C", below, ...args], 2).catch(
        (error: unknown) => {
          if (error instanceof GitLost) throw error;
          return undefined;
        },
      );
    },
    async filesIn(workdir) {
      const records = await locate(workdir);
      if (records === null) return null;
      const names = fromList(
        await inside(
          records,
          none,
          ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
          2,
        ),
      );
      const below = relative(records.workTree, await realpath(workdir));
      return below === ""
        ? names
        : names.flatMap((name) =>
            name.startsWith(`${below}/`) ? [name.slice(below.length + 1)] : [],
          );
    },
  };
}

/** A repository without a remote has pushed nothing, and may have a long history. */
const mostUnpushed = 1_000;

/**
 * Where the records of a checkout of ours are, as it was made and not as the checkout says; null
 * when its `.git` is not what was put there. A folder outside the root is the operator's own.
 */
export async function recordsOfCheckout(
  workdir: string,
  root: string,
  registry: Pick<Registry, "at">,
): Promise<Records | null> {
  const registered = await registry.at(workdir);
  if (registered === null) return isInside(root, workdir) ? null : recordsAround(workdir);
  const layout = layoutOn(registered);
  if (layout === null) return null;
  const common = join(layout.clone, ".git");
  if (
    !(await isFolder(common)) ||
    (await lstat(join(common, "commondir")).catch(() => null)) !== null
  )
    return null;
  if (layout.kind === "clone") return { workTree: layout.checkout, own: common, common };
  const record = await leadsTo(layout);
  const isOurs =
    record !== null &&
    (await smallText(join(record, "gitdir"))) === join(layout.checkout, ".git") &&
    (await isFinished(record));
  return isOurs ? { workTree: layout.checkout, own: record, common } : null;
}

/**
 * Where the records of the work tree are that a folder of the operator's lies in, by git's files
 * alone; null when it lies in none.
 */
export async function recordsAround(workdir: string): Promise<Records | null> {
  const start = await realpath(workdir).catch(() => null);
  if (start === null || !(await stat(start)).isDirectory()) return null;
  for (let top = start; ; top = dirname(top)) {
    const own = await gitDirAt(top);
    if (own !== null) return { workTree: top, own, common: await commonOf(top, own) };
    if (dirname(top) === top) return null;
  }
}

async function gitDirAt(top: string): Promise<string | null> {
  const path = join(top, ".git");
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory() === true)
    return (await lstat(join(path, "HEAD")).catch(() => null)) === null ? null : path;
  const text = found?.isFile() === true ? await smallText(path) : null;
  return text?.startsWith("gitdir: ") === true ? resolve(top, text.slice("gitdir: ".length)) : null;
}

/**
 * A worktree shares the records of the repository that its own lie in; a repository itself shares
 * nobody's.
 */
async function commonOf(top: string, own: string): Promise<string> {
  const named = own === join(top, ".git") ? null : await smallText(join(own, "commondir"));
  return named === null ? own : resolve(own, named);
}

const isFolder = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
