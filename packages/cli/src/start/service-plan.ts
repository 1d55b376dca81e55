import { join } from "node:path";
import type { ConfigAtStart } from "@loopwork/core/config";
import type { Place } from "../detach/ports.ts";
import { installedUnit } from "../detach/unit.ts";
import { type DaemonKind, pidfileOf } from "../detach/pidfile.ts";
import type { ServicePlan } from "../detach/services.ts";
import type { StartedConfig } from "../configuration/load-config.ts";
import type { Io } from "../io/io.ts";
import { selfCommand } from "./self.ts";

/** Which daemons the configuration enables: the service with what it hosts, or each on its own. */
export function servicePlan(loaded: StartedConfig, io: Pick<Io, "env" | "home">): ServicePlan {
  const { config, paths } = loaded;
  const places = {
    platform: process.platform,
    home: io.home,
    configHome: io.env["XDG_CONFIG_HOME"] || join(io.home, ".config"),
  };
  const common = (kind: DaemonKind): Pick<ServicePlan["kinds"][number], "listens" | "unit"> => ({
    listens: listensOf(kind, config),
    unit: installedUnit({ kind, instance: config.instance.name, workdir: paths.stateRoot }, places),
  });
  const hosted = config.service.enabled && config.service.hostIngresses;
  return {
    kinds: [
      {
        kind: "service",
        enabled: config.service.enabled,
        pidfile: pidfileOf(paths.stateRoot, "service"),
        ...common("service"),
      },
      {
        kind: "host-webhook",
        enabled: config.webhooks.hostWebhook.enabled && !hosted,
        pidfile: paths.pidfile,
        ...common("host-webhook"),
      },
      {
        kind: "poller",
        enabled: config.polling.enabled && !hosted,
        pidfile: pidfileOf(paths.stateRoot, "poller"),
        ...common("poller"),
      },
    ],
    stateRoot: paths.stateRoot,
    configFile: loaded.file,
    self: selfCommand(),
    env: io.env,
  };
}

/**
 * Whether a daemon of this kind has the receiver in it. A foreground one runs whatever the
 * `enabled` keys say.
 */
export function receives(kind: DaemonKind, { service, webhooks }: ConfigAtStart): boolean {
  return (
    kind === "host-webhook" ||
    (kind === "service" && service.hostIngresses && webhooks.hostWebhook.enabled)
  );
}

/** Where a daemon of this kind takes connections. */
export function listensOf(kind: DaemonKind, config: ConfigAtStart): readonly Place[] {
  const { service, webhooks } = config;
  return [
    ...(receives(kind, config)
      ? [{ host: webhooks.hostWebhook.host, port: webhooks.hostWebhook.port }]
      : []),
    ...(kind === "service" ? [{ host: service.host, port: service.port }] : []),
  ];
}
