import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

/** Turns a byte of the last large body over; the number of its delivery. */
export function damageBody(file: string): number {
  const database = new DatabaseSync(file);
  const row =
    database
      .prepare(
        "select seq, segment, start from delivery_body where segment is not null order by seq desc limit 1",
      )
      .get() ?? {};
  database.close();
  flipByte(
    `${file}-bodies/${String(row["segment"]).padStart(8, "0")}.bodies`,
    Number(row["start"]) + 10,
  );
  return Number(row["seq"]);
}

export function flipByte(path: string, place: number): void {
  const file = openSync(path, "r+");
  const byte = new Uint8Array(1);
  readSync(file, byte, 0, 1, place);
  writeSync(file, new Uint8Array([(byte[0] ?? 0) ^ 0xff]), 0, 1, place);
  closeSync(file);
}
