import { lstat, mkdir, readFile, rename, rm, rmdir, writeFile } from "node:fs/promises";
import path from "node:path";

/**
 * Paths in a checkout that the harness protects. Where they don't exist it puts an empty, read-only file in their place while
 * a command runs, and leaves it there when it is killed (seen with 2.1.332).
 */
const placeholders: readonly string[] = [
  ...[".bash_profile", ".bashrc", ".gitconfig", ".gitmodules", ".idea", ".mcp.json", ".profile", ".ripgreprc", ".vscode", ".zprofile", ".zshrc"],
  ...["agents", "commands", "hooks", "launch.json", "loop.md", "output-styles", "routines", "scheduled_tasks.json", "settings.json", "settings.local.json", "skills", "workflows"].map((name) => `.claude/${name}`),
];

const begin = "# Placeholders of Claude Code's sandbox, listed by loop so that `git add` skips them";

/** Lists the placeholders in the checkout's own `.git/info/exclude`, without which `git add -A` fails inside the sandbox. */
export async function excludePlaceholders(checkout: string): Promise<void> {
  const folder = path.join(checkout, ".git", "info");
  const file = path.join(folder, "exclude");
  await mkdir(folder).catch(() => undefined);
  // A turn could have put a link there: what it leads to is neither read nor written.
  if (!(await isPlain(path.dirname(folder), "folder")) || !(await isPlain(folder, "folder"))) return;
  const text = (await isPlain(file, "file")) ? await readFile(file, "latin1") : "";
  if (text.includes(begin)) return;
  const lines = [begin, ...placeholders.map((name) => `/${name}`), "/.claude/.cc-writes"];
  const next = `${file}.loop`;
  await rm(next, { recursive: true, force: true });
  await writeFile(next, `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${lines.join("\n")}\n`, { encoding: "latin1", flag: "wx" });
  await rename(next, file);
}

/** Removes the placeholders that a killed turn left behind, and nothing that has content or that its owner can write. */
export async function removePlaceholders(checkout: string): Promise<void> {
  for (const name of [...placeholders, ".git/config.lock"]) {
    const file = path.join(checkout, name);
    if ((await isPlain(path.dirname(file), "folder")) && (await isPlaceholder(file))) await rm(file, { force: true });
  }
  // Made for the placeholders in it; one that holds anything stays.
  for (const name of [".claude/.cc-writes", ".claude"]) if (await isPlain(path.join(checkout, ".claude"), "folder")) await rmdir(path.join(checkout, name)).catch(() => undefined);
}

async function isPlaceholder(file: string): Promise<boolean> {
  const stat = await lstat(file).catch(() => null);
  return stat !== null && stat.isFile() && stat.size === 0 && (stat.mode & 0o777) === 0o444;
}

async function isPlain(file: string, kind: "file" | "folder"): Promise<boolean> {
  const stat = await lstat(file).catch(() => null);
  return kind === "file" ? stat?.isFile() === true : stat?.isDirectory() === true;
}
