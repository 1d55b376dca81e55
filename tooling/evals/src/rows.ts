import { EvalError } from "./failure.ts";
import { isRecord, type Record } from "./shape.ts";

/** A line that is no row of the table: what is wrong with it, in half a sentence. */
export type Misfit = { readonly misfit: string };

/** How one kind of table reads a line: its row, or what is wrong. */
export type RowShape<Row> = {
  readonly keys: readonly string[];
  readonly read: (line: Record) => Row | Misfit;
};

export type Table<Row> = { readonly rows: readonly Row[]; readonly notes: readonly string[] };

/**
 * Reads a table in JSON lines: one object a line, empty lines aside. Nothing is passed over in
 * silence: every line that does not fit is listed with its number and nothing is measured then;
 * what is odd and harmless becomes a note.
 */
export function readRows<Row extends { readonly id: string }>(
  text: string,
  shape: RowShape<Row>,
): Table<Row> {
  const rows: Row[] = [];
  const wrong: string[] = [];
  const unknown = new Set<string>();
  const seen = new Map<string, number>();
  const notes: string[] = [];
  for (const [at, line] of withoutMark(text).split("\n").entries()) {
    if (line.trim() === "") continue;
    const read = readLine(line, shape, unknown);
    if ("misfit" in read) {
      wrong.push(`line ${at + 1}: ${read.misfit}`);
      continue;
    }
    const before = seen.get(read.id);
    if (before !== undefined)
      notes.push(
        `the id ${JSON.stringify(read.id)} stands on lines ${before} and ${at + 1}; both count`,
      );
    seen.set(read.id, at + 1);
    rows.push(read);
  }
  if (wrong.length > 0)
    throw new EvalError(
      "LOOP_E_EVAL_ROWS",
      `${wrong.length === 1 ? "one line is" : `${wrong.length} lines are`} no row of this table`,
      `each line is one JSON object with the keys ${shape.keys.join(", ")}; mend these lines or take them out`,
      wrong,
    );
  if (rows.length === 0)
    throw new EvalError(
      "LOOP_E_EVAL_EMPTY",
      "the file holds no rows",
      `write one JSON object a line with the keys ${shape.keys.join(", ")}`,
    );
  if (unknown.size > 0)
    notes.push(`keys that mean nothing here were not read: ${[...unknown].toSorted().join(", ")}`);
  return { rows, notes };
}

function readLine<Row>(line: string, shape: RowShape<Row>, unknown: Set<string>): Row | Misfit {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return { misfit: `it is no JSON (${error instanceof Error ? error.message : String(error)})` };
  }
  if (!isRecord(value)) return { misfit: "it is JSON, but no object" };
  for (const key of Object.keys(value)) if (!shape.keys.includes(key)) unknown.add(key);
  return shape.read(value);
}

/** Without the byte order mark that some editors write. */
function withoutMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}
