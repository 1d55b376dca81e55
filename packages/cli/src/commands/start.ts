import { checkedFor, enabledDaemons } from "../configuration/load-config.ts";
import type { Ports } from "../ports/command-ports.ts";
import { refuseAgentsAtSetup } from "../steer/refuse-agents.ts";
import { Command } from "./command.ts";
import { type Block, line, type Result } from "../output/result.ts";
import type { Call } from "../io/call.ts";
import { asEnabled, servicesResult } from "../views/services-view.ts";

/**
 * `loop start`: starts detached what the configuration enables, and waits until it
 * is up.
 */
export default class StartCommand extends Command {
  override async run(_call: Call, ports: Ports): Promise<Result> {
    await refuseAgentsAtSetup(ports, "start services");
    const config = await ports.settledConfig();
    const loaded = checkedFor(config, enabledDaemons(config.config), ports.io);
    const services = await ports.services();
    const result = servicesResult(await services.start(), asEnabled, ports.clock.now());
    const warnings = loaded.warnings.map((warning): Block =>
      line(`! ${warning.path}: ${warning.message}; ${warning.hint}`, "warn"),
    );
    const next =
      result.exit === 0
        ? [
            line(
              "Run `loop status` to see what is going on, or `loop events --follow` to watch.",
              "dim",
            ),
          ]
        : [];
    return { ...result, view: [...result.view, ...warnings, ...next] };
  }
}
