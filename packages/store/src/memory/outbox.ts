import type { EventLog, Outbox } from "@loopwork/core/ports";
import { appendLines, type Memory, type MemoryEffect, open } from "./data.ts";
import { loadItem, saveItem } from "./items.ts";

export function createMemoryOutbox(memory: Memory): Outbox {
  return {
    due: async (now, limit) => firstOfEach(memory).filter((each) => each.notBefore <= now).slice(0, limit).map(({ id, workItem, deliveryId, effect, attempts, createdAt }) => ({ id, workItem, deliveryId, effect, attempts, createdAt })),
    settle: async (id, result, fold, lines) => {
      const row = open(memory).effects[id - 1];
      if (row === undefined || row.state !== "pending") return;
      if (fold !== null) saveItem(memory, row.workItem, fold(loadItem(memory, row.workItem)));
      row.state = result.state;
      row.note = result.note;
      row.attempts += 1;
      if (result.state === "pending") row.notBefore = result.notBefore;
      appendLines(memory.data, lines);
    },
  };
}

/** Pending effects that none of the same work item must go before, oldest first: an end waits for ends, a post for everything. */
function firstOfEach(memory: Memory): readonly MemoryEffect[] {
  const ends = new Set<string>();
  const posts = new Set<string>();
  return open(memory).effects.filter(({ instance, state, workItem, effect }) => {
    if (instance !== memory.instance || state !== "pending" || ends.has(workItem)) return false;
    const end = effect.kind === "end-session" || effect.kind === "release";
    const first = end || !posts.has(workItem);
    (end ? ends : posts).add(workItem);
    return first;
  });
}

export function createMemoryEvents(memory: Memory): EventLog {
  return {
    append: async (lines) => appendLines(open(memory), lines),
    list: async ({ afterId = 0, since, kind, workItem, delivery, comment, limit, newestFirst = false }) => {
      const found = open(memory).events.filter(
        (line) => line.id > afterId && (since === undefined || line.time >= since) && (kind === undefined || line.kind === kind) && (workItem === undefined || line.workItem === workItem) && (delivery === undefined || line.delivery === delivery) && (comment === undefined || line.fields["comment"] === comment),
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
