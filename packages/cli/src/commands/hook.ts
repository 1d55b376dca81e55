import type { Command as Commander } from "commander";
import type { Ports } from "../start/ports.ts";
import { type Call, Command, register, type Result } from "./command.ts";

/**
 * `loop hook <event>`: called by the plugin inside of a harness. `pre-tool` writes the tool ledger, by which a crash is
 * judged (decisions.md 4). It never fails a session: whatever happens, it exits 0.
 */
class HookCommand extends Command {
  override describe(command: Commander): void {
    command.argument("<event>", "pre-tool");
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    if (call.args[0] === "pre-tool") {
      const { appendToolUse } = await import("../start/tool-ledger.ts");
      appendToolUse(await ports.io.readStdin(), ports.io.env, ports.clock.now());
    }
    return { exit: 0, data: {}, view: [] };
  }
}

register("hook", HookCommand);
