import { LoopError, type Store } from "@loopwork/core/ports";
import type { OpenOptions } from "@loopwork/store";
import type * as Postgres from "@loopwork/store-postgres";

const packageName = "@loopwork/store-postgres";

/** Whether the store of the URL stands on a PostgreSQL server. */
export function isPostgres(url: string): boolean {
  return url.startsWith("postgres:") || url.startsWith("postgresql:");
}

/** Opens a store with the driver of its URL; a driver that isn't needed isn't loaded. */
export async function openStoreAt(url: string, options: OpenOptions): Promise<Store> {
  return isPostgres(url)
    ? (await loadPostgres()).openPostgresStore(url, options)
    : (await import("@loopwork/store")).openStore(url, options);
}

/**
 * The PostgreSQL driver, which only those who need it install. Throws `LOOP_E_STORE_DRIVER` where
 * it isn't there.
 */
export async function loadPostgres(): Promise<typeof Postgres> {
  try {
    return await import("@loopwork/store-postgres");
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new LoopError(
      "LOOP_E_STORE_DRIVER",
      `The store's URL is a PostgreSQL one, and ${packageName} is not installed.`,
      `Install it beside loop: \`npm install -g ${packageName}\`.`,
    );
  }
}

/** The package itself, rather than one that it needs. */
function isMissing(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    error.code === "ERR_MODULE_NOT_FOUND" &&
    error.message.includes(packageName)
  );
}
