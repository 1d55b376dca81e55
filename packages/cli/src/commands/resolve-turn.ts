import { LoopError } from "@loopwork/core";
import type { Ports } from "../start/ports.ts";
import { commandLine } from "./log-line.ts";
import { type Call, done, line, type Result } from "./command.ts";
import { refuseInsideTurn } from "./work-item-argument.ts";

/** A person's decision about a turn; refused with the turn's state when there is nothing to decide. */
export async function resolveTurn(call: Call, how: "retry" | "drop", ports: Ports): Promise<Result> {
  refuseInsideTurn(ports, `${how} turns`);
  const id = turnNumber(call.args[0] ?? "");
  const store = await ports.store();
  const turn = await store.lanes.turn(id);
  if (turn === null) throw new LoopError("LOOP_E_UNKNOWN_TURN", `there is no turn ${id}`, "`loop turns list` shows them");
  const lines = [await commandLine(ports, how === "retry" ? "turn.retried" : "turn.dropped", turn.workItem, { turn: id, lane: turn.lane })];
  const resolved = await store.lanes.resolve(id, how, how === "retry" ? "retried by a person" : "dropped by a person", lines);
  if (!resolved) return { exit: 1, data: { turn: id, state: turn.state, resolved }, view: [line(`turn ${id} is ${turn.state}: there is nothing to ${how}`, "warn")] };
  return done({ turn: id, resolved, how }, line(how === "retry" ? `turn ${id} goes on` : `turn ${id} is dropped; what waits behind it goes on`, "good"));
}

/** Digits alone: what JavaScript takes for a number as well, such as `1e3`, would decide about a turn that nobody named. */
function turnNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new LoopError("LOOP_E_USAGE", `${JSON.stringify(text.slice(0, 40))} is no number of a turn`, "write its digits, as `loop turns list` shows them");
  return Number(text);
}
