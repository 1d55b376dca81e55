import { createHash, randomBytes } from "node:crypto";
import { lstat, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Git } from "./git.ts";
import type { Layout } from "./layout.ts";
import { type ConfigEntry, offendingKeys, parseConfigList } from "./local-config.ts";
import { shownName } from "./names.ts";
import { slotsOf } from "./pool.ts";
import { usualConfig } from "./own-repository.ts";
import { putFile } from "./put-file.ts";
import { inFolder } from "./no-follow-folder.ts";
import { readRefs, refuseLinkedRecords } from "./records.ts";
import { leadsTo } from "./worktree-record.ts";

/**
 * Takes out of the configuration that git reads for one checkout, its shared clone and the warm
 * worktrees beside it what is not on the allow-list, before git is used there. Never a reason to
 * stop: what git cannot read or work with, what is no file of its own, and what cannot be taken out
 * is set aside and made anew. Returns what was done, a line each.
 */
export async function cleanConfig(
  git: Git,
  layout: Layout,
  url: string,
  clean?: CleanConfigs,
): Promise<readonly string[]> {
  await refuseLinkedRecords(join(layout.clone, ".git"));
  const files = await filesFor(layout);
  const name = files.join("\0");
  if (clean !== undefined && clean.get(name) === (await digestOf(files, url))) return [];
  const notes = await cleanAll(git, layout.clone, url, files);
  clean?.set(name, await digestOf(files, url));
  return notes;
}

/**
 * What the configuration of each set of files was when it was last found clean: the same bytes need
 * no second look.
 */
export type CleanConfigs = Map<string, string>;

/** Other work trees have files of their own, too; each is looked at before git is used there. */
async function filesFor(layout: Layout): Promise<readonly string[]> {
  const folder = join(layout.clone, ".git");
  const checkouts = layout.kind === "clone" ? [] : [layout.checkout, ...(await slotsOf(layout))];
  const records = await Promise.all(checkouts.map((checkout) => leadsTo({ ...layout, checkout })));
  return [mainOf(layout.clone), folder, ...records].flatMap((each, at) =>
    each === null ? [] : [at === 0 ? each : join(each, "config.worktree")],
  );
}

const mainOf = (clone: string): string => join(clone, ".git", "config");

async function digestOf(files: readonly string[], url: string): Promise<string> {
  const digest = createHash("sha256").update(url);
  for (const { file, kind } of await lookAt(files))
    digest
      .update(`\0${file}\0`)
      .update(
        kind === "file" ? await readFile(file).catch(() => randomBytes(16)) : randomBytes(16),
      );
  return digest.digest("hex");
}

async function cleanAll(
  git: Git,
  clone: string,
  url: string,
  files: readonly string[],
): Promise<readonly string[]> {
  const notes: string[] = [];
  const origins: string[] = [];
  const found = await lookAt(files);
  if (!found.some(({ file }) => file === mainOf(clone)))
    notes.push(
      `made ${mainOf(clone)} anew: ${await makeMain(git, clone).then(() => "it was gone")}`,
    );
  for (const { file, kind } of found) {
    const cleaned =
      kind === "file"
        ? await cleanFile(git, clone, file)
        : await setAside(git, clone, file, `it is a ${kind}`);
    notes.push(...cleaned.notes);
    origins.push(
      ...cleaned.kept
        .filter((entry) => entry.key === "remote.origin.url")
        .map((entry) => entry.value),
    );
  }
  // What each key says may be right, and still be about another kind of repository than this one.
  const opens = await git
    .run({ kind: "records", clone }, ["symbolic-ref", "--quiet", "HEAD"], { answers: [1] })
    .then(
      () => true,
      () => false,
    );
  if (!opens)
    notes.push(...(await setAside(git, clone, mainOf(clone), "git cannot work with it")).notes);
  if (opens && origins.length === 1 && origins[0] === url) return notes;
  await setOrigin(git, clone, url);
  return origins.length === 0
    ? notes
    : [...notes, "the remote origin led elsewhere and was set back"];
}

