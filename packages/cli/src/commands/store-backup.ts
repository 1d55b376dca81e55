import type { Command as Commander } from "commander";
import type { Ports } from "../start/ports.ts";
import { refuseInsideTurn } from "../steer/refuse-agents.ts";
import { type Call, Command, done, line, register, type Result, textOption } from "./command.ts";

/** `loop store backup`: one moment of the store in a new file, checked before it has its name. */
class StoreBackupCommand extends Command {
  override describe(command: Commander): void {
    command
      .requiredOption(
        "--to <file>",
        "a new SQLite file; large bodies stand beside it in <file>-bodies",
      )
      .option(
        "--from <url>",
        "another store than the configured one: sqlite:<path>, postgres://…, or env:<NAME of a variable that holds it>",
      )
      .addHelpText(
        "after",
        "\nOf PostgreSQL it is all rows of one snapshot in the same form. It holds what people wrote: keep it as you keep the store.\nTo go back: put file and folder where the store stood, or `loop store migrate --from sqlite:<file> --to <url>`.",
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
              `bodies of ${made.damaged.length} deliveries are damaged in the store itself: ${made.damaged.slice(0, 10).join(", ")}${made.damaged.length > 10 ? " and others" : ""}`,
              "warn",
            ),
          ];
    return done(
      made,
      line(`${made.from} with ${made.deliveries} deliveries is in ${made.to}, and sound`, "good"),
      ...damaged,
      line("The store alone: the rest of the state root is files of this machine.", "dim"),
    );
  }
}

register("store backup", StoreBackupCommand);
