import { pidfileOf } from "../detach/pidfile.ts";
import type { ServicePlan } from "../detach/services.ts";
import type { LoadedConfig } from "./load-config.ts";
import type { Io } from "./ports.ts";
import { selfCommand } from "./self.ts";

/** Which daemons the configuration enables (service.md 2.1): the service with what it hosts, or each on its own. */
export function servicePlan(loaded: LoadedConfig, io: Pick<Io, "env">): ServicePlan {
  const { config, paths } = loaded;
  const hosted = config.service.enabled && config.service.hostIngresses;
  return {
    kinds: [
      { kind: "service", enabled: config.service.enabled, pidfile: pidfileOf(paths.stateRoot, "service") },
      { kind: "host-webhook", enabled: config.webhooks.hostWebhook.enabled && !hosted, pidfile: paths.pidfile },
      { kind: "poller", enabled: config.polling.enabled && !hosted, pidfile: pidfileOf(paths.stateRoot, "poller") },
    ],
    stateRoot: paths.stateRoot,
    configFile: loaded.file,
    self: selfCommand(),
    env: io.env,
  };
}
