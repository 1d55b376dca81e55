import type { Command as Commander } from "commander";
import { LoopError } from "@loopwork/core/ports";
import type { DaemonKind } from "../detach/pidfile.ts";
import type { Ports } from "../ports/command-ports.ts";
import { refuseAgentsAtSetup } from "../steer/refuse-agents.ts";
import { Command } from "./command.ts";
import { type Call, flag } from "../io/call.ts";
import type { Result } from "../output/result.ts";

/**
 * `loop daemon <service|host-webhook|poller> [--once]`: the foreground or cron form of a daemon.
 */
export default class DaemonCommand extends Command {
  override describe(command: Commander): void {
    command
      .argument("<daemon>", "Daemon: service, host-webhook or poller")
      .option(
        "--once",
        "Exit after one poll (poller) or one delivery (host-webhook), once it is handled",
      );
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    await refuseAgentsAtSetup(ports, "run a daemon");
    const services = await ports.services();
    const exit = await services.foreground(daemonKind(call.args[0] ?? ""), flag(call, "once"));
    return { exit, data: null, view: [] };
  }
}

function daemonKind(text: string): DaemonKind {
  if (text === "service" || text === "host-webhook" || text === "poller") return text;
  throw new LoopError(
    "LOOP_E_USAGE",
    `Unknown daemon ${JSON.stringify(text)}`,
    "The daemons are service, host-webhook and poller",
  );
}
