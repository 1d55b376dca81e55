import type { Block } from "../output/result.ts";
import { stamp } from "../output/time.ts";

/**
 * An answer of any operation for people: what is plain as fields, lists as tables, the rest below
 * headings.
 */
export function answerView(answer: unknown): readonly Block[] {
  const fields = Object.entries(typeof answer === "object" && answer !== null ? answer : {});
  if ("items" in Object.fromEntries(fields)) return pageView(new Map(fields));
  const plain = fields.filter(([, value]) => isPlain(value) || isWords(value));
  const rest = fields.filter(([, value]) => !isPlain(value) && !isWords(value));
  return [
    ...(plain.length === 0
      ? []
      : [
          {
            kind: "fields",
            rows: plain.map(([name, value]) => [wordsOf(name), shown(name, value)] as const),
          } as const,
        ]),
    ...rest.flatMap(([name, value]): readonly Block[] => [
      { kind: "heading", text: wordsOf(name) },
      ...(Array.isArray(value) ? [tableOf(value)] : answerView(value)),
    ]),
  ];
}

function pageView(page: ReadonlyMap<string, unknown>): readonly Block[] {
  const items = page.get("items");
  const next = page.get("next");
  return [
    tableOf(Array.isArray(items) ? items : []),
    ...(typeof next === "string"
      ? [{ kind: "line", text: `More: --cursor ${next}`, tone: "dim" } as const]
      : []),
  ];
}

function tableOf(items: readonly unknown[]): Block {
  const rows = items.map(
    (item) =>
      new Map<string, unknown>(
        Object.entries(typeof item === "object" && item !== null ? item : { value: item }),
      ),
  );
  const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))].filter((column) =>
    rows.some((row) => isPlain(row.get(column)) && row.get(column) !== null),
  );
  return {
    kind: "table",
    columns: columns.map(wordsOf),
    rows: rows.map((row) => columns.map((column) => shown(column, row.get(column)))),
    empty: "None",
  };
}

/** `workItem` as people write it. */
function wordsOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== "object";
}

/** A short list of words fits one line. */
function isWords(value: unknown): boolean {
  return (
    Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === "string")
  );
}

const instants = /^(?:at|time|until|since)$|At$/;

function shown(name: string, value: unknown): string {
  if (value === null || value === undefined) return "-";
  if (typeof value === "number" && instants.test(name) && value > 1e11) return stamp(value);
  if (typeof value === "number" && !Number.isInteger(value))
    return String(Number(value.toFixed(4)));
  if (Array.isArray(value)) return value.join(" ");
  return typeof value === "string" ? value : JSON.stringify(value);
}
