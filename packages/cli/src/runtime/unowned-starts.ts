import { type InboundEvent, type InstanceRow, instantOf, type Policy, readControl, type Reason, standingOf, type UnownedStart } from "@loopwork/core";
import type { Store } from "@loopwork/core/ports";

const sevenDays = 7 * 24 * 60 * 60 * 1000;
const [mostLines, mostStarts] = [1_000, 20];
const leftToOthers: ReadonlySet<string> = new Set<Reason>(["addressed-elsewhere", "scope-addressed", "scope-locked", "instance-drained"]);

/**
 * Starts that nobody may have taken, newest first, one an item (facts on adversarial cases, S10): nothing is said on the thread, as the
 * instance that was meant may be at work without us. A start counts for seven days, so that older ones wait for nobody.
 */
export async function unownedStarts(store: Pick<Store, "events" | "log" | "items" | "instances">, policy: Pick<Policy, "keywords" | "instance">, now: number): Promise<readonly UnownedStart[]> {
  const lines = await store.events.list({ kind: "delivery.decided", since: now - sevenDays, limit: mostLines, newestFirst: true });
  const found = new Map<string, UnownedStart>();
  const instances = lines.some(({ reason }) => reason !== null && leftToOthers.has(reason)) ? await store.instances.list() : [];
  for (const { workItem, delivery, reason } of lines) {
    if (workItem === null || delivery === null || reason === null || !leftToOthers.has(reason) || found.has(workItem) || found.size === mostStarts) continue;
    const decided = await store.log.decision(delivery);
    if (decided?.event == null || decided.workItem === null || decided.decision.verdict.kind !== "refused" || decided.decision.verdict.verb !== "start") continue;
    const { control } = (await store.items.load(decided.workItem)).workItem ?? {};
    if (control?.status === "started" || control?.status === "paused" || (control?.at ?? 0) > decided.decidedAt) continue;
    const { event } = decided;
    const address = addressOf(event, policy);
    const addressee = addresseeOf(address, instances);
    const type = decided.decision.reason === "scope-locked" ? `list ${workItem} under instance.scope.workItems to work on it here` : `if nobody took it: comment the start again with instance:${policy.instance.name}`;
    found.set(decided.workItem, { workItem: decided.workItem, address, addressee, words: wordsOf(address, addressee), type, by: event.actor?.login ?? "somebody", at: instantOf(event.at) ?? decided.decidedAt, delivery, reason: decided.decision.reason });
  }
  return [...found.values()];
}

const standings = { unknown: "which nobody knows", away: "which is away", stopped: "which is stopped", running: "which runs and has not taken it" } as const;

function wordsOf(address: string | null, addressee: UnownedStart["addressee"]): string {
  return address === null ? "names no instance" : `is for instance ${address}, ${standings[addressee ?? "unknown"]}`;
}

function addresseeOf(address: string | null, instances: readonly InstanceRow[]): UnownedStart["addressee"] {
  const named = instances.find(({ name }) => name === address);
  return address === null ? null : named === undefined ? "unknown" : standingOf(named);
}

function addressOf(event: InboundEvent, { keywords }: Pick<Policy, "keywords">): string | null {
  if (event.kind === "control") return event.request.verb === "say" || event.request.verb === "graph" ? null : event.request.instance;
  const control = event.kind === "comment" ? readControl(event.comment.body, keywords) : null;
  return control?.kind === "command" ? control.address : null;
}
