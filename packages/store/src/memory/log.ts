import {
  type Acceptance,
  type Decided,
  type DeliveryEntry,
  type DeliveryLog,
  emptyItemState,
  foldLogin,
  type NewDelivery,
  type RefText,
  replayWindowMs,
  type StoredDelivery,
} from "@loopwork/core/ports";
import { backlogFull, seenBeforeError, unavailable } from "../errors.ts";
import { checkDecided, steeredOf } from "../model/decided.ts";
import { firstLookMs } from "../model/limits.ts";
import {
  appendEffects,
  appendLines,
  instanceOf,
  type Memory,
  type MemoryDelivery,
  open,
} from "./data.ts";
import { loadItem, saveItem } from "./items.ts";
import { queueTurns } from "./turns.ts";

/** Takes a delivery in; memory is as durable as its process. */
export async function appendToMemory(memory: Memory, delivery: NewDelivery): Promise<Acceptance> {
  if (memory.closed) throw unavailable(new Error("the store was closed"));
  const { data } = memory;
  if (data.ids.has(delivery.id)) return { kind: "duplicate", why: "id", of: delivery.id };
  const replayKey = `${delivery.digest} ${delivery.event}`;
  const earlier = delivery.verified ? data.verified.get(replayKey) : undefined;
  if (
    earlier !== undefined &&
    delivery.allowReplay !== true &&
    delivery.receivedAt - earlier.receivedAt <= replayWindowMs
  )
    return { kind: "duplicate", why: "replay", of: earlier.id };
  const mine = instanceOf(memory);
  if (delivery.ignored === null && mine.undecided >= memory.maxBacklog)
    throw backlogFull(memory.maxBacklog);
  const { allowReplay: _, ...kept } = delivery;
  const stored: MemoryDelivery = {
    ...kept,
    seq: data.deliveries.length + 1,
    body: delivery.body?.slice() ?? null,
  };
  data.deliveries.push(stored);
  data.ids.set(stored.id, stored);
  if (stored.verified) data.verified.set(replayKey, stored);
  if (stored.ignored === null) for (const each of data.instances.values()) each.undecided += 1;
  return { kind: "accepted", seq: stored.seq };
}

export function createMemoryLog(memory: Memory): DeliveryLog {
  return {
    undecided: async (limit) => undecided(memory, limit),
    body: async (seq) => open(memory).deliveries[seq - 1]?.body ?? null,
    find: async (id) => withoutBody(open(memory).ids.get(id)),
    list: async ({ afterSeq = 0, beforeSeq, limit, workItem, refused, newestFirst = false }) => {
      const entries = open(memory)
        .deliveries.slice(
          afterSeq,
          beforeSeq === undefined ? undefined : Math.max(0, beforeSeq - 1),
        )
        .map((delivery) => entryOf(memory, delivery));
      return (newestFirst ? entries.toReversed() : entries)
        .filter(
          ({ decision }) =>
            (workItem === undefined || decision?.workItem === workItem) &&
            (refused === undefined ||
              (decision?.verdict === "refused" &&
                refused.some((reason) => reason === decision.reason))),
        )
        .slice(0, limit);
    },
    seenAs: async (key) => (open(memory), instanceOf(memory).keys.get(key) ?? null),
    decide: async (seq, workItem, step, left) =>
      left !== undefined && isOvertaken(memory, seq, left)
        ? null
        : decideInMemory(memory, seq, workItem, step),
    decision: async (id, by) => {
      const delivery = open(memory).ids.get(id);
      return delivery === undefined
        ? null
        : ((by === undefined ? instanceOf(memory) : memory.data.instances.get(by))?.decisions.get(
            delivery.seq,
          ) ?? null);
    },
    forgetBodies: async (time) => {
      const { decisions } = (open(memory), instanceOf(memory));
      const old = memory.data.deliveries.filter(
        (each) =>
          each.body !== null &&
          each.receivedAt < time &&
          (each.ignored !== null || decisions.has(each.seq)),
      );
      for (const each of old) each.body = null;
      return old.length;
    },
  };
}

