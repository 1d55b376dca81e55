import { checkedFor, enabledDaemons } from "../start/load-config.ts";
import type { Ports } from "../start/ports.ts";
import { refuseAgentsAtSetup } from "../steer/refuse-agents.ts";
import { type Call, Command, register, type Result } from "./command.ts";
import { asEnabled, servicesResult } from "./services-view.ts";

/** `loop restart` (service.md 4.3): a new process with the configuration as it is now takes over from the one that runs. */
class RestartCommand extends Command {
  override async run(_call: Call, ports: Ports): Promise<Result> {
    await refuseAgentsAtSetup(ports, "restart services");
    const loaded = await ports.config();
    checkedFor(loaded, enabledDaemons(loaded.config), ports.io); // A configuration that cannot be used must not stop what runs.
    return servicesResult(await (await ports.services()).restart(), asEnabled);
  }
}

register("restart", RestartCommand);
