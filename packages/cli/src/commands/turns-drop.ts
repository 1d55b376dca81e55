import type { Command as Commander } from "commander";
import type { Ports } from "../start/ports.ts";
import { type Call, Command, register, type Result } from "./command.ts";
import { resolveTurn } from "./resolve-turn.ts";

/** `loop turns drop`: an uncertain, failed or waiting turn is left, and its lane goes on (decisions.md 4). */
class TurnsDropCommand extends Command {
  override describe(command: Commander): void {
    command.argument("<turn>", "number, from `loop turns list` or `loop status`");
  }

  override run(call: Call, ports: Ports): Promise<Result> {
    return resolveTurn(call, "drop", ports);
  }
}

register("turns drop", TurnsDropCommand);
