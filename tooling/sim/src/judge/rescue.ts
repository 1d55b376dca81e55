import type { Word } from "../people.ts";
import type { World } from "../world/world.ts";

/** What did not arrive is found again, where the configuration has somebody look for it. */
export function judgeRescue(world: World, words: readonly Word[]): readonly string[] {
  return [...judgeAudit(world), ...judgePoll(world, words)];
}

/** The host's own list of deliveries names everything that it ever sent. */
function judgeAudit({ auditing, travel, data }: World): readonly string[] {
  if (!auditing) return [];
  return travel
    .deliveries()
    .flatMap(({ id, event }) =>
      data.ids.has(travel.acknowledged.get(id) ?? id)
        ? []
        : [`never-heard-of: ${event} ${id}, with somebody to look for it`],
    );
}

/** What stands on the host since the first poll was read, by whatever way. */
function judgePoll(world: World, words: readonly Word[]): readonly string[] {
  const first = world.firstWholePoll();
  if (first === null) return [];
  const bodies = world.data.deliveries
    .map(({ body }) => (body === null ? "" : Buffer.from(body).toString("utf8")))
    .join("\n");
  const standing = world.host.repository.items
    .flatMap(({ comments, pull }) => [
      ...comments.map(({ body }) => body),
      ...(pull?.reviews.map(({ body }) => body ?? "") ?? []),
    ])
    .join("\n");
  // An edit within the second of the comment's creation leaves no trace in a list whose times are
  // whole seconds.
  return words.flatMap(({ token, at, edited }) =>
    !edited && at > first && standing.includes(token) && !bodies.includes(token)
      ? [`never-heard-of: ${token}, with somebody to poll for it`]
      : [],
  );
}
