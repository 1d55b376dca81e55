import type { Store, StoreOptions } from "@loopwork/core/ports";
import { StoreError } from "./errors.ts";
import { defaultMaxBacklog } from "./model/limits.ts";

export type OpenOptions = StoreOptions & {
  /**
   * Undecided deliveries over which `append` refuses with `LOOP_E_BACKLOG_FULL`; default 50,000.
   */
  readonly maxBacklog?: number;
  /** Opens what is there for reading; every write rejects with `LOOP_E_STORE_READONLY`. */
  readonly readonly?: boolean;
  /**
   * Told how long each flush to the disk took, in milliseconds; of a store without a file never.
   */
  readonly onFlush?: (ms: number) => void;
  /**
   * Upper bound of an SQLite file in pages of 4,096 bytes, over which writes reject with
   * `LOOP_E_STORE_FULL`; none by default.
   */
  readonly maxPages?: number;
  /**
   * Asked before the schema of an older version is changed; where it says no, `openStore` rejects
   * with `LOOP_E_STORE_OLDER`. By default it may be.
   */
  readonly mayMigrate?: () => boolean;
};

/**
 * Opens a store by its URL: `sqlite:PATH` makes the file when there is none, `memory:` forgets with
 * the process. `openPostgresStore` of `@loopwork/store-postgres` opens `postgres://…`. Throws
 * `StoreError`, whose code and hint are for people.
 */
export async function openStore(url: string, options: OpenOptions): Promise<Store> {
  const maxBacklog = options.maxBacklog ?? defaultMaxBacklog;
  // Each kind is loaded late: a program that opens another, or none, does not pay for it.
  if (url === "memory:") {
    const { createMemoryStore } = await import("./memory/store.ts");
    return createMemoryStore({ ...options, maxBacklog });
  }
  if (url.startsWith("sqlite:") && url.length > "sqlite:".length) {
    const { openSqliteStore } = await import("./sqlite/open.ts");
    return openSqliteStore(url.slice("sqlite:".length), {
      instance: options.instance,
      now: options.now,
      maxBacklog,
      readonly: options.readonly ?? false,
      maxPages: options.maxPages ?? null,
      ...(options.onFlush === undefined ? {} : { onFlush: options.onFlush }),
      ...(options.mayMigrate === undefined ? {} : { mayMigrate: options.mayMigrate }),
    });
  }
  throw new StoreError(
    "LOOP_E_STORE_URL",
    `The store URL ${describe(url)} is of no known kind.`,
    "Use sqlite:<path of a file> or memory:. @loopwork/store-postgres opens postgres://….",
  );
}

/** The scheme alone: the rest of a URL may hold a password. */
function describe(url: string): string {
  const end = url.indexOf(":");
  return end === -1 ? "without a scheme" : JSON.stringify(`${url.slice(0, Math.min(end, 40))}:…`);
}
