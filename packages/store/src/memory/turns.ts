import type { Effect } from "@loopwork/core";
import { formatRef, type Ref, type RefText, type Turn } from "@loopwork/core/ports";
import type { QueuedDelivery } from "../model/decided.ts";
import { dropNote, queued } from "../model/turn.ts";
import type { Memory } from "./data.ts";

/**
 * Puts the turns of a decision on their lanes, and drops what the decision drops, in the order of
 * the effects.
 */
export function queueTurns(
  memory: Memory,
  workItem: RefText,
  delivery: QueuedDelivery,
  effects: readonly Effect[],
): void {
  for (const effect of effects) {
    if (effect.kind === "turn") queueTurn(memory, workItem, delivery, effect);
    if (effect.kind === "drop-turns") dropWaiting(memory, effect.endpoint, dropNote(effect.why));
  }
}

/** Unique per lane and delivery: a second turn of the same delivery on the same lane is none. */
function queueTurn(
  memory: Memory,
  workItem: RefText,
  delivery: QueuedDelivery,
  effect: Extract<Effect, { kind: "turn" }>,
): void {
  const { lanes, turns, next } = memory.data;
  const lane = formatRef(effect.endpoint);
  if (
    [...turns.values()].some(
      (turn) => turn.lane === lane && turn.inputs.some((input) => input.deliveryId === delivery.id),
    )
  )
    return;
  if (!lanes.has(lane))
    lanes.set(lane, {
      endpoint: lane,
      workItem,
      instance: memory.instance,
      hold: null,
      lease: null,
      fence: 0,
    });
  const id = next.turn++;
  const input = {
    seq: delivery.seq,
    deliveryId: delivery.id,
    event: effect.event,
    authority: effect.authority,
    receivedAt: delivery.receivedAt,
    steered: delivery.steered,
  };
  turns.set(id, {
    id,
    lane,
    workItem,
    mode: effect.mode,
    ...queued,
    inputs: [input],
    createdAt: memory.now(),
  });
}

function dropWaiting(memory: Memory, endpoint: Ref, note: string): void {
  const lane = formatRef(endpoint);
  for (const turn of memory.data.turns.values()) {
    if (turn.lane === lane && (turn.state === "ready" || turn.state === "uncertain"))
      memory.data.turns.set(turn.id, { ...turn, state: "dropped", note });
  }
}

/** Turns of a lane that still stand in it, in order. */
export function standing(memory: Memory, lane: RefText): readonly Turn[] {
  return [...memory.data.turns.values()].filter(
    (turn) =>
      turn.lane === lane &&
      (turn.state === "ready" || turn.state === "injecting" || turn.state === "uncertain"),
  );
}
