import type { Command as Commander } from "commander";
import { checkedFor, enabledDaemons } from "../configuration/load-config.ts";
import type { Ports } from "../ports/command-ports.ts";
import { refuseAgentsAtSetup } from "../steer/refuse-agents.ts";
import { Command } from "./command.ts";
import { type Call, flag } from "../io/call.ts";
import { line, type Result } from "../output/result.ts";
import { asEnabled, servicesResult } from "../views/services-view.ts";

/**
 * `loop restart [--with-upgrade]`: a new process with the configuration as it is now takes over
 * from the one that runs; with an upgrade, one of the newest version.
 */
export default class RestartCommand extends Command {
  override describe(command: Commander): void {
    command.option(
      "--with-upgrade",
      "Install the latest version first (a failed upgrade changes nothing)",
    );
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    await refuseAgentsAtSetup(ports, "restart services");
    const loaded = await ports.settledConfig();
    checkedFor(loaded, enabledDaemons(loaded.config), ports.io); // A configuration that cannot be used must not stop what runs.
    const services = await ports.services();
    if (!flag(call, "withUpgrade"))
      return servicesResult(await services.restart(), asEnabled, ports.clock.now());
    const { from, to } = await services.upgrade((text) => ports.io.err(`${text}\n`));
    const result = servicesResult(await services.status(), asEnabled, ports.clock.now());
    return {
      ...result,
      data: { from, to, services: await services.status() },
      view: [
        line(
          from === to ? `✓ ${to} is the latest version` : `✓ Upgraded from ${from} to ${to}`,
          "good",
        ),
        ...result.view,
      ],
    };
  }
}
