import type { DatabaseSync } from "node:sqlite";
import { StoreError } from "../errors.ts";
import { type Migration, migrationsIn } from "../migrations.ts";

export type { Migration } from "../migrations.ts";

/** The folder is the same seen from `src` and from `dist`. */
export function readMigrations(): readonly Migration[] {
  return migrationsIn(new URL("../../migrations/", import.meta.url));
}

/**
 * Brings the schema up to the newest migration, all in one transaction, so that a kill half-way
 * leaves the old schema. Throws `LOOP_E_STORE_NEWER`, having changed nothing, when a newer program
 * was here.
 */
export function migrate(
  connection: DatabaseSync,
  migrations: readonly Migration[],
  now: number,
): void {
  if (checkedVersion(connection, migrations) === migrations.length) return;
  connection.exec("begin immediate");
  try {
    // Another process may have migrated while this one waited for the lock.
    const version = checkedVersion(connection, migrations);
    for (const migration of migrations.slice(version)) {
      connection.exec(migration.sql);
      connection
        .prepare("insert into schema_version (version, name, applied_at) values (?, ?, ?)")
        .run(migration.version, migration.name, now);
    }
    connection.exec("commit");
  } catch (error) {
    if (connection.isTransaction) connection.exec("rollback");
    throw error;
  }
}

/** Throws unless the schema is exactly the one of this program: for a store that is only read. */
export function requireCurrent(connection: DatabaseSync, migrations: readonly Migration[]): void {
  if (checkedVersion(connection, migrations) < migrations.length) {
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
export function requireMigratable(
  connection: DatabaseSync,
  migrations: readonly Migration[],
  mayMigrate: () => boolean = () => true,
): void {
  const version = checkedVersion(connection, migrations);
  if (version === 0 || version === migrations.length || mayMigrate()) return;
  throw new StoreError(
    "LOOP_E_STORE_OLDER",
    `The store has schema ${version}, and this program would change it to ${migrations.length} below a service of an older version that runs.`,
    "`loop restart` lets this version take over.",
  );
}

/** Every statement that makes up the schema, in a stable order: what the drift test compares. */
export function dumpSchema(connection: DatabaseSync): string {
  const rows = connection
    .prepare(
      "select sql from sqlite_schema where sql is not null and name not like 'sqlite_%' order by type desc, name",
    )
    .all();
  return `${rows.map((row) => `${String(row["sql"])};`).join("\n\n")}\n`;
}

/**
 * The version of the schema; throws `LOOP_E_STORE_NEWER` for one that this program does not know.
 */
export function checkedVersion(connection: DatabaseSync, migrations: readonly Migration[]): number {
  const version = schemaVersion(connection);
  if (version > migrations.length) {
    throw new StoreError(
      "LOOP_E_STORE_NEWER",
      `The store has schema ${version}, this program knows ${migrations.length}.`,
      "A newer loop was here: update this one, or give it another state root.",
    );
  }
  return version;
}

function schemaVersion(connection: DatabaseSync): number {
  const known = connection
    .prepare("select 1 from sqlite_schema where type = 'table' and name = 'schema_version'")
    .get();
  if (known === undefined) return 0;
  return Number(
    connection.prepare("select max(version) as version from schema_version").get()?.["version"] ??
      0,
  );
}
