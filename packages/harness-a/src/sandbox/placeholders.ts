import { lstat, mkdir, rename, rm, rmdir } from "node:fs/promises";
import path from "node:path";
import { readPlainFile, writePlainFile } from "../plain-file.ts";

/**
 * Paths in a checkout that the harness protects. Where they don't exist it puts an empty, read-only
 * file in their place while a command runs, and leaves it there when it is killed (seen with
 * 2.1.332).
 */
const placeholders: readonly string[] = [
  ...[
    ".bash_profile",
    ".bashrc",
    ".gitconfig",
    ".gitmodules",
    ".idea",
    ".mcp.json",
    ".profile",
    ".ripgreprc",
    ".vscode",
    ".zprofile",
    ".zshrc",
  ],
  ...[
    "agents",
    "commands",
    "hooks",
    "launch.json",
    "loop.md",
    "output-styles",
    "routines",
    "scheduled_tasks.json",
    "settings.json",
    "settings.local.json",
    "skills",
    "workflows",
  ].map((name) => `.claude/${name}`),
];

const begin =
  "# Placeholders of Claude Code's sandbox, listed by loop so that `git add` skips them";

/** Bytes of the longest ignore list that is read. */
const longestList = 1024 * 1024;

/**
 * Lists the placeholders in the checkout's own `.git/info/exclude`, without which `git add -A`
 * fails inside the sandbox.
 */
export async function excludePlaceholders(checkout: string): Promise<void> {
  const folder = path.join(checkout, ".git", "info");
  const file = path.join(folder, "exclude");
  await mkdir(folder).catch(() => undefined);
  // A turn could have put a link there: what it leads to is neither read nor written.
  if (!(await isFolder(path.dirname(folder))) || !(await isFolder(folder))) return;
  const listed = await readPlainFile(file, longestList).catch(() => undefined);
  if (listed === undefined) return;
  const text = listed?.toString("latin1") ?? "";
  if (text.includes(begin)) return;
  const lines = [begin, ...placeholders.map((name) => `/${name}`), "/.claude/.cc-writes"];
  const next = `${file}.loop`;
  const before = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  await writePlainFile(next, Buffer.from(`${before}${lines.join("\n")}\n`, "latin1"), 0o666);
  await rename(next, file);
}

/**
 * Removes the placeholders that a killed turn left behind, and nothing that has content or that its
 * owner can write.
 */
export async function removePlaceholders(checkout: string): Promise<void> {
  for (const name of [...placeholders, ".git/config.lock", ".git/commondir"]) {
    const file = path.join(checkout, name);
    if ((await isFolder(path.dirname(file))) && (await isPlaceholder(file)))
      await rm(file, { force: true });
  }
  // Made for the placeholders in it; one that holds anything stays.
  for (const name of [".claude/.cc-writes", ".claude"])
    if (await isFolder(path.join(checkout, ".claude")))
      await rmdir(path.join(checkout, name)).catch(() => undefined);
}

async function isPlaceholder(file: string): Promise<boolean> {
  const stat = await lstat(file).catch(() => null);
  return stat !== null && stat.isFile() && stat.size === 0 && (stat.mode & 0o777) === 0o444;
}

async function isFolder(file: string): Promise<boolean> {
  return (await lstat(file).catch(() => null))?.isDirectory() === true;
}
