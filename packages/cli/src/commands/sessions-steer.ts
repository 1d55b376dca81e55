import type { ControlVerb } from "@loopwork/core";
import type { Command as Commander } from "commander";
import type { Ports } from "../start/ports.ts";
import { byCommandLine } from "../steer/by-command-line.ts";
import { refuseAgents } from "../steer/refuse-agents.ts";
import { sendControl } from "../steer/send-control.ts";
import { sentResult } from "../steer/sent-view.ts";
import { workItemHere } from "../steer/work-item-here.ts";
import { type Call, Command, register, type Result, textOption } from "./command.ts";

type Verb = Extract<ControlVerb, "start" | "pause" | "resume" | "stop" | "cleanup">;

/**
 * `loop sessions start|pause|resume|stop|cleanup` (service.md 4.3; decisions.md 5): steers as the
 * keyword in a comment would.
 */
abstract class SessionsSteerCommand extends Command {
  protected abstract readonly verb: Verb;

  override describe(command: Commander): void {
    command
      .argument("[ref]", "work item; else --work-item")
      .option("--work-item <ref>", "work item (else $LOOP_WORK_ITEM, else that of the checkout)")
      .option("--instance <name>", "only this instance takes it")
      .addHelpText(
        "after",
        `\nThe ticket shows it as \`loop ${this.verb}\`, marked as the service's own. ${more[this.verb]}`,
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
  start: "The item must be open and carry the label.",
  pause: "The running turn ends by itself, and what arrives waits in order.",
  resume: "What waited goes on; a lane that was held goes on as well.",
  stop: "Turn and session end, the checkout stays.",
  cleanup:
    "Sessions, checkout and session records of this machine go; work that is on no remote is saved first.",
};

for (const verb of ["start", "pause", "resume", "stop", "cleanup"] as const) {
  register(
    `sessions ${verb}`,
    class extends SessionsSteerCommand {
      protected override readonly verb = verb;
    },
  );
}
