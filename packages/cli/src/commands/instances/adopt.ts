import type { Command as Commander } from "commander";
import type { Ports } from "../../ports/command-ports.ts";
import { type AdoptedItem, adoptInstance } from "../../steer/adopt-instance.ts";
import { byCommandLine } from "../../steer/by-command-line.ts";
import { refuseAgents } from "../../steer/refuse-agents.ts";
import { counted } from "../../output/pluralize.ts";
import { Command } from "../command.ts";
import { type Block, done, line, type Result } from "../../output/result.ts";
import type { Call } from "../../io/call.ts";

/**
 * `loop instances adopt <name>`: this instance goes on with the work of one that is gone.
 */
export default class InstancesAdoptCommand extends Command {
  override describe(command: Commander): void {
    command
      .argument("<name>", "Name of the dead instance, from `loop instances list`")
      .addHelpText(
        "after",
        "\nThis instance takes over its work items and everything queued for them. Each\ngets a new session and a new checkout of the pushed branch. Work that wasn't\npushed stays on the other machine. Turns that were running there wait for your\ndecision in `loop status`. Comments that may not have been posted are listed,\nnot posted again.",
      );
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    await refuseAgents(ports, "take over another instance's work");
    const from = call.args[0] ?? "";
    const adopted = await adoptInstance(from, byCommandLine(ports));
    const uncertain = adopted.flatMap((each) =>
      each.uncertain.map((turn) => ({ turn, workItem: each.workItem })),
    );
    const view: readonly Block[] = [
      line(
        adopted.length === 0
          ? `Instance ${from} has no work items`
          : `✓ Took over ${counted(adopted.length, "work item", "work items")} from ${from}`,
        "good",
      ),
      ...uncertain.flatMap(({ turn, workItem }) => [
        line(`! ${workItem}  turn ${turn} was running there: check its branch`, "warn"),
        line(`    → loop turns retry ${turn}   or   loop turns drop ${turn}`),
      ]),
    ];
    return done(
      { from, adopted },
      ...view,
      ...adopted.flatMap(({ posts }) => posts.flatMap(postLines)),
    );
  }
}

/**
 * A comment that the old owner had begun to post is posted by nobody again: only a look at the
 * thread tells.
 */
function postLines({ thread, text }: AdoptedItem["posts"][number]): readonly Block[] {
  const words = text.replaceAll(/\s+/g, " ").trim();
  return [
    line(
      `! ${thread}  this comment may not have been posted: ${JSON.stringify(words.length > 100 ? `${words.slice(0, 100)}…` : words)}`,
      "warn",
    ),
    line("    → Check the thread, and post it yourself if it is missing"),
  ];
}
