import type { Command as Commander } from "commander";
import type { Ports } from "../../ports/command-ports.ts";
import { byCommandLine } from "../../steer/by-command-line.ts";
import { closeSession } from "../../steer/close-session.ts";
import { refuseAgents } from "../../steer/refuse-agents.ts";
import { Command } from "../command.ts";
import type { Call } from "../../io/call.ts";
import { done, line, type Result } from "../../output/result.ts";
import { describeEndpoint, endpointArgument } from "../work-item-argument.ts";

/**
 * `loop sessions close`: the manual escape hatch. Ends the registration; the
 * checkout stays.
 */
export default class SessionsCloseCommand extends Command {
  override describe(command: Commander): void {
    describeEndpoint(command);
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    await refuseAgents(ports, "close a session");
    const endpoint = await endpointArgument(call, ports);
    const ended = await closeSession(endpoint, byCommandLine(ports));
    if (!ended.closed)
      return {
        exit: 1,
        data: ended,
        view: [line(`No open session for ${ended.endpoint}`, "dim")],
      };
    return done(
      ended,
      line(`✓ Closed the session of ${ended.endpoint}. Its checkout stays.`, "good"),
    );
  }
}
