import { backUpSqlite } from "./backup-sqlite.ts";
import { copyRows } from "./copy.ts";
import type { MaintenanceDriver } from "./driver.ts";
import { openSqliteTarget } from "./sqlite-target.ts";
import { locationOf } from "./url.ts";

export type BackedUp = {
  readonly from: string;
  /** Path of the file; large bodies stand in the folder `<file>-bodies` beside it. */
  readonly to: string;
  readonly deliveries: number;
  /** Deliveries whose bodies are damaged in the store itself. */
  readonly damaged: readonly number[];
};

/**
 * Writes the store as it is at one moment to a new SQLite file, while services go on, and checks
 * what it wrote before the file gets its name. `loadPostgres` is called for a `postgres:` URL only.
 * Rejects with `StoreError`.
 */
export async function backupStore(
  from: string,
  file: string,
  progress: (line: string) => void,
  loadPostgres: () => Promise<MaintenanceDriver>,
): Promise<BackedUp> {
  const source = locationOf(from);
  return source.driver === "sqlite"
    ? backUpSqlite(source.file, file, progress)
    : backUpPostgres(await loadPostgres(), source.url, file, progress);
}

/** All rows out of one snapshot of the server, in the form in which a single machine keeps them. */
async function backUpPostgres(
  driver: MaintenanceDriver,
  url: string,
  file: string,
  progress: (line: string) => void,
): Promise<BackedUp> {
  const reading = await driver.openSource(url, { name: "loop store backup", alone: false });
  try {
    const target = openSqliteTarget(file, {
      from: reading.place,
      startOver: true,
      mayReplaceEmpty: false,
    });
    try {
      const { tables, damaged } = await copyRows(reading, target, { leaveDamaged: true, progress });
      await target.finish(null);
      return {
        from: reading.place,
        to: file,
        deliveries: tables.find(({ table }) => table === "delivery")?.rows ?? 0,
        damaged,
      };
    } catch (error) {
      await target.close().catch(() => {}); // The first failure is what counts.
      throw error;
    }
  } finally {
    await reading.close();
  }
}
