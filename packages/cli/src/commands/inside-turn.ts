import { LoopError } from "@loopwork/core/errors";
import type { InsideTurn, Ports } from "../start/ports.ts";
import { askDispatcher, type TurnRequestBody } from "../runtime/turn/requests.ts";
import { done, line, type Result } from "./command.ts";

/** Hands a request of an agent over to the dispatcher, which alone holds token and store (decisions.md 4). */
export async function askInsideTurn(turn: InsideTurn, request: TurnRequestBody, ports: Ports): Promise<Result> {
  const answer = await askDispatcher(turn.turnDir, `${ports.clock.now()}-${ports.ids.uuid()}`, request);
  if (!answer.ok) throw new LoopError(answer.code, answer.message, answer.hint);
  return done(answer.data, line(`loop: ${answer.message}`, "good"));
}
