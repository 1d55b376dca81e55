import { LoopError } from "@loopwork/core/ports";
import type { Command as Commander } from "commander";
import type { Ports } from "../../ports/command-ports.ts";
import { byCommandLine } from "../../steer/by-command-line.ts";
import { refuseAgents } from "../../steer/refuse-agents.ts";
import { sendControl } from "../../steer/send-control.ts";
import { sentResult } from "../../steer/sent-view.ts";
import { Command } from "../command.ts";
import type { Call } from "../../io/call.ts";
import type { Result } from "../../output/result.ts";
import { refArgument } from "../../steer/ref-argument.ts";

/**
 * `loop sessions say <ref> <text|->`: input for a session without the code host. It is how an
 * operator answers in interaction mode `cli`, and possible in either mode; nothing is posted on the
 * ticket.
 */
export default class SessionsSayCommand extends Command {
  override describe(command: Commander): void {
    command
      .argument("<ref>", "Work item or pull request of the session")
      .argument("[text...]", "Message (default, or -: read standard input)")
      .addHelpText(
        "after",
        "\nThe message is queued as the session's next turn and isn't posted on the code\nhost. If the session has asked a question, it is the answer.",
      );
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    await refuseAgents(ports, "send a message as the operator");
    const [ref = "", ...words] = call.args;
    const target = await refArgument(ref, ports);
    const text = await spoken(words.join(" "), ports);
    return sentResult(
      await sendControl(target, { verb: "say", text }, byCommandLine(ports)),
      await ports.policy(),
    );
  }
}

async function spoken(words: string, ports: Ports): Promise<string> {
  const given = words !== "-" && words !== "";
  const text = given
    ? words
    : words === "" && ports.io.interactive
      ? ""
      : await ports.io.readStdin();
  if (text.trim() === "")
    throw new LoopError(
      "LOOP_E_EMPTY_COMMENT",
      "The message is empty",
      "Give the text as an argument, or - to read standard input",
    );
  return text;
}
