import { LoopError } from "@loopwork/core/ports";
import type { Command as Commander } from "commander";
import type { Ports } from "../ports/command-ports.ts";
import { commentText } from "./comment.ts";
import { Command } from "./command.ts";
import type { Call } from "../io/call.ts";
import type { Result } from "../output/result.ts";
import { askInsideTurn } from "./inside-turn.ts";

/**
 * `loop ask`: a question of the agent on the work item; the answer comes as the session's next
 * turn.
 */
export default class AskCommand extends Command {
  override describe(command: Commander): void {
    command.argument("[question...]", "Question (default: read standard input)");
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    const turn = ports.turn();
    if (turn === null)
      throw new LoopError(
        "LOOP_E_OUTSIDE_TURN",
        "`loop ask` only works inside an agent's turn",
        "To post something yourself, run `loop comment`",
      );
    return askInsideTurn(turn, { kind: "ask", text: await commentText(call, ports) }, ports);
  }
}
