import { rmSync } from "node:fs";
import type { Command as Commander } from "commander";
import { runSupervisor } from "../../detach/supervisor.ts";
import type { Ports } from "../../ports/command-ports.ts";
import { refuseAgentsAtSetup } from "../../steer/refuse-agents.ts";
import { Command } from "../command.ts";
import { type Call, flag } from "../../io/call.ts";
import { line, type Result } from "../../output/result.ts";
import { systemOf, textOf, unitsOf } from "./units.ts";

/** `loop service uninstall`: takes that back; nothing that is stored goes. */
export default class ServiceUninstallCommand extends Command {
  override describe(command: Commander): void {
    command.option("--dry-run", "Print what would be removed without changing anything");
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    await refuseAgentsAtSetup(ports, "uninstall services");
    const system = systemOf(ports);
    const units = (await unitsOf(await ports.config(), system, ports, true)).filter(
      ({ file }) => textOf(file) !== null,
    );
    if (flag(call, "dryRun"))
      return {
        exit: 0,
        data: { removed: [], would: units.map(({ file }) => file) },
        view:
          units.length === 0
            ? [line("Nothing is installed", "dim")]
            : units.map(({ file }) => line(file)),
      };
    for (const words of system.uninstall(units)) await runSupervisor(words, ports.io.env);
    for (const { file } of units) rmSync(file, { force: true });
    for (const words of units.length === 0 ? [] : system.afterwards)
      await runSupervisor(words, ports.io.env);
    return {
      exit: 0,
      data: { removed: units.map(({ file }) => file), would: [] },
      view:
        units.length === 0
          ? [line("Nothing was installed", "dim")]
          : units.map(({ file }) => line(`✓ Removed ${file}`, "good")),
    };
  }
}
