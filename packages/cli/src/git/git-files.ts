import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readPlainFileSync } from "../files/plain-file.ts";

/**
 * What git's own files say, for commands that must start fast: starting git costs as much as a
 * third of starting Node. Undefined where they say it in another way than is read here; git itself
 * knows then.
 */
export type ByFiles<T> = T | undefined;

/** The top of the work tree that a folder lies in. */
export function topByFiles(folder: string): ByFiles<string> {
  for (let at = realpathSync(folder); ; at = dirname(at)) {
    if (gitDirOf(at) !== undefined) return at;
    if (dirname(at) === at) return undefined;
  }
}

/** The commit that is checked out at the top of a work tree. */
export function headByFiles(top: string): ByFiles<string> {
  const gitDir = gitDirOf(top);
  const head = gitDir === undefined ? undefined : textOf(join(gitDir, "HEAD"));
  if (gitDir === undefined || head === undefined) return undefined;
  if (isCommit(head)) return head;
  const ref = /^ref: (refs\/heads\/[^\s]{1,500})$/.exec(head)?.[1];
  if (ref === undefined || ref.split("/").some((part) => part.startsWith("."))) return undefined;
  const shared = textOf(join(gitDir, "commondir"));
  const common = shared === undefined ? gitDir : resolve(gitDir, shared);
  const loose = textOf(join(common, ref));
  if (loose !== undefined) return isCommit(loose) ? loose : undefined;
  const packed = textOf(join(common, "packed-refs"))
    ?.split("\n")
    .find((line) => line.endsWith(` ${ref}`))
    ?.split(" ")[0];
  return packed !== undefined && isCommit(packed) ? packed : undefined;
}

/** A folder, or a file that names one, as worktrees and submodules have it. */
function gitDirOf(top: string): ByFiles<string> {
  const found = statSync(join(top, ".git"), { throwIfNoEntry: false });
  if (found?.isDirectory() === true)
    return existsSync(join(top, ".git", "HEAD")) ? join(top, ".git") : undefined;
  const named =
    found?.isFile() === true
      ? /^gitdir: (.+)$/.exec(textOf(join(top, ".git")) ?? "")?.[1]
      : undefined;
  return named === undefined ? undefined : resolve(top, named);
}

/** Bytes of the longest list of references that is read. */
const longest = 64 * 1024 ** 2;

function textOf(file: string): ByFiles<string> {
  try {
    return readPlainFileSync(file, longest)?.toString("utf8").trimEnd();
  } catch {
    return undefined;
  }
}

function isCommit(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}
