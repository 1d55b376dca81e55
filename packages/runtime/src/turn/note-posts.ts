import type { OwnPost } from "@loopwork/core";
import type { Turn } from "@loopwork/core/ports";
import { eventLine } from "../event-line.ts";
import { byTool } from "../own-comment.ts";
import type { RuntimeParts } from "../parts.ts";
import type { TurnAnswer } from "./requests.ts";

/**
 * Comments that one turn may say it posted: agents post a handful, and each one named is a comment
 * that may not be heard.
 */
const mostPosts = 50;

/** What the agent posted by tools of its own, so that its echo is known. */
export async function notePosts(
  posts: readonly OwnPost[],
  purpose: string,
  turn: Turn,
  parts: RuntimeParts,
): Promise<TurnAnswer> {
  const began = turn.attempt?.startedAt ?? turn.createdAt;
  const lines = await parts.store.events.list({
    kind: "host.posted",
    workItem: turn.workItem,
    since: turn.createdAt,
    limit: 1_000,
    newestFirst: true,
  });
  const before = lines.filter(
    ({ reason, fields }) => reason === byTool && fields["turn"] === turn.id,
  ).length;
  const noted = posts.slice(0, Math.max(0, mostPosts - before));
  await parts.store.events.append(
    noted.map(({ surface, commentId }) =>
      eventLine(parts, "host.posted", {
        workItem: turn.workItem,
        reason: byTool,
        fields: { comment: commentId, surface, purpose, turn: turn.id, began },
      }),
    ),
  );
  if (noted.length === posts.length)
    return { ok: true, message: `${noted.length} noted`, data: { noted: noted.length } };
  const detail = `a turn named more than ${mostPosts} comments as its own posts; the others are heard like anybody's`;
  await parts.store.events.append([
    eventLine(parts, "daemon.warning", {
      level: "warn",
      workItem: turn.workItem,
      reason: "too-many-posts",
      fields: { turn: turn.id, detail },
    }),
  ]);
  return { ok: false, code: "LOOP_E_TURN_REQUEST", message: detail, hint: "use `loop comment`" };
}
