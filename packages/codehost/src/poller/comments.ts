import {
  commentHappening,
  type Happening,
  type ListedComment,
  type PolledItem,
  type PollStream,
  readComment,
  readReview,
  settleEdit,
  sinceOf,
} from "@loopwork/core";
import { numberAt } from "../fields.ts";
import { editorOf } from "./editor.ts";
import {
  type ChangesOf,
  type Gathering,
  isSince,
  keep,
  mayHaveCounted,
  noneWhereMissing,
  worthAsking,
} from "./poll-context.ts";

/**
 * Comments in conversations and on diffs; of those that may have been edited the host is asked who
 * did.
 */
export async function said(poll: Gathering, of: ChangesOf): Promise<readonly Happening[]> {
  const { comments, "diff-comments": diffs } = poll.streams.entries;
  const listed: readonly ListedComment[] = [
    ...comments.flatMap((entry) => readComment("conversation", entry) ?? []),
    ...diffs.flatMap((entry) => readComment("diff", entry) ?? []),
  ];
  const found: Happening[] = [];
  for (const comment of listed) {
    if (!worthAsking(poll, comment.number, comment.updatedAt)) continue;
    const stream: PollStream = comment.surface === "diff" ? "diff-comments" : "comments";
    found.push(...((await poll.stuck.around(stream, () => tell(poll, comment, of))) ?? []));
  }
  return found;
}

async function tell(
  poll: Gathering,
  comment: ListedComment,
  of: ChangesOf,
): Promise<readonly Happening[]> {
  const subject = await (comment.surface === "diff"
    ? poll.subjects.pull(comment.number)
    : poll.subjects.issue(comment.number));
  return subject === null ? [] : settled(poll, comment, subject, of);
}

/**
 * What counts of a comment or review. The host is asked about those alone that count and may have
 * been edited.
 */
async function settled(
  poll: Gathering,
  comment: ListedComment,
  subject: PolledItem,
  of: ChangesOf,
): Promise<readonly Happening[]> {
  const changes = of(comment.number);
  const [happening] = keep(poll, commentHappening(comment, subject, changes));
  if (happening === undefined || happening.editedNode === null)
    return happening === undefined ? [] : [happening];
  return keep(
    poll,
    settleEdit(
      happening,
      comment,
      subject,
      changes,
      await editorOf(poll.client, happening.editedNode),
    ),
  );
}

/** Reviews are listed for each pull request alone: for those that have changed. */
export async function reviewed(poll: Gathering, of: ChangesOf): Promise<readonly Happening[]> {
  const since = sinceOf(poll.cursor, "pulls");
  const found: Happening[] = [];
  for (const entry of poll.streams.entries.pulls) {
    const number = numberAt(entry, "number") ?? 0;
    const listed = await poll.stuck.around("pulls", () => reviewsOf(poll, number));
    if (listed === null) continue;
    for (const review of listed.reviews.filter(({ createdAt }) => isSince(createdAt, since)))
      found.push(
        ...((await poll.stuck.around("pulls", () => settled(poll, review, listed.subject, of))) ??
          []),
      );
  }
  return found;
}

/** A pull request and its reviews; null where none of them can count. */
async function reviewsOf(
  poll: Gathering,
  number: number,
): Promise<{ readonly subject: PolledItem; readonly reviews: readonly ListedComment[] } | null> {
  const subject = await poll.subjects.pull(number);
  if (subject === null || !mayHaveCounted(poll, subject)) return null;
  const entries = await poll.pages
    .list("listing reviews", `${poll.base}/pulls/${number}/reviews?per_page=100`, null)
    .catch(noneWhereMissing);
  return { subject, reviews: (entries ?? []).flatMap((entry) => readReview(number, entry) ?? []) };
}
