import type { Tx } from "./database.ts";

/**
 * Locks of the server that last as long as the transaction. Order in which they are taken, so that
 * no two wait for each other: the instance, the work item, rows, the event log. Accepting takes its
 * own and no other.
 */
const space = { store: 1_819_242_352, item: 1_819_242_353, instance: 1_819_242_354 };
const [accepting, migrating, numberingEvents, copying] = [1, 2, 3, 4];

/**
 * Whoever accepts: numbers are given in the order of the commits, so that no reader passes one that
 * is still on its way.
 */
export async function lockAccepting(tx: Tx): Promise<void> {
  await tx.run(`select pg_advisory_xact_lock(${space.store}, ${accepting})`);
}

export async function lockMigrating(tx: Tx): Promise<void> {
  await tx.run(`select pg_advisory_xact_lock(${space.store}, ${migrating})`);
}

/**
 * The last lock of a transaction: what is held behind it is held for the length of an insert and a
 * commit.
 */
export async function lockEvents(tx: Tx): Promise<void> {
  await tx.run(`select pg_advisory_xact_lock(${space.store}, ${numberingEvents})`);
}

/**
 * Whoever changes the state of a work item, its lanes or their turns: of those who see the same
 * state one goes first.
 */
export async function lockItem(tx: Tx, ref: string): Promise<void> {
  await tx.run(`select pg_advisory_xact_lock(${space.item}, hashtext(?))`, ref);
}

/** Whoever looks over all lanes of an instance to take some. */
export async function lockInstance(tx: Tx, instance: string): Promise<void> {
  await tx.run(`select pg_advisory_xact_lock(${space.instance}, hashtext(?))`, instance);
}

/**
 * Whoever copies rows into this database, for as long as its connection lives; false when another
 * does.
 */
export async function tryLockCopying(tx: Tx): Promise<boolean> {
  return (
    (await tx.get(`select pg_try_advisory_lock(${space.store}, ${copying}) as held`))?.["held"] ===
    true
  );
}
