import type { Command as Commander } from "commander";
import type { Ports } from "../start/ports.ts";
import { type Call, Command, register, type Result } from "./command.ts";
import { resolveTurn } from "./resolve-turn.ts";

/** `loop turns retry`: an uncertain or failed turn goes on, with a prompt that says it was interrupted (decisions.md 4). */
class TurnsRetryCommand extends Command {
  override describe(command: Commander): void {
    command.argument("<turn>", "number, from `loop turns list` or `loop status`");
  }

  override run(call: Call, ports: Ports): Promise<Result> {
    return resolveTurn(call, "retry", ports);
  }
}

register("turns retry", TurnsRetryCommand);
