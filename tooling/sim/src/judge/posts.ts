import type { World } from "../world/world.ts";

/** Tries after which a host that is away is given up. */
const mostTries = 12;

/** What the service posts stands on the host once, and what it says it has posted stands there. */
export function judgePosts({ host, data }: World): readonly string[] {
  const purposes = host.repository.items
    .flatMap(({ comments }) => comments)
    .flatMap(({ body }) => /<!-- loop:([^:]+):/.exec(body)?.[1] ?? []);
  const doubled = [...new Set(purposes.filter((purpose, n) => purposes.indexOf(purpose) !== n))];
  const replies = data.effects.filter(({ effect }) => effect.kind === "reply");
  const missing = replies.filter(
    ({ id, createdAt, state }) =>
      state === "done" && !purposes.includes(`effect-default-${createdAt.toString(36)}-${id}`),
  );
  // A host that stays away for a dozen tries is given up, and the log says so.
  const failed = replies.filter(
    ({ state, attempts }) => state === "failed" && attempts < mostTries,
  );
  return [
    ...doubled.map((purpose) => `post-doubled: ${purpose}`),
    ...missing.map(({ id }) => `post-missing: effect ${id} is done and nothing stands on the host`),
    ...failed.map(({ id, note }) => `post-lost: effect ${id} failed: ${note ?? ""}`),
  ];
}
