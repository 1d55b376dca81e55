import type { Store, StoreOptions } from "@loopwork/core/ports";
import type { Client } from "pg";
import { defaultMaxBacklog, type Migration } from "@loopwork/store/driver";
import { createDatabase, type Database } from "./database.ts";
import { openClient, openPool } from "./driver.ts";
import { failureOf } from "./failure.ts";
import { createListening } from "./listen.ts";
import { migrate, requireCurrent, requireMigratable } from "./migrate.ts";
import { readMigrations } from "./migrations.ts";
import { checkServer, serverOf } from "./server.ts";
import { createPostgresStore } from "./store.ts";
import { type Place, placeOf } from "./url.ts";

/** See `OpenOptions` of `@loopwork/store`; what is about files is ignored. */
export type PostgresOptions = StoreOptions & {
  /**
   * Undecided deliveries over which `append` refuses with `LOOP_E_BACKLOG_FULL`; default 50,000.
   */
  readonly maxBacklog?: number;
  /** Opens what is there for reading; every write rejects with `LOOP_E_STORE_READONLY`. */
  readonly readonly?: boolean;
  /** Asked before the schema of an older version is changed; yes when absent. */
  readonly mayMigrate?: () => boolean;
};

/**
 * Opens the store in the database of the URL, and sets it up when it is empty. Throws `StoreError`,
 * which never names a password.
 */
export async function openPostgresStore(
  url: string,
  options: PostgresOptions,
  migrations: readonly Migration[] = readMigrations(),
): Promise<Store> {
  const place = placeOf(url);
  const name = `loop ${options.instance}`;
  const db = createDatabase(openPool(url, name), place, options.readonly ?? false);
  try {
    await setUp(db, () => openClient(url, name), place, options, migrations);
  } catch (error) {
    await db.close();
    throw failureOf(error, place) ?? error;
  }
  return createPostgresStore(
    db,
    createListening(() => openClient(url, name)),
    { ...options, maxBacklog: options.maxBacklog ?? defaultMaxBacklog },
  );
}

async function setUp(
  db: Database,
  connect: () => Promise<Client>,
  place: Place,
  options: PostgresOptions,
  migrations: readonly Migration[],
): Promise<void> {
  checkServer(await db.read(serverOf), place, options.readonly ?? false);
  if (options.readonly === true) return requireCurrent(db, migrations);
  await requireMigratable(db, migrations, options.mayMigrate);
  await migrate(db, connect, migrations, options.now());
}
