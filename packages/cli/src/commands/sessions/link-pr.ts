import { LoopError, parseTypedRef, sameRef } from "@loopwork/core/ports";
import type { Command as Commander } from "commander";
import type { InsideTurn, Ports } from "../../ports/command-ports.ts";
import { byCommandLine } from "../../steer/by-command-line.ts";
import { linkPullRequest } from "../../steer/link-pull-request.ts";
import { isAgents } from "../../steer/refuse-agents.ts";
import { turnHere } from "../../steer/turn-here.ts";
import { Command } from "../command.ts";
import { type Call, textOption } from "../../io/call.ts";
import { done, line, type Result } from "../../output/result.ts";
import { askInsideTurn } from "../inside-turn.ts";
import { pullRequestArgument, workItemOption } from "../work-item-argument.ts";

/**
 * `loop sessions link-pr`: records a pull request against the work item; again is
 * a no-op.
 */
export default class SessionsLinkPrCommand extends Command {
  override describe(command: Commander): void {
    command
      .option("--work-item <ref>", "Work item (default: $LOOP_WORK_ITEM)")
      .requiredOption(
        "--pull-request <number or ref>",
        "Number in the work item's repository, or host:<owner>/<repo>#<number>",
      )
      .addHelpText(
        "after",
        "\nEvents of the pull request then reach the work item's session. To link them on\nthe code host too, write `Fixes #7` in its description, not `Fixes issue #7`.",
      );
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    const [named, text] = [textOption(call, "workItem"), textOption(call, "pullRequest") ?? ""];
    const turn = await turnHere(ports);
    if (turn !== null) {
      if (turn.turnDir !== null && named !== undefined && !isOwn(named, turn))
        throw new LoopError(
          "LOOP_E_INSIDE_TURN",
          "A turn can only link pull requests to its own work item",
          `Leave out --work-item${turn.workItem === null ? "" : ` (it is ${turn.workItem})`}`,
        );
      return askInsideTurn(turn, { kind: "link-pr", pullRequest: text }, ports);
    }
    const workItem = await workItemOption(named, ports);
    const pullRequest = await pullRequestArgument(text, workItem, ports);
    const agent = isAgents(ports.io) ? await ports.codeHost() : null;
    const linked = await linkPullRequest(workItem, pullRequest, byCommandLine(ports), agent);
    return done(
      linked,
      line(`loop: recorded ${linked.pullRequest} against ${linked.workItem}`, "good"),
    );
  }
}

/**
 * The dispatcher knows the turn's work item by itself; naming another one must not be passed over.
 */
function isOwn(named: string, { workItem }: InsideTurn): boolean {
  const [typed, own] = [parseTypedRef(named), parseTypedRef(workItem ?? "")];
  return typed !== null && own !== null && sameRef(typed, own);
}
