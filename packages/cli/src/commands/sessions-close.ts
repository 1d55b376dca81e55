import { evolve, formatRef } from "@loopwork/core";
import type { Command as Commander } from "commander";
import type { Ports } from "../start/ports.ts";
import { refuseAgents } from "../steer/refuse-agents.ts";
import { commandLine } from "./log-line.ts";
import { type Call, Command, done, line, register, type Result, textOption } from "./command.ts";
import { workItemOption } from "./work-item-argument.ts";

/** `loop sessions close` (service.md 3.1): the manual escape hatch. Ends the registration; the checkout stays. */
class SessionsCloseCommand extends Command {
  override describe(command: Commander): void {
    command.argument("[ref]", "work item or pull request; else --work-item").option("--work-item <ref>", "work item or pull request");
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    await refuseAgents(ports, "close a session");
    const endpoint = await workItemOption(call.args[0] ?? textOption(call, "workItem"), ports);
    const store = await ports.store();
    const lane = formatRef(endpoint);
    const workItem = (await store.items.ownerOfEndpoint(lane)) ?? lane;
    const open = (await store.items.load(workItem)).sessions.some((session) => session.endpoint === lane && session.status !== "closed");
    if (!open) return { exit: 1, data: { closed: false }, view: [line(`there is no open session of ${formatRef(endpoint)}`, "dim")] };
    const lines = [await commandLine(ports, "session.closed", workItem, { endpoint: lane })];
    await store.items.update(workItem, (item) => ({ after: evolve(item, { kind: "session-closed", endpoint }), lines }));
    return done({ closed: true, endpoint: lane }, line(`closed the session of ${lane}; its checkout stays`, "good"));
  }
}

register("sessions close", SessionsCloseCommand);
