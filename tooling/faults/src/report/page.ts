import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseRecord, type Recorded } from "@loopwork-tooling/record";
import { commandOf } from "./commands.ts";
import { type Results, targetTable } from "./targets.ts";
import { type Result, tables } from "./tables.ts";

/** What is on record, by part: what came out, and a sentence on where and when. */
export type Records = ReadonlyMap<string, Shown>;
export type Shown = { readonly result: Result; readonly origin: string };

export const pageFile: string = fileURLToPath(
  new URL("../../../../docs/reliability.md", import.meta.url),
);
export const templateFile: string = fileURLToPath(
  new URL("../../report/reliability.md", import.meta.url),
);

/** What the runs wrote into the folder, and what the mutation run wrote into a file beside it. */
export function readRecords(folder: string): Records {
  const files = existsSync(folder)
    ? readdirSync(folder).filter((name) => name.endsWith(".json"))
    : [];
  const records = new Map(
    files
      .toSorted()
      .map((name) => [
        name.slice(0, -".json".length),
        shown(parseRecord(readFileSync(join(folder, name), "utf8"))),
      ]),
  );
  const mutation = join(folder, "..", "mutation.json");
  return existsSync(mutation)
    ? records.set("mutation", shownMutation(JSON.parse(readFileSync(mutation, "utf8"))))
    : records;
}

/**
 * The page: the template with each `{{part}}` replaced by what is on record of that part, and
 * `{{targets}}` by all targets. Throws for a part that no table knows. What was never run says so,
 * and by which command it is.
 */
export function pageOf(template: string, records: Records): string {
  const results: Results = (name) => records.get(name)?.result ?? null;
  return template.replaceAll(/^\{\{([a-z-]+)\}\}$/gm, (_match, name: string) => {
    if (name === "targets") return targetTable(results);
    const table = tables[name];
    if (table === undefined) throw new Error(`no table knows the part ${name}`);
    const record = records.get(name);
    return record === undefined
      ? `*No run on record. \`${commandOf(name)}\` makes one.*`
      : `${table(record.result)}\n\n${record.origin}`;
  });
}

/** A record as the page shows it. */
export function shown({
  result,
  command,
  commit,
  changed,
  date,
  seconds,
  machine,
}: Recorded): Shown {
  const { cpu, cores, memoryGiB, system, fileSystem, node, load } = machine;
  const busy = load > cores ? `; other work kept the processors busy (load ${load})` : "";
  return {
    result,
    origin: `\`${command}\` at ${commit}${changed ? " with changes" : ""}, ${date}, ${lengthOf(seconds)}; ${cores} cores of ${cpu}, ${memoryGiB} GiB, ${fileSystem}, ${system}, Node ${node}${busy}.`,
  };
}

/**
 * The mutation run keeps rows of several runs in a form of its own; the sentence is on the last.
 */
function shownMutation(result: Result): Shown {
  const of = (key: string): string => String(result[key] ?? "");
  return {
    result,
    origin: `\`${of("command")}\` at ${of("commit")}, ${of("date")}, ${lengthOf(Number(result["seconds"]))}; ${of("machine")}, Node ${of("node")}. Rows of files that it did not come to are of an earlier one.`,
  };
}

function lengthOf(seconds: number): string {
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
