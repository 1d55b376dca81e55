import { parsePortableRecord, type PortableRecord, type RecordProblem } from "@loopwork/core";
import { escapeHidden, type ItemState, LoopError } from "@loopwork/core/ports";
import { type DocumentLimits, readPlainDocument } from "@loopwork/core/config";
import { Document, visit } from "yaml";

/** About ten thousand work items. A short text with aliases could stand for a very long one. */
const limits: DocumentLimits = {
  characters: 16 * 1024 * 1024,
  nodes: 2_000_000,
  levels: 32,
  aliases: false,
  of: "a file of records",
};

/** Bytes that such a file can have at most: a character of UTF-16 takes three in UTF-8. */
export const largestFile: number = limits.characters * 3;

/** Portable records as a YAML list, by ref: the same records are the same bytes. */
export function formatRecords(records: readonly PortableRecord[]): string {
  const document = new Document(records, { aliasDuplicateObjects: false });
  // Only in double quotes can a text of YAML say what doesn't print.
  visit(document, {
    Scalar: (_key, node) =>
      void (
        typeof node.value === "string" &&
        escapeHidden(node.value) !== node.value &&
        (node.type = "QUOTE_DOUBLE")
      ),
  });
  return escapeHidden(document.toString({ lineWidth: 0 }));
}

/**
 * Reads what `formatRecords` wrote, or the same as JSON. Throws `LOOP_E_RECORDS` with all that is
 * wrong, each with its place; nothing is imported then.
 */
export function parseRecords(text: string): readonly ItemState[] {
  const read = listIn(text).map((value, at) => ({ at, parsed: parsePortableRecord(value) }));
  const items = read.flatMap(({ at, parsed }) => (parsed.ok ? [{ at, item: parsed.item }] : []));
  const problems = read.flatMap(({ at, parsed }) =>
    parsed.ok
      ? []
      : parsed.problems.map(({ path, message }) => ({
          path: path === "" ? `[${at}]` : `[${at}].${path}`,
          message,
        })),
  );
  problems.push(...twice(items));
  if (problems.length > 0) throw new NoRecords(problems);
  return items.map(({ item }) => item);
}

/** Of two records of one work item nobody knows which is meant. */
function twice(
  items: readonly { readonly at: number; readonly item: ItemState }[],
): readonly RecordProblem[] {
  const first = new Map<string | undefined, number>();
  return items.flatMap(({ at, item: { workItem } }) => {
    const before = first.get(workItem?.ref);
    if (before === undefined) first.set(workItem?.ref, at);
    return before === undefined
      ? []
      : [
          {
            path: `[${at}].workItem.ref`,
            message: `duplicates [${before}]: keep one of the two`,
          },
        ];
  });
}

function listIn(text: string): readonly unknown[] {
  const read = readPlainDocument(text, limits);
  if (!read.ok)
    throw new NoRecords(
      read.problems.map(({ path, line, message, hint }) => ({
        path: [line === null ? "" : `line ${line}`, path].filter((part) => part !== "").join(", "),
        message: `${message}; ${hint}`,
      })),
    );
  if (!Array.isArray(read.value))
    throw new NoRecords([{ path: "", message: "must be a list of records" }]);
  return read.value;
}

/** A file that holds something else; every problem with its place. */
class NoRecords extends LoopError {
  readonly details: readonly string[];

  constructor(problems: readonly RecordProblem[]) {
    super(
      "LOOP_E_RECORDS",
      "The file is not an export of work items, so nothing was imported",
      "Export work items with `loop work-items export`",
    );
    const more = problems.length - shown;
    this.details = [
      ...problems
        .slice(0, shown)
        .map(({ path, message }) => `${path === "" ? "the file" : path}: ${message}`),
      ...(more > 0 ? [`and ${more} more`] : []),
    ];
  }
}

/** Problems that are listed one by one. */
const shown = 50;
