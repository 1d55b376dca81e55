import { resolve } from "node:path";
import { formatPortableRecord, type PortableRecord } from "@loopwork/core";
import { formatRef } from "@loopwork/core/ports";
import type { Command as Commander } from "commander";
import { counted } from "../../output/pluralize.ts";
import type { Ports } from "../../ports/command-ports.ts";
import { formatRecords } from "../../steer/records-file.ts";
import { writeRecords } from "../../steer/write-records.ts";
import { Command } from "../command.ts";
import { type Call, textOption } from "../../io/call.ts";
import { line, type Result } from "../../output/result.ts";
import { refArgument } from "../../steer/ref-argument.ts";

/**
 * `loop work-items export`: the portable record of one work item, or of all that this instance has,
 * as YAML.
 */
export default class WorkItemsExportCommand extends Command {
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

/** What nobody was asked for is whoever's store it stands in. */
function isOf(instance: string, { workItem }: PortableRecord): boolean {
  return workItem.control.instance === null || workItem.control.instance === instance;
}
