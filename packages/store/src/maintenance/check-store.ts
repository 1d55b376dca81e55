import { checkFile } from "./check-file.ts";
import { checkRows } from "./check-rows.ts";
import { checkSense } from "./check-sense.ts";
import { type Checked, found } from "./finding.ts";
import type { MaintenanceDriver } from "./driver.ts";
import { openSqliteSnapshot } from "./sqlite-open.ts";
import type { Reading } from "./side.ts";
import { locationOf } from "./url.ts";

/**
 * Looks whether a store is sound, on one snapshot, while services go on: what the driver can tell
 * of its files, every row, and what rows say of each other. It changes nothing. Rejects with
 * `StoreError` when it cannot look. `loadPostgres` is called for a `postgres:` URL only.
 */
export async function checkStore(
  url: string,
  loadPostgres: () => Promise<MaintenanceDriver>,
): Promise<Checked> {
  const location = locationOf(url);
  return location.driver === "sqlite"
    ? checkSqlite(location.file)
    : checkPostgres(await loadPostgres(), location.url);
}

/** `folder`: where the bodies stand, when it is not beside the file under its name. */
export async function checkSqlite(file: string, folder?: string): Promise<Checked> {
  const { reading } =
    folder === undefined ? openSqliteSnapshot(file) : openSqliteSnapshot(file, folder);
  return closing(reading, async () => {
    const damaged = await checkFile(reading);
    // Whatever else is asked of a damaged file may fail, or be answered wrongly.
    if (damaged.some(({ kind }) => kind === "file-damaged"))
      return { place: reading.place, findings: damaged, notes: [], counted: {} };
    const rows = await checkRows(reading, false);
    return {
      place: reading.place,
      findings: [...damaged, ...rows.findings, ...(await checkSense(reading))],
      notes: [],
      counted: rows.counted,
    };
  });
}

async function checkPostgres(driver: MaintenanceDriver, url: string): Promise<Checked> {
  const reading = await driver.openSource(url, { name: "loop store check", alone: false });
  return closing(reading, async () => {
    const rows = await checkRows(reading, true);
    // After an error the server answers nothing more in this transaction.
    if (rows.findings.some(({ kind }) => kind === "unreadable"))
      return { place: reading.place, findings: rows.findings, notes: [], counted: rows.counted };
    const sense = await checkSense(reading);
    const server = await driver.checkServer(reading);
    return {
      place: reading.place,
      findings: [...rows.findings, ...sense, ...server.findings],
      notes: server.notes,
      counted: rows.counted,
    };
  });
}

async function closing(reading: Reading, work: () => Promise<Checked>): Promise<Checked> {
  try {
    return await work();
  } catch (error) {
    return {
      place: reading.place,
      findings: [
        found(
          "unreadable",
          `the store cannot be read to its end: ${error instanceof Error ? error.message : String(error)}`,
        ),
      ],
      notes: [],
      counted: {},
    };
  } finally {
    await reading.close();
  }
}
