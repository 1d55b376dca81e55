import type { Command as Commander } from "commander";
import { LoopError } from "@loopwork/core";
import type { Ports } from "../start/ports.ts";
import { answersFrom } from "../init/questions.ts";
import { writeSetup } from "../init/write-setup.ts";
import { type Block, type Call, Command, flag, line, register, type Result } from "./command.ts";
import { refuseInsideTurn } from "./work-item-argument.ts";

/** `loop init` (decisions.md 2): at most four questions, then a configuration and a 0600 file with a fresh secret. */
class InitCommand extends Command {
  override describe(command: Commander): void {
    command
      .option("--yes", "ask nothing: this checkout's remote, the token's login, ~/.loop/workspaces")
      .option("--repository <owner/name>", "repository to listen to")
      .option("--user <login>", "who may steer")
      .option("--workspace <folder>", "folder of the checkouts")
      .option("--force", "replace a configuration that is there")
      .addHelpText("after", "\nWrites ~/.loop/cli-config.yaml, or the file that --config names, and beside it an env file with the webhook secret.");
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    refuseInsideTurn(ports, "configure");
    const answers = await answersFrom(call, ports);
    const written = writeSetup(answers, typeof call.options["config"] === "string" ? call.options["config"] : null, flag(call, "force"), ports.io);
    if (!written.ok) throw new LoopError("LOOP_E_INIT_EXISTS", `${written.file} is there already`, "add --force to replace it, or edit it and run `loop config validate`");
    const view: readonly Block[] = [
      line(`wrote ${written.file}`, "good"),
      line(`wrote ${written.envFile} with a fresh webhook secret; put your token of the code host into it as LOOP_HOST_TOKEN`, "good"),
      { kind: "heading", text: "What is left for you" },
      line(`1. Add a webhook to ${answers.repository}: your public URL + /host-webhook, content type application/json, the secret from ${written.envFile}, and these events: issues, issue comments, pull requests, reviews, review comments, workflow runs, check runs, check suites, statuses.`),
      line('2. Make the label "loop: auto-execute" in the repository.'),
      line("3. Run `loop doctor`, then `loop start`."),
      line(`4. Label an issue, and comment "loop start" as @${answers.user}.`),
    ];
    return { exit: 0, data: { ...written, ...answers }, view };
  }
}

register("init", InitCommand);
