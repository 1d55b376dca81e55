import { adoptedBy, type Effect, type InboundEvent } from "@loopwork/core";
import {
  type Adoption,
  type Decided,
  emptyItemState,
  type EventLine,
  formatRef,
  type Hold,
  type InstanceLife,
  type ItemState,
  type MergeTurns,
  type Ref,
  type RefText,
  type Session,
  type Settled,
  type Store,
  type TakenLane,
  type TurnInput,
  verbatimPost,
  type WorkItem,
} from "@loopwork/core/ports";
import { deliveryOf, noon } from "@loopwork/core/testing";
import type { OpenHandle } from "./row.ts";

export const leaseMs: number = 15_000;

export function refOf(number: number): Ref {
  return { host: null, owner: "octo", repo: "app", number };
}

export function refText(number: number): RefText {
  return formatRef(refOf(number));
}

export function eventFor(
  deliveryId: string,
  number: number,
  title: string = "A title",
): InboundEvent {
  return {
    kind: "activity",
    deliveryId,
    source: "webhook",
    event: "issues",
    action: "edited",
    repository: {
      host: null,
      owner: "octo",
      name: "app",
      id: "1",
      defaultBranch: "main",
      cloneUrl: null,
    },
    actor: { login: "ada", id: "7", bot: false },
    at: "2025-06-15T12:00:00Z",
    key: `issue:${number}:edited:${deliveryId}`,
    item: {
      type: "issue",
      number,
      id: "9",
      title,
      body: "",
      url: null,
      open: true,
      labels: [],
      author: null,
      updatedAt: null,
      branches: null,
      merged: false,
    },
  };
}

export function turnFor(
  deliveryId: string,
  number: number,
  mode: "spawn" | "resume" = "resume",
): Effect {
  return {
    kind: "turn",
    endpoint: refOf(number),
    mode,
    event: eventFor(deliveryId, number),
    authority: "authorized",
  };
}

export function reply(number: number, text: string): Extract<Effect, { kind: "reply" }> {
  return { kind: "reply", thread: refOf(number), text: verbatimPost(text) };
}

export function decided(
  over: Partial<Decided> & { readonly effects?: readonly Effect[] } = {},
): Decided {
  const { effects = [], ...rest } = over;
  return {
    event: null,
    state: null,
    decision: { verdict: { kind: "noted" }, reason: "armed", effects },
    after: null,
    key: null,
    lines: [],
    pin: null,
    ...rest,
  };
}

export function lineOf(over: Partial<EventLine> = {}): EventLine {
  return {
    time: noon,
    kind: "delivery.decided",
    level: "info",
    instance: "default",
    workItem: null,
    delivery: null,
    reason: null,
    fields: {},
    ...over,
  };
}

/** Stores a delivery and returns its seq. */
export async function stored(store: Store, id: string): Promise<number> {
  const answer = await store.append(deliveryOf(id));
  if (answer.kind !== "accepted") throw new Error(`the delivery ${id} was not accepted`);
  return answer.seq;
}

/**
 * Stores a delivery and decides it: one turn on the lane of `endpoint`, which is the work item
 * itself unless given.
 */
export async function queueTurn(
  store: Store,
  id: string,
  workItem: number,
  endpoint: number = workItem,
  mode: "spawn" | "resume" = "resume",
): Promise<void> {
  await decide(store, id, workItem, decided({ effects: [turnFor(id, endpoint, mode)] }));
}

export async function decide(
  store: Store,
  id: string,
  workItem: number | null,
  what: Decided,
): Promise<Decided | null> {
  return store.log.decide(
    await stored(store, id),
    workItem === null ? null : refText(workItem),
    () => what,
  );
}

/** Sets parts of a work item's state. */
export async function setItem(
  store: Store,
  workItem: number,
  over: Partial<ItemState>,
): Promise<ItemState> {
  return store.items.update(refText(workItem), (item) => ({
    after: { ...item, ...over },
    lines: [],
  }));
}

export async function holdLane(
  store: Store,
  workItem: number,
  hold: Hold | null,
  endpoint: number = workItem,
): Promise<void> {
  await setItem(store, workItem, { lanes: [{ endpoint: refText(endpoint), hold }] });
}

export function holdOf(reason: Hold["reason"], until: number | null = null): Hold {
  return { reason, until, detail: "for a test" };
}

export function sessionOf(workItem: number, over: Partial<Session> = {}): Session {
  return {
    endpoint: refText(workItem),
    workItem: refText(workItem),
    harness: "A",
    harnessSessionId: `session-${workItem}`,
    status: "active",
    runner: "headless",
    workdir: null,
    begun: false,
    createdAt: noon,
    ...over,
  };
}

