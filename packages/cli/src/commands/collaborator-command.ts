import { isLogin, LoopError } from "@loopwork/core/ports";
import type { Command as Commander } from "commander";
import type { Ports } from "../ports/command-ports.ts";
import { byCommandLine } from "../steer/by-command-line.ts";
import { refuseAnyAgent } from "../steer/refuse-agents.ts";
import { sendControl } from "../steer/send-control.ts";
import { sentResult } from "../steer/sent-view.ts";
import { workItemHere } from "../steer/work-item-here.ts";
import { Command } from "./command.ts";
import { type Call, textOption } from "../io/call.ts";
import type { Result } from "../output/result.ts";

/**
 * `loop add-collaborator`, `loop remove-collaborator`: one login may speak to one item's session,
 * or no longer.
 */
export abstract class CollaboratorCommand extends Command {
  protected abstract readonly verb: "add-collaborator" | "remove-collaborator";

  override describe(command: Commander): void {
    command
      .argument("<login...>", "One login, such as @grace, optionally after a work item")
      .option("--work-item <ref>", "Work item (default: $LOOP_WORK_ITEM, or that of this checkout)")
      .addHelpText(
        "after",
        "\nA collaborator's comments on the work item reach its session as input. They\ncan't give commands. Access ends when the item closes.",
      );
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    await refuseAnyAgent(ports, "change who is heard");
    const refs = call.args.filter((word) => word.startsWith("host:"));
    const login = oneLogin(call.args.filter((word) => !word.startsWith("host:")));
    if (refs.length > 1)
      throw new LoopError(
        "LOOP_E_USAGE",
        "More than one work item given",
        "Name one work item: access is per login and work item",
      );
    const target = await workItemHere(textOption(call, "workItem") ?? refs[0], ports);
    const sent = await sendControl(
      target,
      { verb: this.verb, login, instance: null },
      byCommandLine(ports),
    );
    return sentResult(sent, await ports.policy());
  }
}

/** Teams and bots cannot be logins by their grammar. */
function oneLogin([word = "", ...others]: readonly string[]): string {
  const login = word.startsWith("@") ? word.slice(1) : word;
  if (others.length === 0 && isLogin(login)) return login;
  const what =
    others.length > 0
      ? "More than one login given"
      : `Invalid login ${JSON.stringify(word.slice(0, 100))}`;
  throw new LoopError(
    "LOOP_E_LOGIN",
    what,
    "Give one @login of a person: teams and bots can't be collaborators",
  );
}