/**
 * What our clones are made with: one remote, and no housekeeping of git's own in the background
 * (performance: worktrees).
 */
export async function setOrigin(git: Git, clone: string, url: string): Promise<void> {
  for (const [key, value] of [
    ["remote.origin.url", url],
    ["remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"],
    ["gc.auto", "0"],
    ["maintenance.auto", "false"],
  ] as const)
    await git.run({ kind: "nowhere" }, [
      "config",
      "--file",
      mainOf(clone),
      "--replace-all",
      key,
      value,
    ]);
}

type Cleaned = { readonly notes: readonly string[]; readonly kept: readonly ConfigEntry[] };

async function cleanFile(git: Git, clone: string, file: string): Promise<Cleaned> {
  const entries = await entriesIn(git, file);
  if (entries === null) return setAside(git, clone, file, "git cannot read it");
  const keys = offendingKeys(entries);
  // A key whose name is no UTF-8 fits on no command line.
  if (!keys.every((key) => key.isWellFormed()))
    return setAside(git, clone, file, `${keys.map(shownName).join(", ")} cannot be taken out`);
  for (const key of keys)
    await git.run({ kind: "nowhere" }, ["config", "--file", file, "--unset-all", key]);
  const left = keys.length === 0 ? [] : offendingKeys((await entriesIn(git, file)) ?? []);
  if (left.length > 0)
    return setAside(git, clone, file, `${left.join(", ")} could not be taken out`);
  return {
    notes: keys.map((key) => `removed ${key} from the configuration of the shared clone`),
    kept: entries,
  };
}

const entriesIn = (git: Git, file: string): Promise<readonly ConfigEntry[] | null> =>
  git
    .run({ kind: "nowhere" }, ["config", "--file", file, "--no-includes", "-z", "--list"])
    .then(parseConfigList, () => null);

async function setAside(git: Git, clone: string, file: string, why: string): Promise<Cleaned> {
  const aside = `${file}.unreadable`;
  await rm(aside, { recursive: true, force: true });
  await rename(file, aside);
  if (file === mainOf(clone)) await makeMain(git, clone);
  return { notes: [`set ${file} aside as ${aside}: ${why}`], kept: [] };
}

/**
 * What git writes for a new repository, by hand: git would go through links for it. Work trees with
 * a configuration of their own keep it: it hides from commits what was restored there.
 */
async function makeMain(git: Git, clone: string): Promise<void> {
  const refs = await readRefs(join(clone, ".git"), ["refs/remotes/origin/", "refs/heads/"]);
  const format = [...refs.values()].some((id) => id.length === 64) ? "sha256" : "sha1";
  await inFolder(clone, [".git"], (folder) => putFile(join(folder, "config"), usualConfig(format)));
  const worktrees = join(clone, ".git", "worktrees");
  const own = [
    join(clone, ".git"),
    ...(await readdir(worktrees).catch(() => [])).map((name) => join(worktrees, name)),
  ];
  if ((await lookAt(own.map((folder) => join(folder, "config.worktree")))).length > 0)
    await git.run({ kind: "nowhere" }, [
      "config",
      "--file",
      mainOf(clone),
      "extensions.worktreeConfig",
      "true",
    ]);
}

type ConfigFile = { readonly file: string; readonly kind: "file" | "link" | "folder" | "device" };

/** What stands where git looks for configuration. Git follows links; we do not. */
async function lookAt(files: readonly string[]): Promise<readonly ConfigFile[]> {
  const found: ConfigFile[] = [];
  for (const file of files) {
    const stat = await lstat(file).catch(() => null);
    if (stat !== null)
      found.push({
        file,
        kind: stat.isFile()
          ? "file"
          : stat.isSymbolicLink()
            ? "link"
            : stat.isDirectory()
              ? "folder"
              : "device",
      });
  }
  return found;
}
