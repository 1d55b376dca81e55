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
  const row = db.get(
    `select count(*) as number from delivery where ${undecidedCondition}`,
    instance,
    cursorOf(db, instance),
  );
  return row === null ? 0 : integer(row, "number");
}

/** Whether one before it is undecided that does not wait. */
export function isOvertaken(
  db: Database,
  instance: string,
  seq: number,
  left: readonly number[],
): boolean {
  return (
    db.get(
      `select 1 from delivery where ${undecidedCondition} and seq < ? and seq not in (select value from json_each(?))`,
      instance,
      cursorOf(db, instance),
      seq,
      JSON.stringify(left),
    ) !== null
  );
}

/**
 * Moves the cursor up to the first delivery that is undecided; over all of them when there is none.
 */
export function moveCursor(db: Database, instance: string): void {
  const cursor = cursorOf(db, instance);
  const first = db.get(
    `select seq from delivery where ${undecidedCondition} order by seq limit 1`,
    instance,
    cursor,
  );
  const seq = first === null ? lastSeq(db) : integer(first, "seq") - 1;
  if (seq > cursor)
    db.run(
      "insert into cursor (instance, seq) values (?, ?) on conflict (instance) do update set seq = excluded.seq",
      instance,
      seq,
    );
}

/**
 * What came before the first life of the instance began is not for it to decide, but for what was
 * received since then.
 */
export function arrive(db: Database, instance: string, since: number): void {
  if (
    db.get(
      "select 1 from instance where name = ? union all select 1 from decision where instance = ? limit 1",
      instance,
      instance,
    ) !== null
  )
    return;
  const first = db.get(
    "select seq from delivery where received_at >= ? order by seq limit 1",
    since,
  );
  const seq = first === null ? lastSeq(db) : integer(first, "seq") - 1;
  db.run(
    "insert into cursor (instance, seq) values (?, ?) on conflict (instance) do update set seq = max(seq, excluded.seq)",
    instance,
    seq,
  );
}

/**
 * Back to what neither the old owner nor this instance has decided, because its life began later.
 */
export function reachBack(db: Database, instance: string, from: string): void {
  const missed = db.get(
    `select seq from delivery where ${undecidedCondition} and seq <= ? order by seq limit 1`,
    instance,
    cursorOf(db, from),
    cursorOf(db, instance),
  );
  if (missed !== null)
    db.run("update cursor set seq = ? where instance = ?", integer(missed, "seq") - 1, instance);
}

export function lastSeq(db: Database): number {
  const row = db.get("select coalesce(max(seq), 0) as seq from delivery");
  return row === null ? 0 : integer(row, "seq");
}

/** Takes the instance and its cursor. */
export const undecidedCondition: string =
  "ignored is null and not exists (select 1 from decision where decision.instance = ? and decision.seq = delivery.seq) and seq > ?";
