import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { formatPortableRecord, formatRef, type PortableRecord } from "@loopwork/core";
import { LoopError } from "@loopwork/core/errors";
import type { Command as Commander } from "commander";
import { counted } from "../output/counted.ts";
import type { Ports } from "../start/ports.ts";
import { byCommandLine } from "../steer/by-command-line.ts";
import { type ImportedRecord, importRecords } from "../steer/import-records.ts";
import { formatRecords, largestFile, parseRecords } from "../steer/records-file.ts";
import { refuseAnyAgent } from "../steer/refuse-agents.ts";
import { writeRecords } from "../steer/write-records.ts";
import {
  type Block,
  type Call,
  Command,
  flag,
  line,
  register,
  type Result,
  textOption,
} from "./command.ts";
import { refArgument } from "./work-item-argument.ts";

/**
 * `loop work-items export`: the portable record of one work item, or of all that this instance has,
 * as YAML.
 */
class WorkItemsExportCommand extends Command {
  override describe(command: Commander): void {
    command
      .argument("[ref]", "Work item (default: all of this instance)")
      .option(
        "--out <file>",
        "Write to this file, which only you can read, instead of standard output",
      )
      .addHelpText(
        "after",
        "\nThe export has requests, pull requests, collaborators and spend, but no\nsessions and no paths of this machine.\n\nExamples:\n  loop work-items export --out items.yaml   on the old machine\n  loop work-items import items.yaml         on the new one",
      );
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    const [store, { instance }] = await Promise.all([ports.store(), ports.policy()]);
    const asked =
      call.args[0] === undefined ? null : formatRef(await refArgument(call.args[0], ports));
    const items = asked === null ? await store.items.list() : [await store.items.load(asked)];
    const records = items
      .flatMap((item) => formatPortableRecord(item) ?? [])
      .filter((record) => asked !== null || isOf(instance.name, record));
    if (asked !== null && records.length === 0)
      return {
        exit: 1,
        data: records,
        view: [line(`Nothing is on record for ${asked}`, "warn")],
      };
    const sorted = records.toSorted((one, other) =>
      one.workItem.ref < other.workItem.ref ? -1 : 1,
    );
    const text = formatRecords(sorted);
    const file = textOption(call, "out");
    if (file === undefined)
      return { exit: 0, data: sorted, view: [{ kind: "verbatim", text: text.trimEnd() }] };
    const to = resolve(ports.io.cwd, file);
    writeRecords(to, text);
    return {
      exit: 0,
      data: { file: to, workItems: sorted.map(({ workItem }) => workItem.ref) },
      view: [
        line(`✓ Exported ${counted(sorted.length, "work item", "work items")} to ${to}`, "good"),
      ],
    };
  }
}

/** `loop work-items import`: brings such records here. */
class WorkItemsImportCommand extends Command {
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

register("work-items export", WorkItemsExportCommand);
register("work-items import", WorkItemsImportCommand);

/** What nobody was asked for is whoever's store it stands in. */
function isOf(instance: string, { workItem }: PortableRecord): boolean {
  return workItem.control.instance === null || workItem.control.instance === instance;
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
