import { integer } from "@loopwork/store/driver";
import type { Tx } from "./database.ts";

/** All deliveries up to here are decided by the instance, or ignored. */
export async function cursorOf(
  tx: Tx,
  instance: string,
  lock: "" | " for update" = "",
): Promise<number> {
  const row = await tx.get(`select seq from cursor where instance = ?${lock}`, instance);
  return row === null ? 0 : integer(row, "seq");
}

export async function countUndecided(tx: Tx, instance: string): Promise<number> {
  const row = await tx.get(
    `select count(*) as number from delivery where ${undecidedCondition}`,
    instance,
    await cursorOf(tx, instance),
  );
  return row === null ? 0 : integer(row, "number");
}

/** Whether one before it is undecided that does not wait. */
export async function isOvertaken(
  tx: Tx,
  instance: string,
  seq: number,
  left: readonly number[],
): Promise<boolean> {
  return (
    (await tx.get(
      `select 1 from delivery where ${undecidedCondition} and seq < ? and seq <> all(?::bigint[])`,
      instance,
      await cursorOf(tx, instance),
      seq,
      left,
    )) !== null
  );
}

/**
 * Moves the cursor up to the first delivery that is undecided; over all of them when there is none.
 * One statement, which is one snapshot: a delivery that is accepted meanwhile must not be passed.
 * The row is locked first, to see what an adoption gave back.
 */
export async function moveCursor(tx: Tx, instance: string): Promise<void> {
  const cursor = await cursorOf(tx, instance, " for update");
  await tx.run(
    `insert into cursor (instance, seq)
     select ?, coalesce((select seq - 1 from delivery where ${undecidedCondition} order by seq limit 1), (select max(seq) from delivery), 0)
     on conflict (instance) do update set seq = greatest(cursor.seq, excluded.seq)`,
    instance,
    instance,
    cursor,
  );
}

/**
 * What came before the first life of the instance began is not for it to decide, but for what was
 * received since then.
 */
export async function arrive(tx: Tx, instance: string, since: number): Promise<void> {
  if (
    (await tx.get(
      "select 1 from instance where name = ? union all select 1 from decision where instance = ? limit 1",
      instance,
      instance,
    )) !== null
  )
    return;
  await tx.run(
    `insert into cursor (instance, seq) select ?, coalesce((select min(seq) - 1 from delivery where received_at >= ?), (select max(seq) from delivery), 0)
     on conflict (instance) do update set seq = greatest(cursor.seq, excluded.seq)`,
    instance,
    since,
  );
}

/**
 * Back to what neither the old owner nor this instance has decided, because its life began later.
 */
export async function reachBack(tx: Tx, instance: string, from: string): Promise<void> {
  const missed = await tx.get(
    `select seq from delivery where ${undecidedCondition} and seq <= ? order by seq limit 1`,
    instance,
    await cursorOf(tx, from),
    await cursorOf(tx, instance),
  );
  if (missed !== null)
    await tx.run(
      "update cursor set seq = ? where instance = ?",
      integer(missed, "seq") - 1,
      instance,
    );
}

/** Takes the instance and its cursor. */
export const undecidedCondition: string =
  "ignored is null and not exists (select 1 from decision where decision.instance = ? and decision.seq = delivery.seq) and seq > ?";
