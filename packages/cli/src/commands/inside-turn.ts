import { LoopError } from "@loopwork/core/ports";
import type { InsideTurn, Ports } from "../ports/command-ports.ts";
import { askDispatcher } from "../turn-folder/requests.ts";
import type { TurnRequestBody } from "@loopwork/runtime";
import { done, line, type Result } from "../output/result.ts";

/**
 * Hands a request of an agent over to the dispatcher, which alone holds token and store. Rejects
 * where nobody knows whose turn it is.
 */
export async function askInsideTurn(
  { turnDir }: InsideTurn,
  request: TurnRequestBody,
  ports: Ports,
): Promise<Result> {
  if (turnDir === null)
    throw new LoopError(
      "LOOP_E_TURN_UNKNOWN",
      "Can't tell which turn this is: LOOP_TURN_DIR isn't set",
      "Run it with the turn's environment: LOOP_TURN_DIR is enough",
    );
  const answer = await askDispatcher(turnDir, `${ports.clock.now()}-${ports.ids.uuid()}`, request);
  if (!answer.ok) throw new LoopError(answer.code, answer.message, answer.hint);
  return done(answer.data, line(`loop: ${answer.message}`, "good"));
}
