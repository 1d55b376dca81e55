import { LoopError } from "@loopwork/core/ports";
import type { Command as Commander } from "commander";
import type { Ports } from "../ports/command-ports.ts";
import { refuseAgents } from "../steer/refuse-agents.ts";
import { Command } from "./command.ts";
import { type Call, flag } from "../io/call.ts";
import { done, line, type Result } from "../output/result.ts";

/**
 * `loop dashboard`: the address of the running service with the token in its fragment, and a
 * browser on it.
 */
export default class DashboardCommand extends Command {
  override describe(command: Commander): void {
    command
      .option("--print", "Print the URL without opening a browser")
      .addHelpText(
        "after",
        "\nThe URL contains a token: anyone who has it can do everything the commands can.\nThe token is in the fragment, which browsers never send to a server.",
      );
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    await refuseAgents(ports, "open the dashboard");
    const service = (await (await ports.services()).status()).find(
      ({ name }) => name === "service",
    );
    const token = await ports.controlToken();
    if (service?.running !== true || service.url === null || token === null)
      throw new LoopError(
        "LOOP_E_NOT_RUNNING",
        "The service isn't running, so there is no dashboard",
        service?.enabled === false
          ? "Set service.enabled: true, then run `loop start`"
          : "Run `loop start`",
      );
    const url = `${service.url.replace(/\/health$/, "/")}#token=${encodeURIComponent(token)}`;
    const opened = !flag(call, "print") && ports.io.interactive && (await ports.openPage(url));
    return done(
      { url, opened },
      line(url),
      ...(opened ? [line("Opened in your browser", "dim")] : []),
    );
  }
}
