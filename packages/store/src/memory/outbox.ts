import { type EventLog, isEndingEffect, type Outbox, type OutboxEntry } from "@loopwork/core/ports";
import { appendLines, type Memory, type MemoryEffect, open } from "./data.ts";
import { isPresentLife } from "./present-life.ts";
import { loadItem, saveItem } from "./items.ts";

export function createMemoryOutbox(memory: Memory): Outbox {
  return {
    due: async (now, limit) =>
      firstOfEach(memory)
        .filter((each) => each.notBefore <= now)
        .slice(0, limit)
        .map(entryOf),
    pending: async ({ workItem, limit }) =>
      pendingOf(memory)
        .filter((each) => workItem === undefined || each.workItem === workItem)
        .slice(0, limit)
        .map((each) => ({ ...entryOf(each), notBefore: each.notBefore, note: each.note })),
    settle: async (id, result, fold, lines) => {
      const row = open(memory).effects[id - 1];
      if (
        row === undefined ||
        row.state !== "pending" ||
        row.instance !== memory.instance ||
        !isPresentLife(memory)
      )
        return false;
      if (fold !== null) saveItem(memory, row.workItem, fold(loadItem(memory, row.workItem)));
      row.state = result.state;
      row.note = result.note;
      row.attempts += result.state === "pending" ? Number(result.tried) : 1;
      if (result.state === "pending") row.notBefore = result.notBefore;
      appendLines(memory.data, lines);
      return true;
    },
  };
}

/** Pending effects that wait for none of the same work item, oldest first. */
function firstOfEach(memory: Memory): readonly MemoryEffect[] {
  const pending = pendingOf(memory);
  return pending.filter(
    (effect) =>
      !pending.some(
        (before) =>
          before.id < effect.id &&
          before.workItem === effect.workItem &&
          waitsFor(effect, before, pending),
      ),
  );
}

/** Whether an effect waits for an older one of its work item (see the port). */
function waitsFor(
  effect: MemoryEffect,
  before: MemoryEffect,
  pending: readonly MemoryEffect[],
): boolean {
  if (isEndingEffect(effect.effect)) return isEndingEffect(before.effect);
  const ends = pending.filter(
    (each) => each.workItem === effect.workItem && isEndingEffect(each.effect),
  );
  const failing = ends.some(({ attempts }) => attempts > 0);
  const beforeWaits =
    isEndingEffect(before.effect) ||
    ends.some(({ id, deliveryId }) => id < before.id && deliveryId === before.deliveryId);
  return before.deliveryId === effect.deliveryId || !(failing && beforeWaits);
}

function pendingOf(memory: Memory): readonly MemoryEffect[] {
  return open(memory).effects.filter(
    ({ instance, state }) => instance === memory.instance && state === "pending",
  );
}

export function entryOf({
  id,
  workItem,
  deliveryId,
  effect,
  attempts,
  createdAt,
}: MemoryEffect): OutboxEntry {
  return { id, workItem, deliveryId, effect, attempts, createdAt };
}

export function createMemoryEvents(memory: Memory): EventLog {
  return {
    append: async (lines) => appendLines(open(memory), lines),
    list: async ({
      afterId = 0,
      beforeId = Infinity,
      since,
      kind,
      workItem,
      delivery,
      comment,
      limit,
      newestFirst = false,
    }) => {
      const found = open(memory).events.filter(
        (line) =>
          line.id > afterId &&
          line.id < beforeId &&
          (since === undefined || line.time >= since) &&
          (kind === undefined || line.kind === kind) &&
          (workItem === undefined || line.workItem === workItem) &&
          (delivery === undefined || line.delivery === delivery) &&
          (comment === undefined || line.fields["comment"] === comment),
      );
      return (newestFirst ? found.toReversed() : found).slice(0, limit);
    },
    forget: async (time) => {
      const { events } = open(memory);
      const kept = events.filter((line) => line.time >= time);
      return events.splice(0, events.length, ...kept).length - kept.length;
    },
  };
}
