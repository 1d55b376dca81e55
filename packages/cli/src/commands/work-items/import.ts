import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { LoopError } from "@loopwork/core/ports";
import type { Command as Commander } from "commander";
import type { Ports } from "../../ports/command-ports.ts";
import { byCommandLine } from "../../steer/by-command-line.ts";
import { type ImportedRecord, importRecords } from "../../steer/import-records.ts";
import { largestFile, parseRecords } from "../../steer/records-file.ts";
import { refuseAnyAgent } from "../../steer/refuse-agents.ts";
import { Command } from "../command.ts";
import { type Block, line, type Result } from "../../output/result.ts";
import { type Call, flag } from "../../io/call.ts";

/** `loop work-items import`: brings such records here. */
export default class WorkItemsImportCommand extends Command {
  override describe(command: Commander): void {
    command
      .argument("<file>", "File from `loop work-items export`, or - for standard input")
      .option("--take", "Assign them to this instance instead of the one they name")
      .option("--replace", "Overwrite records that differ here")
      .addHelpText(
        "after",
        "\nStop the work items on the old instance first, or both will work on them. Work\nitems that are running here are skipped. The next message on a started work\nitem opens a new session from the pushed branch.",
      );
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    await refuseAnyAgent(ports, "import work items");
    const records = parseRecords(await textOf(call.args[0] ?? "", ports));
    const outcomes = await importRecords(
      records,
      { take: flag(call, "take"), replace: flag(call, "replace") },
      byCommandLine(ports),
    );
    const refused = outcomes.filter(
      ({ outcome }) => outcome === "at-work" || outcome === "differs",
    );
    const view =
      outcomes.length === 0 ? [line("The file has no work items", "dim")] : outcomes.flatMap(told);
    return { exit: refused.length === 0 ? 0 : 1, data: outcomes, view };
  }
}

async function textOf(file: string, { io }: Ports): Promise<string> {
  if (file === "-") return io.readStdin();
  try {
    const from = resolve(io.cwd, file);
    if (statSync(from).size > largestFile) throw new Error("it is too large to be an export");
    return readFileSync(from, "utf8");
  } catch (error) {
    throw new LoopError(
      "LOOP_E_USAGE",
      `Can't read ${file}: ${error instanceof Error ? error.message : ""}`,
      "Give a file from `loop work-items export`, or - for standard input",
    );
  }
}

function told({ workItem, outcome }: ImportedRecord): readonly Block[] {
  switch (outcome) {
    case "imported":
      return [line(`✓ ${workItem}`, "good")];
    case "same":
      return [line(`= ${workItem} is already here, unchanged`, "dim")];
    case "at-work":
      return [
        line(`! ${workItem} is running here`, "warn"),
        line(`    → First run \`loop sessions stop ${workItem}\``),
      ];
    case "differs":
      return [
        line(`! ${workItem} differs from the record here`, "warn"),
        line("    → Compare with `loop work-items export`, or overwrite it with --replace"),
      ];
  }
}