export function workItemOf(number: number, over: Partial<WorkItem> = {}): WorkItem {
  return {
    ref: refText(number),
    hostId: "77",
    repositoryId: "1",
    type: "issue",
    title: 'Tïtle \u{1F600} with "quotes"',
    url: null,
    cloneUrl: null,
    defaultBranch: null,
    open: true,
    armed: true,
    labels: ["b", "a"],
    control: {
      status: "idle",
      instance: null,
      requestedBy: null,
      source: null,
      deliveryId: null,
      at: null,
      before: null,
      since: { at: noon, clock: "machine" },
    },
    revoked: [
      { login: "grace", at: noon, clock: "host" },
      { login: null, at: noon - 60_000, clock: "machine" },
    ],
    closeDeferred: false,
    spend: { turns: 1, usd: 0.125, minutes: 2 },
    hostUpdatedAt: null,
    ...over,
  };
}

export const alone: MergeTurns = () => ({ kind: "go", merge: [] });
export const together: MergeTurns = (waiting) => ({
  kind: "go",
  merge: waiting.slice(1).map((turn) => turn.id),
});

/** Takes a lane at `now`. */
export function take(
  store: Store,
  now: number = noon,
  owner: string = "me",
  merge: MergeTurns = alone,
): Promise<TakenLane | null> {
  return store.lanes.take({ owner, now, leaseMs, merge });
}

/** Takes a lane and fails when there is none. */
export async function taken(
  store: Store,
  now: number = noon,
  owner: string = "me",
  merge: MergeTurns = alone,
): Promise<TakenLane> {
  const lane = await take(store, now, owner, merge);
  if (lane === null) throw new Error("expected a lane to take, got none");
  return lane;
}

/** Begins the turn of a taken lane. */
export async function begin(
  { lanes }: Store,
  lane: TakenLane,
  receipt: string = `receipt-${lane.turn.id}`,
  startedAt: number = noon,
): Promise<boolean> {
  return lanes.begin(
    lane.lease,
    lane.turn.id,
    { receipt, kind: "first", harnessSessionId: "s", startedAt, child: null },
    [],
  );
}

export function endOf(over: Partial<Settled> = {}): Settled {
  return {
    state: "done",
    note: null,
    next: "first",
    notBefore: 0,
    fold: (item) => item,
    effects: [],
    lines: [],
    ...over,
  };
}

/** Begins and ends the turn of a taken lane. */
export async function finish(
  store: Store,
  lane: TakenLane,
  over: Partial<Settled> = {},
): Promise<boolean> {
  await begin(store, lane);
  return store.lanes.settle(lane.lease, lane.turn.id, endOf(over));
}

export function deliveriesOf(inputs: readonly TurnInput[]): readonly string[] {
  return inputs.map((input) => input.deliveryId);
}

/** A state with something in each of its parts. */
export function fullItem(number: number): ItemState {
  return {
    ...emptyItemState,
    workItem: workItemOf(number),
    sessions: [
      sessionOf(number, { workdir: "/w/1" }),
      sessionOf(number, {
        endpoint: refText(number + 100),
        harnessSessionId: "other",
        status: "closed",
      }),
    ],
    pullRequests: [
      {
        pullRequest: refText(number + 100),
        headSha: "b".repeat(40),
        headBranch: "issue-1",
        open: true,
        at: noon + 2,
      },
      {
        pullRequest: refText(number + 101),
        headSha: null,
        headBranch: null,
        open: false,
        at: noon + 1,
      },
    ],
    collaborators: [{ login: "grace", id: null, grantedBy: "ada", at: noon }],
    lanes: [
      { endpoint: refText(number), hold: holdOf("paused") },
      { endpoint: refText(number + 100), hold: null },
    ],
    ciAttempts: [
      {
        pullRequest: refText(number + 100),
        check: "build",
        headShas: ["a", "b"],
        failing: true,
        noticed: false,
        failed: "b",
        results: [{ headSha: "b", run: "9", at: "2026-03-02T12:00:00Z", red: true, told: true }],
      },
      {
        pullRequest: refText(number + 100),
        check: "test",
        headShas: [],
        failing: false,
        noticed: true,
      },
    ],
  };
}

/** Sets a work item that the instance north was asked for. */
export async function owned(
  store: Store,
  number: number,
  status: "started" | "paused" | "stopped",
): Promise<void> {
  const { control } = workItemOf(number);
  await setItem(store, number, {
    workItem: workItemOf(number, { control: { ...control, status, instance: "north" } }),
  });
}

/** A life of an instance that takes any start. */
export const lifeOf = (incarnation: string, machine: string = "here"): InstanceLife => ({
  incarnation,
  machine,
  scope: { mode: "open", workItems: [] },
});

/** How the instance south adopts from north. */
export const adoption: Adoption = {
  fold: (item) => adoptedBy(item, "north", "south"),
  note: "it was under way on north",
  check: () => {},
  lines: () => [lineOf({ reason: "adopted" })],
};

/** The instances north and south, each in its first life. */
export async function both(open: OpenHandle): Promise<readonly [north: Store, south: Store]> {
  const stores = [await open({ instance: "north" }), await open({ instance: "south" })] as const;
  for (const [n, store] of stores.entries()) await store.instances.enter(lifeOf(`life-${n}`));
  return stores;
}
