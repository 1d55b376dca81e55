import type { Store } from "@loopwork/core/ports";
import type { Client } from "pg";
import { type Migration, migrationsOf } from "../migrations.ts";
import { createDatabase, type Database } from "./database.ts";
import { openClient, openPool } from "./driver.ts";
import { failureOf } from "./failure.ts";
import { createListening } from "./listen.ts";
import { migrate, requireCurrent, requireMigratable } from "./migrate.ts";
import { checkServer, serverOf } from "./server.ts";
import { createPostgresStore } from "./store.ts";
import { type Place, placeOf } from "./url.ts";

export type PostgresOptions = {
  readonly instance: string;
  readonly now: () => number;
  readonly maxBacklog: number;
  readonly readonly: boolean;
  /** Asked before the schema of an older version is changed; yes when absent. */
  readonly mayMigrate?: () => boolean;
};

/**
 * Opens the store in the database of the URL. Throws `StoreError`, which never names a password.
 */
export async function openPostgresStore(
  url: string,
  options: PostgresOptions,
  migrations: readonly Migration[] = migrationsOf("postgres"),
): Promise<Store> {
  const place = placeOf(url);
  const name = `loop ${options.instance}`;
  const db = createDatabase(await openPool(url, name), place, options.readonly);
  try {
    await setUp(db, () => openClient(url, name), place, options, migrations);
  } catch (error) {
    await db.close();
    throw failureOf(error, place) ?? error;
  }
  return createPostgresStore(
    db,
    createListening(() => openClient(url, name)),
    options,
  );
}

async function setUp(
  db: Database,
  connect: () => Promise<Client>,
  place: Place,
  options: PostgresOptions,
  migrations: readonly Migration[],
): Promise<void> {
  checkServer(await db.read(serverOf), place, options.readonly);
  if (options.readonly) return requireCurrent(db, migrations);
  await requireMigratable(db, migrations, options.mayMigrate);
  await migrate(db, connect, migrations, options.now());
}
