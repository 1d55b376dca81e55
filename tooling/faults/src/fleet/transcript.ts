import { appendFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Prompt } from "../transcripts.ts";

/**
 * One row of the conversation of a lane: a message that reached it, or the end of the work on one.
 * One write a row, so that several processes may write.
 */
export type TranscriptRow = {
  readonly kind: "asked" | "ended";
  readonly receipt: string;
  readonly text: string;
  readonly continues: boolean;
  readonly pid: number;
};

export function appendRow(dir: string, lane: string, row: TranscriptRow): void {
  appendFileSync(fileOf(dir, lane), `${JSON.stringify(row)}\n`);
}

export function rowsOfLane(dir: string, lane: string): readonly TranscriptRow[] {
  const file = fileOf(dir, lane);
  return existsSync(file) ? rowsOfFile(file) : [];
}

/** Every message of every lane, as the judge wants them: it knows nothing of the store. */
export function readFleetPrompts(dir: string): readonly Prompt[] {
  return readdirSync(dir)
    .filter((name) => name.endsWith(".ndjson"))
    .flatMap((name) => promptsOf(name, rowsOfFile(join(dir, name))));
}

function promptsOf(session: string, rows: readonly TranscriptRow[]): readonly Prompt[] {
  const late = new Set<string>();
  let latest = "";
  for (const { kind, receipt } of rows) {
    if (kind === "asked") latest = receipt;
    else if (receipt !== latest) late.add(receipt);
  }
  const first = rows.filter(
    ({ kind, receipt }, at) =>
      kind === "asked" &&
      rows.findIndex((row) => row.kind === "asked" && row.receipt === receipt) === at,
  );
  const count = (of: TranscriptRow["kind"], receipt: string): number =>
    rows.filter((row) => row.kind === of && row.receipt === receipt).length;
  return first.map(({ receipt, text, continues }) => ({
    session,
    receipt,
    text,
    continues,
    ends: count("ended", receipt),
    records: count("asked", receipt),
    overlaps: late.has(receipt),
  }));
}

/** A row that a killed process did not finish is none. */
export function rowsOfFile(file: string): readonly TranscriptRow[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line) => {
      try {
        return line === "" ? [] : [JSON.parse(line)];
      } catch {
        return [];
      }
    });
}

function fileOf(dir: string, lane: string): string {
  return join(dir, `${lane.replaceAll(/[^A-Za-z0-9]/g, "-")}.ndjson`);
}
