import { cell, fieldsOf, listOf, table } from "./markdown.ts";

/** What each measurement is about, by where its rows stand in the result. */
const titles: readonly (readonly [title: string, ...path: string[]])[] = [
  ["Receivers, in turns", "receiver", "contenders"],
  ["On a disk whose flush takes longer", "limits", "slowDisk", "rows"],
  ["One delivery at a time", "limits", "alone", "rows"],
  ["Up again over a full inbox", "limits", "start", "rows"],
  ["Stores, without a receiver before them", "store", "drivers"],
  ["Checkouts of 5,000 files", "workspace", "ways"],
  ["What starting a child takes", "spawn", "ways"],
  ["Deliveries while children are started", "spawn", "intake"],
  ["Commands", "startup", "commands"],
];

/**
 * A table for each measurement that has rows; a sentence for what was not measured in the run on
 * record.
 */
export function benchTables(result: Readonly<Record<string, unknown>>): string {
  const found = titles.map(([title, ...path]) => ({
    title,
    list: listOf(path.reduce<unknown>((at, key) => fieldsOf(at)[key], result)),
  }));
  const route = fieldsOf(result["route"]);
  const decided =
    Object.keys(route).length === 0
      ? []
      : [`**Decisions**\n\n${table(Object.keys(route), [Object.values(route).map(cell)])}`];
  return [
    ...decided,
    ...found.map(
      ({ title, list }) =>
        `**${title}**\n\n${list.length === 0 ? "Not in the run on record." : listTable(list)}`,
    ),
  ].join("\n\n");
}

/** The keys of the first are the head of all, as `--json` has them. */
function listTable(list: readonly Readonly<Record<string, unknown>>[]): string {
  const keys = Object.keys(list[0] ?? {});
  return table(
    keys,
    list.map((each) => keys.map((key) => cell(each[key]))),
  );
}
