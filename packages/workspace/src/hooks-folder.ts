import { dirname, posix, resolve } from "node:path";
import type { Git } from "./git.ts";

/**
 * The folders of a checkout from which the user's configuration would have git run hooks, in this
 * checkout or in any other: a session can make what a condition of an include asks for. What a
 * clone's own configuration may name is protected anyway.
 */
export async function hooksFolders(git: Git): Promise<readonly string[]> {
  const values = await valuesIn(git, [], new Set());
  return [...new Set(values.flatMap((value) => hooksFolderOf(value) ?? []))];
}

/**
 * Values of `core.hooksPath` in the user's configuration, or in one file, and in all that it
 * includes on whatever condition. `seen` are the files that were read.
 */
async function valuesIn(
  git: Git,
  source: readonly string[],
  seen: Set<string>,
): Promise<readonly string[]> {
  const keys = String.raw`^(core\.hookspath|include(if\..*)?\.path)$`;
  const options = ["--no-includes", "-z", "--show-origin", "--type=path"];
  const args = ["config", ...source, ...options, "--get-regexp", keys];
  // Neither set, nor there at all.
  const printed = await git.run({ kind: "nowhere" }, args, { answers: [1] });
  const values: string[] = [];
  const fields = printed.split("\0");
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [origin = "", entry = ""] = [fields[at], fields[at + 1]];
    const value = entry.slice(entry.indexOf("\n") + 1);
    const file = resolve(dirname(origin.replace(/^file:/u, "")), value);
    if (entry.startsWith("core.")) values.push(value);
    else if (!seen.has(file))
      values.push(...(await valuesIn(git, ["--file", file], seen.add(file))));
  }
  return values;
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
