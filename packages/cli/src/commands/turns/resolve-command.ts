import { LoopError } from "@loopwork/core/ports";
import type { Command as Commander } from "commander";
import type { Ports } from "../../ports/command-ports.ts";
import { byCommandLine } from "../../steer/by-command-line.ts";
import { refuseAgents } from "../../steer/refuse-agents.ts";
import { resolveTurn } from "../../steer/resolve-turn.ts";
import { turnWords } from "../../output/state-words.ts";
import { Command } from "../command.ts";
import type { Call } from "../../io/call.ts";
import { done, line, type Result } from "../../output/result.ts";

const said = { retry: "Retrying", drop: "Dropped" } as const;

/**
 * `loop turns retry`: an uncertain or failed turn goes on, with a prompt that says it was
 * interrupted. `loop turns drop`: an uncertain, failed or waiting turn is left, and its lane goes
 * on. Refused with the turn's state where there is nothing to decide.
 */
export abstract class TurnsResolveCommand extends Command {
  protected abstract readonly how: keyof typeof said;

  override describe(command: Commander): void {
    command.argument("<turn>", "Number, from `loop turns list` or `loop status`");
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    const { how } = this;
    await refuseAgents(ports, `${how} turns`);
    const id = turnNumber(call.args[0] ?? "");
    const { state, resolved } = await resolveTurn(id, how, byCommandLine(ports));
    if (!resolved)
      return {
        exit: 1,
        data: { turn: id, state, resolved },
        view: [line(`Nothing to ${how}: turn ${id} is ${turnWords[state]}`, "warn")],
      };
    return done(
      { turn: id, resolved, how },
      line(`✓ ${said[how]} turn ${id}${how === "drop" ? ". Its queue continues." : ""}`, "good"),
    );
  }
}

/**
 * Digits alone: what JavaScript takes for a number as well, such as `1e3`, would decide about a
 * turn that nobody named.
 */
function turnNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text))
    throw new LoopError(
      "LOOP_E_USAGE",
      `Invalid turn ${JSON.stringify(text.slice(0, 40))}: expected a number`,
      "Use the digits shown by `loop turns list`",
    );
  return Number(text);
}
