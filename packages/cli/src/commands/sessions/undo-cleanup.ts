import { formatRef, LoopError } from "@loopwork/core/ports";
import type { Command as Commander } from "commander";
import type { Ports } from "../../ports/command-ports.ts";
import { refuseAgents } from "../../steer/refuse-agents.ts";
import { workItemHere } from "../../steer/work-item-here.ts";
import { Command } from "../command.ts";
import { type Call, textOption } from "../../io/call.ts";
import { done, line, type Result } from "../../output/result.ts";
import { commandLine } from "../log-line.ts";

/**
 * `loop sessions undo-cleanup`: the checkout with the work that its release saved, byte for byte.
 */
export default class SessionsUndoCleanupCommand extends Command {
  override describe(command: Commander): void {
    command
      .argument("[ref]", "Work item")
      .option("--work-item <ref>", "Work item (default: $LOOP_WORK_ITEM, or that of this checkout)")
      .addHelpText(
        "after",
        "\nRestores files, staged changes, branches and commits. Ignored files weren't\nsaved. Continue there with `loop sessions start`.",
      );
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    await refuseAgents(ports, "restore a checkout");
    const workItem = await workItemHere(call.args[0] ?? textOption(call, "workItem"), ports);
    const ref = formatRef(workItem);
    const undone = await (await ports.salvage()).undoCleanup(workItem);
    if (undone.kind === "failed") throw new LoopError(undone.code, undone.detail, undone.hint);
    if (undone.kind === "nothing")
      return {
        exit: 1,
        data: { restored: [] },
        view: [line(`Nothing to restore for ${ref}`, "dim")],
      };
    const lines = await Promise.all(
      undone.checkouts.map((workdir) => commandLine(ports, "checkout.restored", ref, { workdir })),
    );
    await (await ports.store()).events.append(lines);
    return done(
      { restored: undone.checkouts, notes: undone.notes },
      ...undone.checkouts.map((workdir) => line(`✓ Restored ${workdir}`, "good")),
      ...undone.notes.map((note) => line(note, "warn")),
    );
  }
}
