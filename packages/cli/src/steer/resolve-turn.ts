import { LoopError, type TurnState } from "@loopwork/core/ports";
import { steeredLine } from "./steering-event-line.ts";
import type { SteeringPorts } from "./steering-ports.ts";

export type HowResolved = "retry" | "drop";

/** `state` is the turn's before; `resolved` is false where there was nothing to decide. */
export type ResolvedTurn = {
  readonly turn: number;
  readonly state: TurnState;
  readonly resolved: boolean;
};

const ways = {
  retry: { kind: "turn.retried", note: "retried by a person" },
  drop: { kind: "turn.dropped", note: "dropped by a person" },
} as const;

/**
 * A person decides about a turn: an uncertain or failed one goes on, or one of these or a waiting
 * one is left.
 */
export async function resolveTurn(
  id: number,
  how: HowResolved,
  ports: SteeringPorts,
): Promise<ResolvedTurn> {
  const store = await ports.store();
  const turn = await store.lanes.turn(id);
  if (turn === null)
    throw new LoopError(
      "LOOP_E_UNKNOWN_TURN",
      `Unknown turn ${id}`,
      "Run `loop turns list` to see them",
    );
  const { kind, note } = ways[how];
  const resolved = await store.lanes.resolve(id, how, note, [
    await steeredLine(ports, kind, turn.workItem, { turn: id, lane: turn.lane }),
  ]);
  if (resolved) await ports.wake();
  return { turn: id, state: turn.state, resolved };
}
