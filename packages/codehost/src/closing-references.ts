import { CodeHostError, type Ref } from "@loopwork/core/ports";
import type { Client } from "./client.ts";
import { listAt, numberAt, textAt } from "./fields.ts";

const question =
  "query ($owner: String!, $repo: String!, $number: Int!) { repository(owner: $owner, name: $repo) { pullRequest(number: $number) { closingIssuesReferences(first: 50) { nodes { number repository { nameWithOwner } } } } } }";

/**
 * Issues that the host says the pull request closes. Empty where the host cannot be asked that, or
 * knows no such pull request.
 */
export async function readClosingReferences(client: Client, ref: Ref): Promise<readonly Ref[]> {
  if (!client.queries) return [];
  const names = client.namesOf(ref);
  const answer = await client
    .query("reading what a pull request closes", question, { ...names, number: ref.number })
    .catch(emptyIfUnanswered);
  return listAt(answer, "repository", "pullRequest", "closingIssuesReferences", "nodes").flatMap(
    (node) => toRef(node, ref),
  );
}

function toRef(node: unknown, asked: Ref): readonly Ref[] {
  const number = numberAt(node, "number");
  const [owner, repo, more] = (textAt(node, "repository", "nameWithOwner") ?? "").split("/");
  return number === null || !owner || !repo || more !== undefined
    ? []
    : [{ host: asked.host, owner, repo, number }];
}

function emptyIfUnanswered(error: unknown): null {
  if (error instanceof CodeHostError && error.missing) return null;
  throw error;
}
