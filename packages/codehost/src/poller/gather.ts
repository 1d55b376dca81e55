import { type Happening, type PollCursor, readChange, sortHappenings } from "@loopwork/core";
import { changed, edited, opened, pushed } from "./changed-items.ts";
import { checked } from "./ci-checks.ts";
import type { ChangesOf, Gathering } from "./poll-context.ts";
import { reviewed, said } from "./comments.ts";

/**
 * What happened, as the host's webhooks would have told it, oldest first, and what the next poll
 * compares with.
 */
export async function gather(
  poll: Gathering,
): Promise<{ readonly happenings: readonly Happening[] } & Pick<PollCursor, "heads" | "texts">> {
  const changes = poll.streams.entries.events.flatMap((entry) => readChange(entry) ?? []);
  const of: ChangesOf = (number) => changes.filter((change) => change.number === number);
  const [pushes, edits] = [await pushed(poll), await edited(poll, of)];
  const found = [
    ...(await opened(poll, of)),
    ...(await changed(poll, changes, of)),
    ...edits.happenings,
    ...(await said(poll, of)),
    ...(await reviewed(poll, of)),
    ...pushes.happenings,
    ...(await checked(poll, pushes.heads)),
  ];
  return { happenings: sortHappenings(found), heads: pushes.heads, texts: edits.texts };
}
