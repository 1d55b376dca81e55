import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Store } from "@loopwork/core/ports";
import { onTestFinished } from "vitest";
import { openSqliteStore } from "../../src/sqlite/open.ts";

export const noon = 1_780_000_000_000;

/**
 * A store with a second connection to its database, through which a test puts more rows there than
 * could be appended. Both go with the test.
 */
export function storeToFill(): { readonly store: Store; readonly db: DatabaseSync } {
  const folder = mkdtempSync(join(tmpdir(), "loop-filled-"));
  const file = join(folder, "loop.db");
  const store = openSqliteStore(file, {
    instance: "default",
    now: () => noon,
    maxBacklog: 100,
    readonly: false,
    maxPages: null,
  });
  const db = new DatabaseSync(file);
  onTestFinished(async () => {
    db.close();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { store, db };
}
