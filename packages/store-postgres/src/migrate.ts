import type { Client } from "pg";
import { integer, type Migration, StoreError } from "@loopwork/store/driver";
import { createTx, type Database, type Tx } from "./database.ts";
import { lockMigrating } from "./locks.ts";

/**
 * Brings the schema up to the newest migration, all in one transaction and one process at a time,
 * so that a kill half-way leaves the old schema. Throws `LOOP_E_STORE_NEWER`, having changed
 * nothing, when a newer program was here.
 */
export async function migrate(
  db: Database,
  connect: () => Promise<Client>,
  migrations: readonly Migration[],
  now: number,
): Promise<void> {
  if ((await db.read((tx) => checkedVersion(tx, migrations))) === migrations.length) return;
  // A connection of its own: those of the service end a wait that is longer than any statement of
  // theirs, and a large table takes its time.
  const client = await connect();
  client.on("error", () => {});
  try {
    await client.query(
      "begin isolation level read committed read write; set local statement_timeout = 0; set local lock_timeout = 60000; set local synchronous_commit = on",
    );
    const tx = createTx(client);
    await lockMigrating(tx);
    // Another process may have migrated while this one waited for the lock.
    await runMigrations(tx, migrations.slice(await checkedVersion(tx, migrations)), now);
    await client.query("commit");
  } finally {
    await client.end();
  }
}

/** Runs the steps in the transaction that the caller has begun. */
export async function runMigrations(
  tx: Tx,
  migrations: readonly Migration[],
  now: number,
): Promise<void> {
  for (const migration of migrations) {
    await tx.run(migration.sql);
    await tx.run(
      "insert into schema_version (version, name, applied_at) values (?, ?, ?)",
      migration.version,
      migration.name,
      now,
    );
  }
}

/** Throws unless the schema is exactly the one of this program: for a store that is only read. */
export async function requireCurrent(
  db: Database,
  migrations: readonly Migration[],
): Promise<void> {
  if ((await db.read((tx) => checkedVersion(tx, migrations))) < migrations.length) {
    throw new StoreError(
      "LOOP_E_STORE_MISSING",
      "The store has not been set up by this version yet.",
      "Run `loop start` once.",
    );
  }
}

/**
 * Throws `LOOP_E_STORE_OLDER` where the schema of an older version stands and must stay; a new
 * database has none.
 */
export async function requireMigratable(
  db: Database,
  migrations: readonly Migration[],
  mayMigrate: () => boolean = () => true,
): Promise<void> {
  const version = await db.read((tx) => checkedVersion(tx, migrations));
  if (version === 0 || version === migrations.length || mayMigrate()) return;
  throw new StoreError(
    "LOOP_E_STORE_OLDER",
    `The store has schema ${version}, and this program would change it to ${migrations.length} below a service of an older version that runs.`,
    "`loop restart` lets this version take over.",
  );
}

/**
 * The version of the schema; throws `LOOP_E_STORE_NEWER` for one that this program does not know.
 */
export async function checkedVersion(tx: Tx, migrations: readonly Migration[]): Promise<number> {
  const version = await schemaVersion(tx);
  if (version > migrations.length) {
    throw new StoreError(
      "LOOP_E_STORE_NEWER",
      `The store has schema ${version}, this program knows ${migrations.length}.`,
      "A newer loop was here: update this one, or give it another database.",
    );
  }
  return version;
}

async function schemaVersion(tx: Tx): Promise<number> {
  const known = await tx.get("select to_regclass('schema_version') is not null as known");
  if (known?.["known"] !== true) return 0;
  const row = await tx.get("select coalesce(max(version), 0) as version from schema_version");
  return row === null ? 0 : integer(row, "version");
}
