import { createHash, randomBytes } from "node:crypto";
import { lstat, readdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import type { Git } from "./git.ts";
import { type ConfigEntry, offendingKeys, parseConfigList } from "./local-config.ts";

/**
 * Takes out of a shared clone's own configuration what is not on the allow-list, before git is used there. Never a reason
 * to stop: a file that git cannot read is set aside and made anew. Returns what was done, a line each (decisions.md 9).
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
  for (const file of await configFiles(clone)) digest.update(`\0${file}\0`).update(await readFile(file).catch(() => randomBytes(16)));
  return digest.digest("hex");
}

async function cleanAll(git: Git, clone: string, url: string): Promise<readonly string[]> {
  const notes: string[] = [];
  const origins: string[] = [];
  for (const file of await configFiles(clone)) {
    const cleaned = await cleanFile(git, clone, file);
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
  const listed = await git.run("/", ["config", "--file", file, "--no-includes", "-z", "--list"]).catch(() => null);
  if (listed === null) return setAside(git, clone, file);
  const entries = parseConfigList(listed);
  const keys = offendingKeys(entries);
  for (const key of keys) await git.run("/", ["config", "--file", file, "--unset-all", key]);
  return { notes: keys.map((key) => `removed ${key} from the configuration of the shared clone`), kept: entries };
}

async function setAside(git: Git, clone: string, file: string): Promise<Cleaned> {
  await rename(file, `${file}.unreadable`);
  if (file === join(clone, ".git", "config")) await git.run(clone, ["init", "--quiet"]);
  return { notes: [`set the unreadable ${file} aside`], kept: [] };
}

/** The configuration file of the clone, and those of single worktrees. Links are not followed. */
async function configFiles(clone: string): Promise<readonly string[]> {
  const folder = join(clone, ".git");
  const worktrees = await readdir(join(folder, "worktrees")).catch(() => []);
  const candidates = [join(folder, "config"), join(folder, "config.worktree"), ...worktrees.map((name) => join(folder, "worktrees", name, "config.worktree"))];
  const found: string[] = [];
  for (const file of candidates) if (await lstat(file).then((stat) => stat.isFile(), () => false)) found.push(file);
  return found;
}
