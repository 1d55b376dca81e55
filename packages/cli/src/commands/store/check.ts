import type { Command as Commander } from "commander";
import type { Ports } from "../../ports/command-ports.ts";
import { Command } from "../command.ts";
import { type Call, textOption } from "../../io/call.ts";
import { line, type Result } from "../../output/result.ts";

/**
 * `loop store check`: exit 0 when the store is sound, 1 with what is wrong, 2 when it could not be
 * looked at.
 */
export default class StoreCheckCommand extends Command {
  override describe(command: Commander): void {
    command
      .option(
        "--url <url>",
        "Store to check: sqlite:<path>, postgres://…, or env:<VARIABLE> (default: the configured one)",
      )
      .addHelpText(
        "after",
        "\nReads every row without changing anything, while services keep running. To fix\na damaged store, restore a backup: no command repairs it in place.",
      );
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    const checked = await (await ports.storeCare()).check(textOption(call, "url") ?? null);
    const { place, findings, notes, counted } = checked;
    const rows = Object.values(counted).reduce((sum, count) => sum + count, 0);
    return {
      exit: findings.length === 0 ? 0 : 1,
      data: { sound: findings.length === 0, ...checked },
      view: [
        ...findings.map(({ kind, sentence }) => line(`✗ ${kind}: ${sentence}`, "bad")),
        findings.length === 0
          ? line(
              `✓ ${place} is intact (read ${rows} rows of ${Object.keys(counted).length} tables)`,
              "good",
            )
          : line(
              `${place} is damaged. Run \`loop store backup\` to save what is readable, and see docs/operations.md for how to restore a backup.`,
              "warn",
            ),
        ...notes.map((note) => line(note, "dim")),
      ],
    };
  }
}
