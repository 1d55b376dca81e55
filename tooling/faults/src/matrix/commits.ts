import { AsyncLocalStorage } from "node:async_hooks";
import { watchPostgres } from "./postgres-commits.ts";
import { watchSqlite } from "./sqlite-commits.ts";
import type { Trigger } from "./trigger.ts";

/**
 * `after`: once the storage has it for good, which for a running SQLite store is the flush behind
 * the commit.
 */
export type When = "before" | "after";
/**
 * `writes`: how a statement of the transaction begins, where the call itself does not commit but
 * what it asked for is committed later, beside others.
 */
export type Armed = { readonly trigger: Trigger; readonly when: When; readonly writes?: string };

/**
 * In front of the drivers of the store: a commit that is struck, before the storage has it or once
 * it has.
 */
export type Commits = {
  /**
   * Runs a call of the store; only commits that it causes may be struck by what is armed meanwhile.
   */
  within<T>(call: () => Promise<T>): Promise<T>;
  /** The next commit that writes, or that writes what is said, is struck. */
  arm(armed: Armed): void;
  /** The commit of the first migration is struck. */
  armMigration(armed: Armed): void;
};

type Slot = { armed: Armed | null };

/**
 * Must be called before the store is loaded. What is thrown is what the engine itself says wherever
 * it can be brought to that: SQLite's full file and the errors of the PostgreSQL server are real; a
 * commit that failed though the storage has it is an error of the driver's class.
 */
export function watchCommits(): Commits {
  const slots = new AsyncLocalStorage<Slot>();
  const latest: Slot = { armed: null };
  const migration: Slot = { armed: null };
  watchSqlite(
    (statements) => (fits(latest, statements) ? takeWhole(latest) : null),
    () => takeWhole(migration),
  );
  watchPostgres(
    () => takeWhole(slots.getStore() ?? { armed: null }),
    () => takeWhole(migration),
  );
  return {
    within: (call) => slots.run({ armed: null }, call),
    arm(armed) {
      latest.armed = armed;
      const slot = slots.getStore();
      if (slot !== undefined) slot.armed = armed;
    },
    armMigration: (armed) => void (migration.armed = armed),
  };
}

function fits({ armed }: Slot, statements: readonly string[]): boolean {
  const writes = armed?.writes;
  return writes === undefined || statements.some((each) => each.startsWith(writes));
}

function takeWhole(slot: Slot): Armed | null {
  const { armed } = slot;
  slot.armed = null;
  return armed;
}
