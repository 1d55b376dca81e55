import type { Items, RepositoryNames, StoreOptions } from "@loopwork/core/ports";

/** What is on record of work items, for reading alone. */
export type Records = {
  readonly items: Pick<Items, "load" | "list">;
  readonly repositories: Pick<RepositoryNames, "list">;
  close(): Promise<void>;
};

/**
 * Opens a store by its URL as far as hooks need it, which must start fast; see `openStore`. Makes
 * nothing.
 */
export async function openRecords(url: string, options: StoreOptions): Promise<Records> {
  if (url.startsWith("sqlite:"))
    return (await import("./sqlite/records.ts")).openSqliteRecords(url.slice("sqlite:".length));
  return (await import("./open.ts")).openStore(url, { ...options, readonly: true });
}
