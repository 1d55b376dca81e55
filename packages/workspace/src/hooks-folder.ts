import { join, posix } from "node:path";
import type { Git } from "./git.ts";
import type { Layout } from "./layout.ts";

/**
 * The folders of a checkout from which the user's own git, or a session's, would run hooks: what
 * the configuration of its clone and of its user names.
 */
export async function hooksFolders(
  git: Git,
  layout: Layout,
  record: string,
): Promise<readonly string[]> {
  const files = [join(layout.clone, ".git", "config"), join(record, "config.worktree")];
  const sources = [["--includes"], ...files.map((file) => ["--file", file, "--no-includes"])];
  const values: string[] = [];
  for (const source of sources) {
    const args = ["config", ...source, "-z", "--get-all", "core.hooksPath"];
    // Neither set, nor there at all.
    const printed = await git.run({ kind: "nowhere" }, args, { answers: [1] });
    values.push(...printed.split("\0"));
  }
  return [...new Set(values.flatMap((value) => hooksFolderOf(value) ?? []))];
}

/**
 * The folder below a checkout that a value of `core.hooksPath` leads to; null for one elsewhere, and
 * for the checkout itself.
 */
export function hooksFolderOf(value: string): string | null {
  if (value === "" || /^[/~]/u.test(value)) return null;
  const path = posix.normalize(value).replace(/\/$/u, "");
  return path === "." || path === ".." || path.startsWith("../") ? null : path;
}