function decideInMemory(
  memory: Memory,
  seq: number,
  workItem: RefText | null,
  step: (item: ReturnType<typeof loadItem>) => Decided,
): Decided | null {
  const data = open(memory);
  const mine = instanceOf(memory);
  const delivery = data.deliveries[seq - 1];
  if (delivery === undefined) throw new Error(`no delivery has the seq ${seq}`);
  if (mine.decisions.has(seq)) return null;
  const decided = step(workItem === null ? emptyItemState : loadItem(memory, workItem));
  checkDecided(decided, workItem);
  const first = decided.key === null ? undefined : mine.keys.get(decided.key);
  if (decided.key !== null && first !== undefined && decided.decision.effects.length > 0)
    throw seenBeforeError(decided.key, first);

  const stored = storedOf(delivery);
  mine.decisions.set(seq, {
    delivery: stored,
    workItem,
    event: decided.event,
    state: decided.state,
    decision: decided.decision,
    decidedAt: memory.now(),
  });
  if (delivery.ignored === null) mine.undecided -= 1;
  while (isSettled(memory, mine.cursor + 1)) mine.cursor += 1;
  if (decided.key !== null && first === undefined) mine.keys.set(decided.key, delivery.id);
  if (workItem !== null) {
    if (decided.after !== null) saveItem(memory, workItem, decided.after);
    queueTurns(
      memory,
      workItem,
      { ...stored, steered: steeredOf(decided.after ?? loadItem(memory, workItem)) },
      decided.decision.effects,
    );
    appendEffects(memory, workItem, delivery.id, decided.decision.effects);
  }
  if (decided.pin !== null && !data.actors.has(foldLogin(decided.pin.login)))
    data.actors.set(foldLogin(decided.pin.login), decided.pin.id);
  appendLines(data, decided.lines);
  return decided;
}

function undecided(memory: Memory, limit: number): readonly StoredDelivery[] {
  const { deliveries } = open(memory);
  const { cursor, decisions } = instanceOf(memory);
  const found: StoredDelivery[] = [];
  for (let seq = cursor + 1; seq <= deliveries.length && found.length < limit; seq += 1) {
    const delivery = deliveries[seq - 1];
    if (delivery !== undefined && delivery.ignored === null && !decisions.has(seq))
      found.push(storedOf(delivery));
  }
  return found;
}

function isOvertaken(memory: Memory, seq: number, left: readonly number[]): boolean {
  return undecided(memory, seq).some((each) => each.seq < seq && !left.includes(each.seq));
}

/**
 * What came before the first life of the instance began is not for it to decide, but for the last
 * week.
 */
export function arrive(memory: Memory): void {
  const { deliveries, lives } = open(memory);
  const mine = instanceOf(memory);
  if (lives.has(memory.instance) || mine.decisions.size > 0) return;
  const first = deliveries.find(({ receivedAt }) => receivedAt >= memory.now() - firstLookMs);
  moveTo(memory, Math.max(mine.cursor, (first?.seq ?? deliveries.length + 1) - 1));
}

/**
 * Back to what neither the old owner nor this instance has decided, because its life began later.
 */
export function reachBack(memory: Memory, from: string): void {
  const mine = instanceOf(memory);
  const theirs = memory.data.instances.get(from)?.cursor ?? 0;
  const missed = memory.data.deliveries.find(
    ({ seq, ignored }) =>
      seq > theirs && seq <= mine.cursor && ignored === null && !mine.decisions.has(seq),
  );
  if (missed !== undefined) moveTo(memory, missed.seq - 1);
}

function moveTo(memory: Memory, cursor: number): void {
  const mine = instanceOf(memory);
  mine.cursor = cursor;
  mine.undecided = memory.data.deliveries.filter(
    ({ seq, ignored }) => seq > cursor && ignored === null && !mine.decisions.has(seq),
  ).length;
}

/** Whether nothing is left to decide of a delivery. */
export function isSettled(memory: Memory, seq: number): boolean {
  const delivery = memory.data.deliveries[seq - 1];
  return (
    delivery !== undefined && (delivery.ignored !== null || instanceOf(memory).decisions.has(seq))
  );
}

function entryOf(memory: Memory, delivery: MemoryDelivery): DeliveryEntry {
  const row = instanceOf(memory).decisions.get(delivery.seq);
  const decision =
    row === undefined
      ? null
      : { verdict: row.decision.verdict.kind, reason: row.decision.reason, workItem: row.workItem };
  return { ...storedOf(delivery), decision, ignored: delivery.ignored };
}

function storedOf({ body: _body, ignored: _ignored, ...stored }: MemoryDelivery): StoredDelivery {
  return stored;
}

function withoutBody(delivery: MemoryDelivery | undefined): StoredDelivery | null {
  return delivery === undefined ? null : storedOf(delivery);
}
