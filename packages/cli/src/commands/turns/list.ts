import { formatRef, LoopError, type TurnState } from "@loopwork/core/ports";
import type { Command as Commander } from "commander";
import type { Ports } from "../../ports/command-ports.ts";
import { Command } from "../command.ts";
import { type Call, limitOption, textOption } from "../../io/call.ts";
import type { Result } from "../../output/result.ts";
import { turnsTable } from "../sessions/show.ts";
import { refArgument } from "../../steer/ref-argument.ts";

/** What people type, and the stored names, which scripts may use. */
const states: Readonly<Record<string, TurnState>> = {
  queued: "ready",
  running: "injecting",
  waiting: "uncertain",
  done: "done",
  failed: "failed",
  dropped: "dropped",
  ready: "ready",
  injecting: "injecting",
  uncertain: "uncertain",
};
const typed = "queued, running, waiting, done, failed or dropped";

/** `loop turns list`: what was said to sessions, what waits, and what needs a decision. */
export default class TurnsListCommand extends Command {
  override describe(command: Commander): void {
    command
      .option("--state <state>", `Only turns in this state: ${typed}`)
      .option("--work-item <ref>", "Only turns of this work item")
      .option("--limit <number>", "Number of newest turns to show (default: 50)");
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    const state = textOption(call, "state");
    const wanted = Object.entries(states).find(([each]) => each === state)?.[1];
    if (state !== undefined && wanted === undefined)
      throw new LoopError(
        "LOOP_E_USAGE",
        `Unknown turn state ${JSON.stringify(state)}`,
        `Use ${typed}`,
      );
    const ref = textOption(call, "workItem");
    const limit = limitOption(call, 50);
    const turns = await (
      await ports.store()
    ).lanes.turns({
      limit,
      ...(wanted === undefined ? {} : { states: [wanted] }),
      ...(ref === undefined ? {} : { workItem: formatRef(await refArgument(ref, ports)) }),
    });
    return { exit: 0, data: turns, view: [turnsTable(turns, ports.clock.now())] };
  }
}
