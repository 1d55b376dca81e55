import { WorkspaceError } from "./failure.ts";

/** Characters that git refuses in names of branches, besides control characters and the space. */
const never = "~^:?*[\\ ";

/**
 * Whether git would take the text as the name of a branch, and no part of git could take it for an
 * option.
 */
export function isBranchName(name: string): boolean {
  if (
    !name.isWellFormed() ||
    name.length === 0 ||
    name.length > 255 ||
    name === "@" ||
    name.startsWith("-")
  )
    return false;
  if (name.includes("..") || name.includes("@{") || name.endsWith(".")) return false;
  for (const character of name) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 32 || code === 127 || never.includes(character)) return false;
  }
  return name
    .split("/")
    .every((part) => part !== "" && !part.startsWith(".") && !part.endsWith(".lock"));
}

/**
 * The one form in which a branch reaches git: `refs/heads/<name>`. Throws
 * `LOOP_E_WORKSPACE_BRANCH`.
 */
export function branchRef(name: string): string {
  if (!isBranchName(name))
    throw new WorkspaceError(
      "LOOP_E_WORKSPACE_BRANCH",
      `${JSON.stringify(name.slice(0, 80))} is no name of a branch.`,
      "Only branches with names that git itself accepts are checked out.",
    );
  return `refs/heads/${name}`;
}

/**
 * Where a clone keeps the head of a pull request from another repository. Throws
 * `LOOP_E_WORKSPACE_BRANCH` for what is no number.
 */
export function pullRef(number: number): string {
  if (!Number.isSafeInteger(number) || number <= 0)
    throw new WorkspaceError(
      "LOOP_E_WORKSPACE_BRANCH",
      `${number} is no number of a pull request.`,
      "Only pull requests of the host are checked out.",
    );
  return `refs/loop/pull/${number}`;
}
