import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseRecord, type Recorded } from "@loopwork-tooling/record";
import { tables } from "./tables.ts";

export type Records = ReadonlyMap<string, Recorded>;

export const pageFile: string = fileURLToPath(new URL("../../../../docs/reliability.md", import.meta.url));
export const templateFile: string = fileURLToPath(new URL("../../report/reliability.md", import.meta.url));

/** What is on record, by part. */
export function readRecords(folder: string): Records {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".json")) : [];
  return new Map(files.toSorted().map((name) => [name.slice(0, -".json".length), parseRecord(readFileSync(join(folder, name), "utf8"))]));
}

/**
 * The page: the template with each `{{part}}` replaced by what is on record of that part. Throws for a part that no table knows. What was never run
 * says so.
 */
export function pageOf(template: string, records: Records): string {
  return template.replaceAll(/^\{\{([a-z-]+)\}\}$/gm, (_match, name: string) => {
    const table = tables[name];
    if (table === undefined) throw new Error(`no table knows the part ${name}`);
    const record = records.get(name);
    return record === undefined ? "*No result of this run is on record; the command makes one.*" : `${table(record.result)}\n\n${originOf(record)}`;
  });
}

/** Where and when: a sentence under each table. */
function originOf({ command, commit, changed, date, seconds, machine }: Recorded): string {
  const { cpu, cores, memoryGiB, system, fileSystem, node, load } = machine;
  const busy = load > cores ? `; other work kept the processors busy (load ${load})` : "";
  return `\`${command}\` at ${commit}${changed ? " with changes" : ""}, ${date}, ${lengthOf(seconds)}; ${cores} cores of ${cpu}, ${memoryGiB} GiB, ${fileSystem}, ${system}, Node ${node}${busy}.`;
}

function lengthOf(seconds: number): string {
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
