import type { Store } from "@loopwork/core/ports";
import type { Client } from "pg";
import { StoreError } from "../errors.ts";
import { type Migration, migrationsOf } from "../migrations.ts";
import { integer } from "../rows.ts";
import { createDatabase, type Database, type Tx } from "./database.ts";
import { openClient, openPool } from "./driver.ts";
import { failureOf, standby } from "./failure.ts";
import { createListening } from "./listen.ts";
import { migrate, requireCurrent, requireMigratable } from "./migrate.ts";
import { createPostgresStore } from "./store.ts";
import { type Place, placeOf } from "./url.ts";

/** The oldest server that the statements were written for, as `server_version_num` tells it. */
const oldestServer = 140_000;

export type PostgresOptions = {
  readonly instance: string;
  readonly now: () => number;
  readonly maxBacklog: number;
  readonly readonly: boolean;
  /** Asked before the schema of an older version is changed; yes when absent. */
  readonly mayMigrate?: () => boolean;
};

/** Opens the store in the database of the URL. Throws `StoreError`, which never names a password. */
export async function openPostgresStore(url: string, options: PostgresOptions, migrations: readonly Migration[] = migrationsOf("postgres")): Promise<Store> {
  const place = placeOf(url);
  const name = `loop ${options.instance}`;
  const db = createDatabase(await openPool(url, name), place, options.readonly);
  try {
    await setUp(db, () => openClient(url, name), place, options, migrations);
  } catch (error) {
    await db.close();
    throw failureOf(error, place) ?? error;
  }
  return createPostgresStore(db, createListening(() => openClient(url, name)), options);
}

async function setUp(db: Database, connect: () => Promise<Client>, place: Place, options: PostgresOptions, migrations: readonly Migration[]): Promise<void> {
  checkServer(await db.read(serverOf), place, options.readonly);
  if (options.readonly) return requireCurrent(db, migrations);
  await requireMigratable(db, migrations, options.mayMigrate);
  await migrate(db, connect, migrations, options.now());
}

export type Server = { readonly version: number; readonly name: string; readonly readonly: boolean };

/** What the server says of itself. */
export async function serverOf(tx: Tx): Promise<Server> {
  const row = (await tx.get("select current_setting('server_version_num')::integer as version, current_setting('server_version') as name, pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as readonly")) ?? {};
  return { version: integer(row, "version"), name: String(row["name"]), readonly: row["readonly"] === true };
}

/** Throws for a server that cannot be used, whatever is in it. */
export function checkServer(server: Server, place: Place, onlyReading: boolean): void {
  if (server.version < oldestServer) throw new StoreError("LOOP_E_STORE_TOO_OLD", `PostgreSQL at ${place.server} is ${server.name}; the oldest that can be used is ${Math.trunc(oldestServer / 10_000)}.`, "Name a newer server in the URL, or upgrade this one.");
  if (server.readonly && !onlyReading) throw standby(place);
}
