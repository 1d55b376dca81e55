import { type InboundEvent, normalise, type Policy } from "@loopwork/core";
import { parseConfig, policyOf } from "@loopwork/core/config";
import {
  type Decided,
  emptyItemState,
  formatRef,
  type ItemState,
  parsePayload,
  type Ref,
  type Store,
  type StoredDelivery,
  type TakenLane,
} from "@loopwork/core/ports";

const leaseMs = 30_000;
const policy = defaultPolicy();

/**
 * Reads and parses a stored delivery and decides it as the start of a work item of its own: the
 * item and its first turn in one transaction.
 */
export async function claimItem(store: Store, delivery: StoredDelivery): Promise<void> {
  const bytes = await store.log.body(delivery.seq);
  if (bytes === null) throw new Error(`the body of ${delivery.id} is gone`);
  const event = understand(delivery, bytes);
  const ref: Ref = { host: null, owner: "octo", repo: "app", number: delivery.seq };
  if (
    (await store.log.decide(delivery.seq, formatRef(ref), (item) => startOf(ref, event, item))) ===
    null
  )
    throw new Error(`${delivery.id} was decided before`);
}

/** Takes the next lane and writes the attempt that is about to be made. */
export async function dispatchTurn(store: Store): Promise<TakenLane> {
  const now = Date.now();
  const taken = await store.lanes.take({
    owner: "bench",
    now,
    leaseMs,
    merge: () => ({ kind: "go", merge: [] }),
  });
  if (taken === null) throw new Error("there is no lane to take");
  const begun = await store.lanes.begin(
    taken.lease,
    taken.turn.id,
    {
      receipt: `receipt-${taken.turn.id}`,
      kind: "first",
      harnessSessionId: `session-${taken.turn.id}`,
      startedAt: now,
      child: null,
    },
    [],
  );
  if (!begun) throw new Error("the lane that was taken is not ours");
  return taken;
}

/** Ends the turn, as its session would: few lanes are at work at a time. */
export async function endTurn(store: Store, { lease, turn }: TakenLane): Promise<void> {
  await store.lanes.settle(lease, turn.id, {
    state: "done",
    note: null,
    next: "first",
    notBefore: 0,
    fold: (item) => item,
    effects: [],
    lines: [],
  });
}

function understand(delivery: StoredDelivery, bytes: Uint8Array): InboundEvent {
  const parsed = parsePayload(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  const understood = parsed.ok ? normalise(delivery, parsed.payload, policy) : parsed;
  if (!understood.ok) throw new Error(`the delivery was not understood: ${understood.why}`);
  return understood.event;
}

/** What a granted start writes: the item, its turn, one line. */
function startOf(ref: Ref, event: InboundEvent, item: ItemState): Decided {
  const workItem = formatRef(ref);
  const started: ItemState = {
    ...emptyItemState,
    workItem: {
      ref: workItem,
      hostId: null,
      repositoryId: null,
      type: "issue",
      title: "A work item of the benchmark",
      url: null,
      cloneUrl: null,
      defaultBranch: "main",
      open: true,
      armed: true,
      labels: [],
      control: {
        status: "started",
        instance: "bench",
        requestedBy: "octocat",
        source: "comment",
        deliveryId: event.deliveryId,
        at: Date.now(),
        before: null,
      },
      closeDeferred: false,
      spend: { turns: 0, usd: 0, minutes: 0 },
      hostUpdatedAt: null,
    },
  };
  return {
    event,
    state: {
      target: null,
      item,
      own: "no",
      pinnedActorId: null,
      seenAs: null,
      ownedBy: null,
      now: Date.now(),
    },
    decision: {
      verdict: { kind: "noted" },
      reason: "armed",
      effects: [{ kind: "turn", endpoint: ref, mode: "spawn", event, authority: "authorized" }],
    },
    after: started,
    key: `bench:${event.deliveryId}`,
    lines: [
      {
        time: Date.now(),
        kind: "delivery.decided",
        level: "info",
        instance: "bench",
        workItem,
        delivery: event.deliveryId,
        reason: "armed",
        fields: {},
      },
    ],
    pin: null,
  };
}

function defaultPolicy(): Policy {
  const parsed = parseConfig("{}\n", { file: "cli-config.yaml" });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return policyOf(parsed.config);
}
