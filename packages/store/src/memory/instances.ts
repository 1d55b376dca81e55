import type {
  Adopted,
  Adoption,
  InstanceRow,
  Instances,
  OutboxEntry,
  RefText,
} from "@loopwork/core/ports";
import {
  decidedThere,
  heldFor,
  isTurnedAway,
  lostSight,
  machineEffects,
  onceOnly,
} from "../model/adopted.ts";
import { appendLines, instanceOf, type Memory, open } from "./data.ts";
import { loadItem, saveItem } from "./items.ts";
import { arrive, isSettled, reachBack } from "./log.ts";
import { entryOf } from "./outbox.ts";
import { standing } from "./turns.ts";

export function createMemoryInstances(memory: Memory): Instances {
  const mine = () => open(memory).lives.get(memory.instance);
  return {
    enter: async ({ incarnation, machine, scope }) => {
      arrive(memory);
      open(memory).lives.set(memory.instance, {
        incarnation,
        machine,
        scope,
        startedAt: memory.now(),
        seenAt: memory.now(),
        ended: false,
        drained: mine()?.drained ?? false,
      });
      memory.incarnation = incarnation;
    },
    beat: async (scope) => {
      const life = mine();
      if (life === undefined || life.incarnation !== memory.incarnation) return false;
      open(memory).lives.set(memory.instance, { ...life, scope, seenAt: memory.now() });
      return true;
    },
    leave: async () => {
      const life = mine();
      if (life !== undefined && life.incarnation === memory.incarnation)
        open(memory).lives.set(memory.instance, { ...life, ended: true, seenAt: memory.now() });
    },
    list: async () =>
      [...open(memory).lives.keys()].toSorted().flatMap((name) => rowOf(memory, name) ?? []),
    isDrained: async () => mine()?.drained === true,
    drain: async (name, drained, lines) => {
      const life = open(memory).lives.get(name);
      if (life === undefined) return false;
      open(memory).lives.set(name, { ...life, drained });
      appendLines(memory.data, lines);
      return true;
    },
    itemsOf: async (name) => itemsOf(memory, name),
    adopt: async (from, workItem, how) => adopt(memory, from, workItem, how),
  };
}

function itemsOf(memory: Memory, name: string): readonly RefText[] {
  const { items, lanes } = open(memory);
  const owned = [...items]
    .filter(([, { workItem }]) => workItem?.control.instance === name)
    .map(([ref]) => ref);
  const isAlive = (endpoint: RefText, workItem: RefText): boolean =>
    standing(memory, endpoint).length > 0 ||
    items
      .get(workItem)
      ?.sessions.some((each) => each.endpoint === endpoint && each.status === "active") === true;
  const busy = [...lanes.values()]
    .filter(({ instance, endpoint, workItem }) => instance === name && isAlive(endpoint, workItem))
    .map(({ workItem }) => workItem);
  return [...new Set([...owned, ...busy])].toSorted();
}

function rowOf(memory: Memory, name: string): InstanceRow | null {
  const life = open(memory).lives.get(name);
  if (life === undefined) return null;
  const { machine, scope, ended, drained, startedAt, seenAt } = life;
  const ago = (time: number): number => Math.max(0, memory.now() - time);
  return {
    name,
    machine,
    scope,
    ended,
    drained,
    startedAgoMs: ago(startedAt),
    seenAgoMs: ago(seenAt),
  };
}

function adopt(
  memory: Memory,
  from: string,
  workItem: RefText,
  { fold, note, check, lines: told }: Adoption,
): Adopted | null {
  const { lanes, turns } = open(memory);
  check(rowOf(memory, from));
  const theirs = [...lanes.values()].filter(
    (lane) => lane.workItem === workItem && lane.instance === from,
  );
  const before = loadItem(memory, workItem);
  if (
    from === memory.instance ||
    (theirs.length === 0 && before.workItem?.control.instance !== from)
  )
    return null;
  const uncertain = theirs.flatMap(({ endpoint }) =>
    standing(memory, endpoint).filter(({ state }) => state === "injecting"),
  );
  for (const turn of uncertain) turns.set(turn.id, { ...turn, ...lostSight(turn, note) });
  for (const lane of theirs)
    lanes.set(lane.endpoint, {
      ...lane,
      instance: memory.instance,
      fence: lane.fence + 1,
      lease: null,
    });
  saveItem(
    memory,
    workItem,
    heldFor(fold(before), new Set(uncertain.map(({ lane }) => lane)), note),
  );
  const begun = passEffects(memory, from, workItem, note);
  arrive(memory);
  noteDecided(memory, from, workItem);
  reachBack(memory, from);
  const decidedAnew = decideAnew(memory, from, workItem);
  const adopted = {
    uncertain: uncertain.map(({ id }) => id).toSorted((a, b) => a - b),
    begun,
    decidedAnew,
  };
  appendLines(memory.data, told(adopted));
  return adopted;
}

function passEffects(
  { data, instance }: Memory,
  from: string,
  workItem: RefText,
  note: string,
): readonly OutboxEntry[] {
  const begun: OutboxEntry[] = [];
  for (const [n, each] of data.effects.entries()) {
    if (each.instance !== from || each.workItem !== workItem || each.state !== "pending") continue;
    const isBegun = each.effect.kind === onceOnly && each.attempts > 0;
    if (isBegun) begun.push(entryOf(each));
    data.effects[n] =
      isBegun || machineEffects.includes(each.effect.kind)
        ? { ...each, state: "failed", note }
        : { ...each, instance };
  }
  return begun;
}

/**
 * Of deliveries that the old owner has decided, and this instance has yet to read: read later they
 * would be taken for its own.
 */
function noteDecided(memory: Memory, from: string, workItem: RefText): void {
  const mine = instanceOf(memory);
  for (const [seq, row] of memory.data.instances.get(from)?.decisions ?? []) {
    if (row.workItem !== workItem || mine.decisions.has(seq)) continue;
    mine.decisions.set(seq, { ...row, decision: decidedThere });
    mine.undecided -= 1;
    const key = [...(memory.data.instances.get(from)?.keys ?? [])].find(
      ([, id]) => id === row.delivery.id,
    )?.[0];
    if (key !== undefined && !mine.keys.has(key)) mine.keys.set(key, row.delivery.id);
  }
  while (isSettled(memory, mine.cursor + 1)) mine.cursor += 1;
}

function decideAnew(memory: Memory, from: string, workItem: RefText): number {
  const mine = instanceOf(memory);
  const theirs = memory.data.instances.get(from);
  const again = [...mine.decisions].filter(
    ([seq, row]) =>
      row.workItem === workItem &&
      isTurnedAway(row.decision) &&
      theirs?.decisions.has(seq) !== true,
  );
  for (const [seq, { delivery }] of again) {
    mine.decisions.delete(seq);
    mine.undecided += 1;
    mine.cursor = Math.min(mine.cursor, seq - 1);
    for (const [key, id] of mine.keys) if (id === delivery.id) mine.keys.delete(key);
  }
  return again.length;
}
