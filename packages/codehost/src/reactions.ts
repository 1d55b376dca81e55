import type { CommentTarget } from "@loopwork/core";
import { CodeHostError } from "@loopwork/core/ports";
import type { Client } from "./client.ts";
import { textAt } from "./fields.ts";

/**
 * Adds a reaction. A host that has none on reviews gets none: a missing one hurts nobody, so that
 * is no failure.
 */
export async function addReaction(
  client: Client,
  target: CommentTarget,
  reaction: "eyes" | "hooray" | "confused",
): Promise<void> {
  const names = client.namesOf(target.thread);
  if (target.surface === "review") return reactToReview(client, target, reaction);
  const kind = target.surface === "diff" ? "pulls" : "issues";
  await client.post(
    "reacting to a comment",
    `/repos/{owner}/{repo}/${kind}/comments/{id}/reactions`,
    { ...names, id: target.commentId, content: reaction },
  );
}

const mutation =
  "mutation ($subject: ID!, $content: ReactionContent!) { addReaction(input: { subjectId: $subject, content: $content }) { reaction { content } } }";

/** Reviews have no address for reactions; the query language has. */
async function reactToReview(
  client: Client,
  target: CommentTarget,
  reaction: string,
): Promise<void> {
  if (!client.queries) return;
  const params = {
    ...client.namesOf(target.thread),
    number: target.thread.number,
    id: target.commentId,
  };
  try {
    const { data } = await client.get(
      "reading a review",
      "/repos/{owner}/{repo}/pulls/{number}/reviews/{id}",
      params,
    );
    const subject = textAt(data, "node_id");
    if (subject !== null)
      await client.query("reacting to a review", mutation, {
        subject,
        content: reaction.toUpperCase(),
      });
  } catch (error) {
    if (error instanceof CodeHostError && (error.missing || error.code === "LOOP_E_HOST_REFUSED"))
      return;
    throw error;
  }
}
