import type { Provenance } from "../decide/state.ts";
import type { Item, Repository } from "../normalise/event.ts";
import { closingReferences } from "./closing-keywords.ts";
import { largestNumber, type Ref } from "./ref.ts";
import { presentName } from "./repository-names.ts";

/** An issue that a pull request may belong to, and how it was found. */
export type Candidate = { readonly ref: Ref; readonly provenance: Provenance };

/** The ref of an issue or pull request of the repository. */
export function refIn(repository: Repository, number: number): Ref {
  return { host: repository.host, owner: repository.owner, repo: repository.name, number };
}

/**
 * Issues that a pull request's payload names itself: by its head branch, then by closing keywords
 * in its text. Whether they count is judged in `resolve`: a branch of another repository is named
 * by whoever owns that one, and the text is its author's.
 */
export function inferredIssues(
  item: Item,
  repository: Repository,
  policy: LinkPolicy,
): readonly Candidate[] {
  const closing = closedByText(item.body, repository, policy);
  const branches = item.branches;
  const branch = branches === null ? 0 : issueOfBranch(branches.head);
  const found: Candidate[] = [];
  if (branch !== 0 && branch !== item.number)
    found.push({ ref: refIn(repository, branch), provenance: "head-branch" });
  for (const number of closing) {
    if (number !== branch && number !== item.number)
      found.push({ ref: refIn(repository, number), provenance: "closing-keyword" });
  }
  return found;
}

/**
 * Numbers of the repository's issues that closing keywords in a pull request's text name, under the
 * name that people use for it now.
 */
export function closedByText(
  text: string,
  repository: Repository,
  { defaultHost }: LinkPolicy,
): readonly number[] {
  const { owner, name: repo } = presentName(repository);
  return closingReferences(text, { owner, repo, host: repository.host, defaultHost });
}

export type LinkPolicy = { readonly defaultHost: string };

/** Number in a branch that is named exactly `issue-<n>`; 0 for every other name. */
export function issueOfBranch(branch: string): number {
  if (
    branch.length < 7 ||
    branch.length > 16 ||
    !branch.startsWith("issue-") ||
    branch.charCodeAt(6) === 48
  )
    return 0;
  let number = 0;
  for (let i = 6; i < branch.length; i += 1) {
    const digit = branch.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return 0;
    number = number * 10 + digit;
  }
  return number <= largestNumber ? number : 0;
}

export const noCandidates: readonly Candidate[] = [];
