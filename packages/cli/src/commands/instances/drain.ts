import type { Command as Commander } from "commander";
import type { Ports } from "../../ports/command-ports.ts";
import { findInstance, unknownInstance } from "../../steer/adopt-instance.ts";
import { refuseAgents } from "../../steer/refuse-agents.ts";
import { counted } from "../../output/pluralize.ts";
import { Command } from "../command.ts";
import { type Call, flag } from "../../io/call.ts";
import { done, line, type Result } from "../../output/result.ts";
import { commandLine } from "../log-line.ts";

/**
 * `loop instances drain <name>`: it takes nothing new from now on and goes on with what it has;
 * lasts until it is undone.
 */
export default class InstancesDrainCommand extends Command {
  override describe(command: Commander): void {
    command
      .argument("[name]", "Name of the instance (default: this one)")
      .option("--undo", "Let it take new work items again");
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    await refuseAgents(ports, "drain an instance");
    const [{ instance }, store, drained] = [
      await ports.policy(),
      await ports.store(),
      !flag(call, "undo"),
    ];
    const name = call.args[0] ?? instance.name;
    if ((await findInstance(name, store)) === null) throw unknownInstance(name);
    await store.instances.drain(name, drained, [
      await commandLine(ports, "instance.drained", null, { name, drained }),
    ]);
    const workItems = (await store.instances.itemsOf(name)).length;
    const left =
      workItems === 0
        ? "It has none left."
        : `It finishes the ${counted(workItems, "work item", "work items")} it has.`;
    return done(
      { name, drained, workItems },
      line(
        drained
          ? `✓ ${name} no longer takes new work items. ${left}`
          : `✓ ${name} takes new work items again`,
        "good",
      ),
    );
  }
}
