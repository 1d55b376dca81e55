import type { Ports } from "../../ports/command-ports.ts";
import { Command } from "../command.ts";
import type { Call } from "../../io/call.ts";
import { done, type Result } from "../../output/result.ts";

/** `loop critic list`: the roster of `critics[]`. */
export default class CriticListCommand extends Command {
  override async run(_call: Call, ports: Ports): Promise<Result> {
    const { critics, routing } = (await ports.config()).config;
    const rows = critics.map(({ name, command, harness, deadlineSeconds, prompt }) => [
      name,
      command.length > 0 ? command.join(" ") : `harness ${harness ?? routing.defaultHarness}`,
      `${deadlineSeconds} s`,
      prompt ?? "",
    ]);
    return done(critics, {
      kind: "table",
      columns: ["critic", "runs", "timeout", "looks for"],
      rows,
      empty: "No critics. Add them under `critics` in the configuration.",
    });
  }
}
