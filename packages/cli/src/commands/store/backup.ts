import type { Command as Commander } from "commander";
import type { Ports } from "../../ports/command-ports.ts";
import { refuseInsideTurn } from "../../steer/refuse-agents.ts";
import { Command } from "../command.ts";
import { type Call, textOption } from "../../io/call.ts";
import { done, line, type Result } from "../../output/result.ts";

/** `loop store backup`: one moment of the store in a new file, checked before it has its name. */
export default class StoreBackupCommand extends Command {
  override describe(command: Commander): void {
    command
      .requiredOption("--to <file>", "New SQLite file (large bodies go to <file>-bodies)")
      .option(
        "--from <url>",
        "Store to back up: sqlite:<path>, postgres://…, or env:<VARIABLE> (default: the configured one)",
      )
      .addHelpText(
        "after",
        "\nServices keep running. The backup contains what people wrote, so keep it as\nsafe as the store. To restore it, put the file and folder back in place of the\nstore, or run `loop store migrate --from sqlite:<file> --to <url>`.",
      );
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    // The signs of a turn alone: whoever asks the records would have the store open.
    refuseInsideTurn(ports, "copy the store");
    const made = await (
      await ports.storeCare()
    ).backup(textOption(call, "from") ?? null, textOption(call, "to") ?? "");
    const damaged =
      made.damaged.length === 0
        ? []
        : [
            line(
              `! ${made.damaged.length} delivery bodies are damaged in the store itself: ${made.damaged.slice(0, 10).join(", ")}${made.damaged.length > 10 ? " and others" : ""}`,
              "warn",
            ),
          ];
    return done(
      made,
      line(`✓ Backed up ${made.from} (${made.deliveries} deliveries) to ${made.to}`, "good"),
      ...damaged,
      line("This is the store only. The rest of the state root belongs to this machine.", "dim"),
    );
  }
}
