import { lstat, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import type { Git } from "./git.ts";
import { offendingKeys, parseConfigList } from "./local-config.ts";

/**
 * Takes out of a shared clone's own configuration what is not on the allow-list, before git is used there. Never a reason
 * to stop: a file that git cannot read is set aside and made anew. Returns what was done, a line each (decisions.md 9).
 */
export async function cleanConfig(git: Git, clone: string, url: string): Promise<readonly string[]> {
  const notes: string[] = [];
  for (const file of await configFiles(clone)) notes.push(...(await cleanFile(git, clone, file)));
  const main = join(clone, ".git", "config");
  const origin = await git.run("/", ["config", "--file", main, "--no-includes", "--get-all", "remote.origin.url"]).catch(() => "");
  if (origin.trim() === url) return notes;
  await setOrigin(git, clone, url);
  return origin === "" ? notes : [...notes, "the remote origin led elsewhere and was set back"];
}

/** What our clones are made with: one remote, and no housekeeping of git's own in the background (performance: worktrees). */
export async function setOrigin(git: Git, clone: string, url: string): Promise<void> {
  const main = join(clone, ".git", "config");
  for (const [key, value] of [["remote.origin.url", url], ["remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"], ["gc.auto", "0"], ["maintenance.auto", "false"]] as const) await git.run("/", ["config", "--file", main, "--replace-all", key, value]);
}

async function cleanFile(git: Git, clone: string, file: string): Promise<readonly string[]> {
  const listed = await git.run("/", ["config", "--file", file, "--no-includes", "-z", "--list"]).catch(() => null);
  if (listed === null) return setAside(git, clone, file);
  const keys = offendingKeys(parseConfigList(listed));
  for (const key of keys) await git.run("/", ["config", "--file", file, "--unset-all", key]);
  return keys.map((key) => `removed ${key} from the configuration of the shared clone`);
}

async function setAside(git: Git, clone: string, file: string): Promise<readonly string[]> {
  await rename(file, `${file}.unreadable`);
  if (file === join(clone, ".git", "config")) await git.run(clone, ["init", "--quiet"]);
  return [`set the unreadable ${file} aside`];
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
