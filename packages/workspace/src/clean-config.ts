import { createHash, randomBytes } from "node:crypto";
import { lstat, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Git } from "./git.ts";
import { type ConfigEntry, offendingKeys, parseConfigList } from "./local-config.ts";
import { shownName } from "./names.ts";

/**
 * Takes out of a shared clone's own configuration what is not on the allow-list, before git is used there. Never a reason
 * to stop: what git cannot read, what is no file of its own, and what cannot be taken out is set aside and made anew. Returns what was done, a line each (decisions.md 9).
 */
export async function cleanConfig(git: Git, clone: string, url: string, clean?: CleanConfigs): Promise<readonly string[]> {
  if (clean !== undefined && clean.get(clone) === (await digestOf(clone, url))) return [];
  const notes = await cleanAll(git, clone, url);
  clean?.set(clone, await digestOf(clone, url));
  return notes;
}

/** What each clone's configuration was when it was last found clean: the same bytes need no second look. */
export type CleanConfigs = Map<string, string>;

async function digestOf(clone: string, url: string): Promise<string> {
  const digest = createHash("sha256").update(url);
  for (const { file, kind } of await configFiles(clone)) digest.update(`\0${file}\0`).update(kind === "file" ? await readFile(file).catch(() => randomBytes(16)) : randomBytes(16));
  return digest.digest("hex");
}

async function cleanAll(git: Git, clone: string, url: string): Promise<readonly string[]> {
  const notes: string[] = [];
  const origins: string[] = [];
  for (const { file, kind } of await configFiles(clone)) {
    const cleaned = kind === "file" ? await cleanFile(git, clone, file) : await setAside(git, clone, file, `it is a ${kind}`);
    notes.push(...cleaned.notes);
    origins.push(...cleaned.kept.filter((entry) => entry.key === "remote.origin.url").map((entry) => entry.value));
  }
  if (origins.length === 1 && origins[0] === url) return notes;
  await setOrigin(git, clone, url);
  return origins.length === 0 ? notes : [...notes, "the remote origin led elsewhere and was set back"];
}

/** What our clones are made with: one remote, and no housekeeping of git's own in the background (performance: worktrees). */
export async function setOrigin(git: Git, clone: string, url: string): Promise<void> {
  const main = join(clone, ".git", "config");
  for (const [key, value] of [["remote.origin.url", url], ["remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"], ["gc.auto", "0"], ["maintenance.auto", "false"]] as const) await git.run("/", ["config", "--file", main, "--replace-all", key, value]);
}

type Cleaned = { readonly notes: readonly string[]; readonly kept: readonly ConfigEntry[] };

async function cleanFile(git: Git, clone: string, file: string): Promise<Cleaned> {
  const entries = await entriesIn(git, file);
  if (entries === null) return setAside(git, clone, file, "git cannot read it");
  const keys = offendingKeys(entries);
  // A key whose name is no UTF-8 fits on no command line.
  if (!keys.every((key) => key.isWellFormed())) return setAside(git, clone, file, `${keys.map(shownName).join(", ")} cannot be taken out`);
  for (const key of keys) await git.run("/", ["config", "--file", file, "--unset-all", key]);
  const left = keys.length === 0 ? [] : offendingKeys((await entriesIn(git, file)) ?? []);
  if (left.length > 0) return setAside(git, clone, file, `${left.join(", ")} could not be taken out`);
  return { notes: keys.map((key) => `removed ${key} from the configuration of the shared clone`), kept: entries };
}

const entriesIn = (git: Git, file: string): Promise<readonly ConfigEntry[] | null> => git.run("/", ["config", "--file", file, "--no-includes", "-z", "--list"]).then(parseConfigList, () => null);

async function setAside(git: Git, clone: string, file: string, why: string): Promise<Cleaned> {
  const aside = `${file}.unreadable`;
  await rm(aside, { recursive: true, force: true });
  await rename(file, aside);
  const main = join(clone, ".git", "config");
  if (file === main) {
    await git.run(clone, ["init", "--quiet"]);
    // Work trees with a configuration of their own keep it: it hides from commits what was restored there.
    if ((await configFiles(clone)).length > 1) await git.run("/", ["config", "--file", main, "extensions.worktreeConfig", "true"]);
  }
  return { notes: [`set ${file} aside as ${aside}: ${why}`], kept: [] };
}

type ConfigFile = { readonly file: string; readonly kind: "file" | "link" | "folder" | "device" };

/** What stands where git looks for the configuration of the clone, and of single worktrees. Git follows links; we do not. */
async function configFiles(clone: string): Promise<readonly ConfigFile[]> {
  const folder = join(clone, ".git");
  const worktrees = await readdir(join(folder, "worktrees")).catch(() => []);
  const candidates = [join(folder, "config"), join(folder, "config.worktree"), ...worktrees.map((name) => join(folder, "worktrees", name, "config.worktree"))];
  const found: ConfigFile[] = [];
  for (const file of candidates) {
    const stat = await lstat(file).catch(() => null);
    if (stat !== null) found.push({ file, kind: stat.isFile() ? "file" : stat.isSymbolicLink() ? "link" : stat.isDirectory() ? "folder" : "device" });
  }
  return found;
}
