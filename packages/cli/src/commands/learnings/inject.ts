import type { Ports } from "../../ports/command-ports.ts";
import { Command } from "../command.ts";
import type { Call } from "../../io/call.ts";
import { done, type Result } from "../../output/result.ts";

/**
 * `loop learnings inject`: what a session of this repository is told at its start, as the plugin's
 * hook tells it.
 */
export default class LearningsInjectCommand extends Command {
  override async run(_call: Call, ports: Ports): Promise<Result> {
    const told = await (await ports.learnings()).injection();
    return done(
      told,
      ...(told === null ? [] : [{ kind: "verbatim" as const, text: `${told.text}\n` }]),
    );
  }
}
