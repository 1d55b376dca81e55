import type { Database } from "./database.ts";
import { integer } from "../rows.ts";

/** All deliveries up to here are decided by the instance, or ignored. */
export function cursorOf(db: Database, instance: string): number {
  const row = db.get("select seq from cursor where instance = ?", instance);
  return row === null ? 0 : integer(row, "seq");
}

/** A bound from above that costs two look-ups: it counts ignored deliveries too. */
export function undecidedAtMost(db: Database, instance: string): number {
  return lastSeq(db) - cursorOf(db, instance);
}

export function countUndecided(db: Database, instance: string): number {
  const row = db.get(`select count(*) as number from delivery where ${undecidedCondition}`, instance, cursorOf(db, instance));
  return row === null ? 0 : integer(row, "number");
}

/** Whether one before it is undecided that was not read. */
export function isOvertaken(db: Database, instance: string, seq: number, read: readonly number[]): boolean {
  return db.get(`select 1 from delivery where ${undecidedCondition} and seq < ? and seq not in (select value from json_each(?))`, instance, cursorOf(db, instance), seq, JSON.stringify(read)) !== null;
}

/** Moves the cursor up to the first delivery that is undecided; over all of them when there is none. */
export function moveCursor(db: Database, instance: string): void {
  const cursor = cursorOf(db, instance);
  const first = db.get(`select seq from delivery where ${undecidedCondition} order by seq limit 1`, instance, cursor);
  const seq = first === null ? lastSeq(db) : integer(first, "seq") - 1;
  if (seq > cursor) db.run("insert into cursor (instance, seq) values (?, ?) on conflict (instance) do update set seq = excluded.seq", instance, seq);
}

function lastSeq(db: Database): number {
  const row = db.get("select coalesce(max(seq), 0) as seq from delivery");
  return row === null ? 0 : integer(row, "seq");
}

/** Takes the instance and its cursor. */
export const undecidedCondition: string = "ignored is null and not exists (select 1 from decision where decision.instance = ? and decision.seq = delivery.seq) and seq > ?";
