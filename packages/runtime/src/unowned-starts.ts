import {
  type InboundEvent,
  instantOf,
  type Policy,
  type Reason,
  type UnownedStart,
} from "@loopwork/core";
import { readControl } from "@loopwork/core/keywords";
import {
  type DeliveryEntry,
  type InstanceRow,
  instanceStatus,
  type RefText,
  type Store,
} from "@loopwork/core/ports";

const sevenDays = 7 * 24 * 60 * 60 * 1000;
const [atOnce, mostStarts] = [200, 20];
const leftToOthers: readonly Reason[] = [
  "addressed-elsewhere",
  "scope-addressed",
  "scope-locked",
  "instance-drained",
];

/**
 * Starts that nobody may have taken, newest first, one an item: nothing is said on the thread, as
 * the instance that was meant may be at work without us. A start counts for seven days, so that
 * older ones wait for nobody.
 */
export async function unownedStarts(
  store: UnownedStore,
  policy: Pick<Policy, "keywords" | "instance">,
  now: number,
): Promise<readonly UnownedStart[]> {
  const found = new Map<RefText, UnownedStart>();
  let instances: readonly InstanceRow[] | null = null;
  for await (const { id, decision } of refusedStarts(store, now)) {
    const workItem = decision?.workItem ?? null;
    if (workItem === null || found.has(workItem)) continue;
    instances ??= await store.instances.list();
    const start = await unownedStart(id, workItem, instances, store, policy);
    if (start !== null) found.set(workItem, start);
    if (found.size === mostStarts) break;
  }
  return [...found.values()];
}

type UnownedStore = Pick<Store, "log" | "items" | "instances">;

/** What this instance left to others, newest first, as far back as it counts. */
async function* refusedStarts(
  { log }: Pick<Store, "log">,
  now: number,
): AsyncGenerator<DeliveryEntry> {
  for (let before: number | null = null; ;) {
    const entries: readonly DeliveryEntry[] = await log.list({
      refused: leftToOthers,
      newestFirst: true,
      limit: atOnce,
      ...(before === null ? {} : { beforeSeq: before }),
    });
    yield* entries.filter(({ receivedAt }) => receivedAt >= now - sevenDays);
    const last = entries.at(-1);
    if (last === undefined || entries.length < atOnce || last.receivedAt < now - sevenDays) return;
    before = last.seq;
  }
}

/** Null where somebody has taken the item, or was asked again, since. */
async function unownedStart(
  delivery: string,
  workItem: RefText,
  instances: readonly InstanceRow[],
  store: UnownedStore,
  policy: Pick<Policy, "keywords" | "instance">,
): Promise<UnownedStart | null> {
  const decided = await store.log.decision(delivery);
  if (
    decided?.event == null ||
    decided.decision.verdict.kind !== "refused" ||
    decided.decision.verdict.verb !== "start"
  )
    return null;
  const { control } = (await store.items.load(workItem)).workItem ?? {};
  if (
    control?.status === "started" ||
    control?.status === "paused" ||
    (control?.at ?? 0) > decided.decidedAt
  )
    return null;
  const { event, decision, decidedAt } = decided;
  const address = addressOf(event, policy);
  const addressee = addresseeOf(address, instances);
  return {
    workItem,
    address,
    addressee,
    words: wordsOf(address, addressee),
    type: remedyOf(workItem, decision.reason, policy),
    by: event.actor?.login ?? "somebody",
    at: instantOf(event.at) ?? decidedAt,
    delivery,
    reason: decision.reason,
  };
}

/** What lets this instance take it. */
function remedyOf(
  workItem: RefText,
  reason: Reason,
  { keywords, instance }: Pick<Policy, "keywords" | "instance">,
): string {
  if (reason === "scope-locked")
    return `list ${workItem} under instance.scope.workItems to work on it here`;
  return `if nobody took it: ${keywords.start === "" ? `\`loop sessions start --work-item ${workItem}\` on this machine` : `comment "${keywords.start} instance:${instance.name}" on it`}`;
}

const standings = {
  unknown: "which nobody knows",
  away: "which is away",
  stopped: "which is stopped",
  running: "which runs and has not taken it",
} as const;

function wordsOf(address: string | null, addressee: UnownedStart["addressee"]): string {
  return address === null
    ? "names no instance"
    : `is for instance ${address}, ${standings[addressee ?? "unknown"]}`;
}

function addresseeOf(
  address: string | null,
  instances: readonly InstanceRow[],
): UnownedStart["addressee"] {
  const named = instances.find(({ name }) => name === address);
  return address === null ? null : named === undefined ? "unknown" : instanceStatus(named);
}

function addressOf(event: InboundEvent, { keywords }: Pick<Policy, "keywords">): string | null {
  if (event.kind === "control")
    return event.request.verb === "say" || event.request.verb === "graph"
      ? null
      : event.request.instance;
  const control = event.kind === "comment" ? readControl(event.comment.body, keywords) : null;
  return control?.kind === "command" ? control.address : null;
}
