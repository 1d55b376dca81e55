import { LoopError } from "@loopwork/core/ports";
import type { Command as Commander } from "commander";
import type { Ports } from "../../ports/command-ports.ts";
import { refuseInsideTurn } from "../../steer/refuse-agents.ts";
import { Command } from "../command.ts";
import { type Call, flag, textOption } from "../../io/call.ts";
import { done, line, type Result } from "../../output/result.ts";

/**
 * `loop store migrate`: every row to an empty place, compared, then there as a whole. The source
 * stays.
 */
export default class StoreMigrateCommand extends Command {
  override describe(command: Commander): void {
    command
      .requiredOption(
        "--to <url>",
        "Empty destination: sqlite:<path>, postgres://…, or env:<VARIABLE>",
      )
      .option("--from <url>", "Store to copy (default: the configured one)")
      .option(
        "--instance <name>",
        "New name for the store's only instance, such as build-1 instead of default",
      )
      .option("--leave-damaged", "Skip delivery bodies that are damaged")
      .option("--start-over", "Discard what an unfinished run left at the destination")
      .addHelpText(
        "after",
        "\nStop the services on all machines first. If the copy is interrupted, run the\nsame command again to continue. Keep a URL with a password in a variable:\nothers can read your command line.\n\nExample:\n  loop store migrate --to env:LOOP_STORE_URL --instance build-1",
      );
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    // The signs of a turn alone: whoever asks the records would have the store open.
    refuseInsideTurn(ports, "move the store");
    const moved = await (
      await ports.storeCare()
    ).migrate(textOption(call, "from") ?? null, textOption(call, "to") ?? "", {
      leaveDamaged: flag(call, "leaveDamaged"),
      startOver: flag(call, "startOver"),
      instance: instanceOption(call),
    });
    return done(
      moved,
      {
        kind: "table",
        columns: ["table", "rows", "SHA-256"],
        rows: moved.tables.map(({ table, rows, sha256 }) => [
          table,
          String(rows),
          sha256.slice(0, 16),
        ]),
        empty: "",
      },
      line(
        `✓ Copied ${moved.from} to ${moved.to} and compared every row${moved.resumed ? " (continued an earlier run)" : ""}`,
        "good",
      ),
      ...(moved.damaged.length === 0
        ? []
        : [line(`! Skipped ${moved.damaged.length} damaged delivery bodies`, "warn")]),
      line(
        `Now set store.url or store.urlEnv to it in the configuration, and instance.name to ${moved.instances.join(" or ")}.`,
      ),
      ...(moved.instances.includes("default") && !moved.to.startsWith("sqlite:")
        ? [
            line(
              "! Instances that share a store need their own names. Copy it again with `--instance <name>`.",
              "warn",
            ),
          ]
        : []),
      line(`${moved.from} is unchanged. Don't start services on it again.`, "warn"),
    );
  }
}

/** The grammar of `instance.name`. */
function instanceOption(call: Call): string | null {
  const name = textOption(call, "instance");
  if (name === undefined || /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/.test(name)) return name ?? null;
  throw new LoopError(
    "LOOP_E_USAGE",
    `Invalid --instance ${JSON.stringify(name.slice(0, 60))}`,
    "Use up to 40 lower-case letters, digits and dashes",
  );
}
