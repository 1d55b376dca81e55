import { checkedFor, enabledDaemons } from "../start/load-config.ts";
import type { Ports } from "../start/ports.ts";
import { refuseAgentsAtSetup } from "../steer/refuse-agents.ts";
import { type Block, type Call, Command, line, register, type Result } from "./command.ts";
import { asEnabled, servicesResult } from "./services-view.ts";

/**
 * `loop start` (service.md 4.3): starts detached what the configuration enables, and waits until it
 * is up.
 */
class StartCommand extends Command {
  override async run(_call: Call, ports: Ports): Promise<Result> {
    await refuseAgentsAtSetup(ports, "start services");
    const config = await ports.settledConfig();
    const loaded = checkedFor(config, enabledDaemons(config.config), ports.io);
    const services = await ports.services();
    const result = servicesResult(await services.start(), asEnabled);
    const warnings = loaded.warnings.map((warning): Block =>
      line(`! ${warning.path}: ${warning.message}; ${warning.hint}`, "warn"),
    );
    const next =
      result.exit === 0
        ? [
            line(
              "`loop status` shows what happens, `loop events --follow` tells it as it goes.",
              "dim",
            ),
          ]
        : [];
    return { ...result, view: [...result.view, ...warnings, ...next] };
  }
}

register("start", StartCommand);
