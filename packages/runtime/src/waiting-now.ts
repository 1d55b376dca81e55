import { type Waiting, waitingOf } from "@loopwork/core";
import type { Store, Turn } from "@loopwork/core/ports";
import type { Config } from "@loopwork/core/config";

/** More than anybody reads; the rest is seen once some of these are settled. */
const mostItems = 2_000;

/**
 * What waits at `now`, milliseconds since 1970, what needs a person first; `open` are the newest
 * turns that have not ended well.
 */
export async function waitingNow(
  store: Pick<Store, "items" | "lanes" | "outbox">,
  { routing }: Pick<Config, "routing">,
  now: number,
): Promise<{ readonly waiting: readonly Waiting[]; readonly open: readonly Turn[] }> {
  const [items, open, pending] = await Promise.all([
    store.items.page({ after: null, limit: mostItems, only: "waiting" }),
    store.lanes.turns({ states: ["ready", "injecting", "uncertain", "failed"], limit: 200 }),
    store.outbox.pending({ limit: 1_000 }),
  ]);
  return {
    waiting: waitingOf({ items, open, pending }, routing.control, routing.interaction.mode, now),
    open,
  };
}
