import type { Records } from "../records.ts";
import { busyTimeoutMs, connect, openingFailure, requireThere } from "./connect.ts";
import { createDatabase } from "./database.ts";
import { listItems, loadItem } from "./items.ts";
import { readMigrations, requireCurrent } from "./migrate.ts";
import { listNames } from "./repositories.ts";

/** Opens the database at `file` for reading what is on record. Throws `StoreError`. */
export function openSqliteRecords(file: string): Records {
  requireThere(file);
  const connection = connect(file, true, busyTimeoutMs);
  try {
    requireCurrent(connection, readMigrations());
  } catch (error) {
    connection.close();
    throw openingFailure(file, error);
  }
  const db = createDatabase(connection);
  return {
    items: {
      load: async (ref) => db.read(() => loadItem(db, ref)),
      list: async () => db.read(() => listItems(db)),
    },
    repositories: { list: async () => db.read(() => listNames(db)) },
    close: () => Promise.resolve(db.close()),
  };
}
