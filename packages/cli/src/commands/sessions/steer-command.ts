import type { ControlVerb } from "@loopwork/core/keywords";
import type { Command as Commander } from "commander";
import type { Ports } from "../../ports/command-ports.ts";
import { byCommandLine } from "../../steer/by-command-line.ts";
import { refuseAgents } from "../../steer/refuse-agents.ts";
import { sendControl } from "../../steer/send-control.ts";
import { sentResult } from "../../steer/sent-view.ts";
import { workItemHere } from "../../steer/work-item-here.ts";
import { Command } from "../command.ts";
import { type Call, textOption } from "../../io/call.ts";
import type { Result } from "../../output/result.ts";

type Verb = Extract<ControlVerb, "start" | "pause" | "resume" | "stop" | "cleanup">;

/**
 * `loop sessions start|pause|resume|stop|cleanup`: steers as the
 * keyword in a comment would.
 */
export abstract class SessionsSteerCommand extends Command {
  protected abstract readonly verb: Verb;

  override describe(command: Commander): void {
    command
      .argument("[ref]", "Work item")
      .option("--work-item <ref>", "Work item (default: $LOOP_WORK_ITEM, or that of this checkout)")
      .option("--instance <name>", "Address this instance only")
      .addHelpText(
        "after",
        `\n${more[this.verb]}\nThe service also posts \`loop ${this.verb}\` on the work item, so that others see it.`,
      );
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    await refuseAgents(ports, `${this.verb} a session`);
    const target = await workItemHere(call.args[0] ?? textOption(call, "workItem"), ports);
    const policy = await ports.policy();
    // Whoever starts something here means this instance, which in scope `addressed` must be named.
    const own =
      this.verb === "start" && policy.instance.scope === "addressed" ? policy.instance.name : null;
    return sentResult(
      await sendControl(
        target,
        { verb: this.verb, login: null, instance: textOption(call, "instance") ?? own },
        byCommandLine(ports),
      ),
      policy,
    );
  }
}

const more: Readonly<Record<Verb, string>> = {
  start: "The work item must be open and have the label.",
  pause: "The running turn finishes, and new messages are queued.",
  resume: "Queued messages are sent again, also where a failure had held them back.",
  stop: "The running turn is interrupted and the session closed. The checkout stays.",
  cleanup:
    "Removes the sessions, their checkout and their records from this machine.\nWork that wasn't pushed is saved first.",
};
