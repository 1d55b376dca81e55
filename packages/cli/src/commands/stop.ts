import type { Ports } from "../ports/command-ports.ts";
import { refuseAgentsAtSetup } from "../steer/refuse-agents.ts";
import { Command } from "./command.ts";
import type { Call } from "../io/call.ts";
import { line, type Result } from "../output/result.ts";

/**
 * `loop stop`: ends what runs; turns in flight go on and are waited for by the
 * next start.
 */
export default class StopCommand extends Command {
  override async run(_call: Call, ports: Ports): Promise<Result> {
    await refuseAgentsAtSetup(ports, "stop services");
    const services = await ports.services();
    const before = (await services.status())
      .filter((report) => report.running)
      .map((report) => report.name);
    const reports = await services.stop();
    const left = reports.filter((report) => report.running);
    const view =
      before.length === 0
        ? [line("Nothing was running", "dim")]
        : before.map((name) =>
            line(
              left.some((report) => report.name === name)
                ? `✗ ${name} did not stop`
                : `✓ Stopped ${name}`,
              left.some((report) => report.name === name) ? "bad" : "good",
            ),
          );
    return { exit: left.length === 0 ? 0 : 1, data: { stopped: before, services: reports }, view };
  }
}
