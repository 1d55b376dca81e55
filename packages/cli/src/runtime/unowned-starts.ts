import { type InboundEvent, instantOf, type Policy, readControl, type Reason } from "@loopwork/core";
import type { Store } from "@loopwork/core/ports";

/** A start that this instance left to another one, of an item that nobody here is at work on. `at`: milliseconds since 1970. */
export type UnownedStart = { readonly workItem: string; readonly address: string | null; readonly by: string; readonly at: number; readonly delivery: string; readonly reason: Reason };

const sevenDays = 7 * 24 * 60 * 60 * 1000;
const [mostLines, mostStarts] = [1_000, 20];
const leftToOthers: ReadonlySet<string> = new Set<Reason>(["addressed-elsewhere", "scope-addressed", "scope-locked"]);

/**
 * Starts that nobody may have taken, newest first, one an item (facts on adversarial cases, S10): nothing is said on the thread, as the
 * instance that was meant may be at work without us. A start counts for seven days, so that older ones wait for nobody.
 */
export async function unownedStarts(store: Pick<Store, "events" | "log" | "items">, policy: Pick<Policy, "keywords">, now: number): Promise<readonly UnownedStart[]> {
  const lines = await store.events.list({ kind: "delivery.decided", since: now - sevenDays, limit: mostLines, newestFirst: true });
  const found = new Map<string, UnownedStart>();
  for (const { workItem, delivery, reason } of lines) {
    if (workItem === null || delivery === null || reason === null || !leftToOthers.has(reason) || found.has(workItem) || found.size === mostStarts) continue;
    const decided = await store.log.decision(delivery);
    if (decided?.event == null || decided.workItem === null || decided.decision.verdict.kind !== "refused" || decided.decision.verdict.verb !== "start") continue;
    const { control } = (await store.items.load(decided.workItem)).workItem ?? {};
    if (control?.status === "started" || control?.status === "paused" || (control?.at ?? 0) > decided.decidedAt) continue;
    const { event } = decided;
    found.set(workItem, { workItem, address: addressOf(event, policy), by: event.actor?.login ?? "somebody", at: instantOf(event.at) ?? decided.decidedAt, delivery, reason: decided.decision.reason });
  }
  return [...found.values()];
}

function addressOf(event: InboundEvent, { keywords }: Pick<Policy, "keywords">): string | null {
  if (event.kind === "control") return event.request.verb === "say" || event.request.verb === "graph" ? null : event.request.instance;
  const control = event.kind === "comment" ? readControl(event.comment.body, keywords) : null;
  return control?.kind === "command" ? control.address : null;
}
