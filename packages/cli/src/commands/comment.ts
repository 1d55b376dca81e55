import { formatRef, LoopError, verbatimPost } from "@loopwork/core/ports";
import type { Command as Commander } from "commander";
import type { Ports } from "../ports/command-ports.ts";
import { turnHere } from "../steer/turn-here.ts";
import { commandLine } from "./log-line.ts";
import { Command } from "./command.ts";
import { type Call, textOption } from "../io/call.ts";
import { done, line, type Result } from "../output/result.ts";
import { askInsideTurn } from "./inside-turn.ts";
import { workItemOption } from "./work-item-argument.ts";
import { refArgument } from "../steer/ref-argument.ts";

/**
 * `loop comment`: says something on the thread in the service's marked voice, which nothing here
 * ever reads as a command.
 */
export default class CommentCommand extends Command {
  override describe(command: Commander): void {
    command
      .argument("[text...]", "Comment (default: read standard input)")
      .option(
        "--on <ref>",
        "Thread to post on, such as a pull request (default: the session's own)",
      )
      .option("--work-item <ref>", "Work item (default: $LOOP_WORK_ITEM)");
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    const text = await commentText(call, ports);
    const on = textOption(call, "on");
    const turn = await turnHere(ports);
    if (turn !== null) return askInsideTurn(turn, { kind: "comment", text, on: on ?? null }, ports);
    const thread = await (on === undefined
      ? workItemOption(textOption(call, "workItem"), ports)
      : refArgument(on, ports));
    const posted = await (
      await ports.codeHost()
    ).comment(thread, await ports.mark(verbatimPost(text), `command-${ports.ids.uuid()}`));
    await (
      await ports.store()
    ).events.append([
      await commandLine(ports, "host.posted", formatRef(thread), { comment: posted.id }),
    ]);
    return done(
      posted,
      line(
        posted.url === null ? `✓ Posted on ${formatRef(thread)}` : `✓ Posted ${posted.url}`,
        "good",
      ),
    );
  }
}

/** The words of the arguments, or all of standard input. */
export async function commentText(call: Call, ports: Ports): Promise<string> {
  const text =
    call.args.length > 0
      ? call.args.join(" ")
      : ports.io.interactive
        ? ""
        : await ports.io.readStdin();
  if (text.trim() === "")
    throw new LoopError(
      "LOOP_E_EMPTY_COMMENT",
      "The comment is empty",
      "Give the text as an argument or on standard input",
    );
  return text;
}
