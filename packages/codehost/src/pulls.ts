import { type Account, CodeHostError, type Ref, sameName } from "@loopwork/core/ports";
import { readActor } from "@loopwork/core";
import type { Client } from "./client.ts";
import { at, listAt, numberAt, textAt } from "./fields.ts";

export type PullRequest = {
  readonly headSha: string;
  readonly headBranch: string;
  readonly sameRepository: boolean;
  readonly headOwner: Account | null;
  readonly author: Account | null;
  readonly body: string;
};

/** The pull request; null when there is none of that number, or what is there is an issue. */
export async function readPull(client: Client, ref: Ref): Promise<PullRequest | null> {
  const answer = await client
    .get("reading a pull request", "/repos/{owner}/{repo}/pulls/{number}", {
      ...client.namesOf(ref),
      number: ref.number,
    })
    .catch(nullIfMissing);
  if (answer === null) return null;
  const head = at(answer.data, "head");
  const [headSha, headBranch] = [textAt(head, "sha"), textAt(head, "ref")];
  if (headSha === null || headBranch === null) return null;
  return {
    headSha,
    headBranch,
    sameRepository: sameRepository(answer.data),
    headOwner: readActor(at(head, "repo", "owner")),
    author: readActor(at(answer.data, "user")),
    body: textAt(answer.data, "body") ?? "",
  };
}

/** What the pull request changes, as a unified diff; null when there is none of that number. */
export async function readChanges(client: Client, ref: Ref): Promise<string | null> {
  const answer = await client
    .get("reading what a pull request changes", "/repos/{owner}/{repo}/pulls/{number}", {
      ...client.namesOf(ref),
      number: ref.number,
      mediaType: { format: "diff" },
    })
    .catch(nullIfMissing);
  if (answer === null) return null;
  if (typeof answer.data !== "string")
    throw new CodeHostError(
      "LOOP_E_HOST_REFUSED",
      `The host did not show what ${ref.owner}/${ref.repo}#${ref.number} changes`,
    );
  return answer.data;
}

/**
 * The issue; null when there is none of that number, it was moved elsewhere, or what is there is a
 * pull request.
 */
export async function readIssue(
  client: Client,
  ref: Ref,
): Promise<{ readonly open: boolean } | null> {
  const answer = await client
    .get("reading an issue", "/repos/{owner}/{repo}/issues/{number}", {
      ...client.namesOf(ref),
      number: ref.number,
    })
    .catch(nullIfMissing);
  if (
    answer === null ||
    numberAt(answer.data, "number") !== ref.number ||
    at(answer.data, "pull_request") != null
  )
    return null;
  return { open: textAt(answer.data, "state") === "open" };
}

/** Open pull requests of the repository that contain the commit. Unknown commits have none. */
export async function pullsOfCommit(
  client: Client,
  repository: Pick<Ref, "host" | "owner" | "repo">,
  sha: string,
): Promise<readonly number[]> {
  const answer = await client
    .get("looking for the pull requests of a commit", "/repos/{owner}/{repo}/commits/{sha}/pulls", {
      ...client.namesOf(repository),
      sha,
      per_page: 100,
    })
    .catch(nullIfMissing);
  const open = listAt(answer?.data).filter(
    (pull) => textAt(pull, "state") === "open" && isAgainst(pull, repository),
  );
  return open.length > 0
    ? open.flatMap((pull) => numberAt(pull, "number") ?? [])
    : pullsWithHead(client, repository, sha);
}

/**
 * The host does not know commits of a fork as its own: among the hundred open pull requests that
 * changed last, those with this head.
 */
async function pullsWithHead(
  client: Client,
  repository: Pick<Ref, "host" | "owner" | "repo">,
  sha: string,
): Promise<readonly number[]> {
  const answer = await client
    .get("looking for the pull requests of a fork's commit", "/repos/{owner}/{repo}/pulls", {
      ...client.namesOf(repository),
      state: "open",
      sort: "updated",
      direction: "desc",
      per_page: 100,
    })
    .catch(nullIfMissing);
  return listAt(answer?.data).flatMap((pull) =>
    textAt(pull, "head", "sha") === sha ? (numberAt(pull, "number") ?? []) : [],
  );
}

/**
 * Compared by id, so that a rename in between does no harm; a deleted fork has no repository and is
 * not the same.
 */
function sameRepository(pull: unknown): boolean {
  const head = numberAt(pull, "head", "repo", "id");
  return head !== null && head === numberAt(pull, "base", "repo", "id");
}

/** The host may list pull requests of other repositories in the same network. */
function isAgainst(pull: unknown, repository: Pick<Ref, "owner" | "repo">): boolean {
  const name = textAt(pull, "base", "repo", "full_name");
  return name === null || sameName(name, `${repository.owner}/${repository.repo}`);
}

/** For answers that say that there is no such thing; every other failure goes on. */
export function nullIfMissing(error: unknown): null {
  if (error instanceof CodeHostError && error.missing) return null;
  throw error;
}
