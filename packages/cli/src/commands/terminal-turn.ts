import { LoopError } from "@loopwork/core/ports";
import type { Ports } from "../ports/command-ports.ts";
import { Command } from "./command.ts";
import type { Call } from "../io/call.ts";
import type { Result } from "../output/result.ts";

/**
 * `loop terminal-turn`: called by the dispatcher, with an attempt on standard input. It writes the
 * message into the conversation's terminal and prints what the harness would print without one
 * (`routing.runner: tmux`).
 */
export default class TerminalTurnCommand extends Command {
  override async run(_call: Call, ports: Ports): Promise<Result> {
    if (ofAnAgent.some((name) => ports.io.env[name]))
      throw new LoopError(
        "LOOP_E_INSIDE_TURN",
        "Agents can't drive a terminal",
        "Ask a person with `loop ask`",
      );
    const { runTerminalTurn } = await import("../start/terminal-turn.ts");
    const code = await runTerminalTurn(process.stdin, ports.io.env);
    process.exit(code);
  }
}

/**
 * Set inside of a turn, and not for the driver: it gets the environment of a conversation, which
 * outlives turns.
 */
const ofAnAgent = ["LOOP_TURN", "LOOP_TURN_DIR", "CLAUDECODE"];
