import { existsSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { type MigrateOptions, migrateStore } from "@loopwork/store/maintenance";
import type { Guards } from "../../../store/src/maintenance/migrate-store.ts";
import type { Target } from "../../../store/src/maintenance/side.ts";
import { startChild } from "../../../store/test/processes/child.ts";
import { emptyPlace, fileOf, type Kind, livedIn, loadPostgres, moduleAt, open } from "./places.ts";

const options: MigrateOptions = {
  leaveDamaged: false,
  startOver: false,
  instance: null,
  progress: () => {},
  loadPostgres,
};
const kinds: readonly Kind[] = ["sqlite", "postgres"];

/** Whether a service that looks at the place sees something there. */
async function isSeen(url: string): Promise<boolean> {
  if (url.startsWith("sqlite:")) return existsSync(fileOf(url));
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (
      (await client.query("select 1 from pg_tables where schemaname = 'public'")).rows.length > 0
    );
  } finally {
    await client.end();
  }
}

/**
 * Starts a copy and ends it by SIGKILL after so many steps; a server may need a moment to see that
 * its client is gone, and until then holds the client's locks.
 */
async function killAfter(
  here: string,
  there: string,
  steps: number,
  ...guard: readonly string[]
): Promise<void> {
  const child = startChild(moduleAt("migrate-store.ts"), [here, there, ...guard]);
  for (let n = 0; n < steps; n += 1) expect(await child.next()).not.toMatch(/^done/);
  await child.end();
  if (!there.startsWith("sqlite:"))
    await vi.waitFor(async () => expect(await othersOn(there)).toBe(0), {
      timeout: 60_000,
      interval: 20,
    });
}

async function othersOn(url: string): Promise<number> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (
      await client.query(
        "select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
      )
    ).rows.length;
  } finally {
    await client.end();
  }
}

type Around = NonNullable<Guards["around"]>;

/** A destination that does not do what it is told, and says nothing. */
const faults: Readonly<Record<string, Around>> = {
  "loses a row": (target) => ({
    ...target,
    insert: (table, columns, rows) =>
      target.insert(table, columns, table.name === "event" ? rows.slice(0, -1) : rows),
  }),
  "changes a letter": (target) => ({
    ...target,
    insert: (table, columns, rows) =>
      target.insert(
        table,
        columns,
        table.name === "turn"
          ? rows.map((cells) =>
              cells.map((cell, n) => (columns[n] === "note" ? `${String(cell)}.` : cell)),
            )
          : rows,
      ),
  }),
  "forgets which number comes next": (target) => ({ ...target, setLastNumber: async () => {} }),
};
/** The guard off: nobody reads the destination again, the source is compared with itself. */
const unread: Around = (target, source) => ({
  ...target,
  rows: source.rows,
  lastNumber: source.lastNumber,
});

describe(
  "a copy is put into its place only when it holds what the source does",
  { timeout: 300_000 },
  () => {
    // SQLite takes the next number from the rows themselves.
    const cases = kinds
      .flatMap((kind) => Object.keys(faults).map((fault) => [kind, fault] as const))
      .filter(([kind, fault]) => kind !== "sqlite" || !fault.startsWith("forgets"));
    const faulty = (fault: string): Around => faults[fault] ?? ((target) => target);

    test.each(cases)("to %s, where the destination %s", async (kind, fault) => {
      const [here, there] = [await livedIn("sqlite", 30), await emptyPlace(kind)];
      await expect(
        migrateStore(here, there, options, { around: faulty(fault) }),
      ).rejects.toMatchObject({ code: "LOOP_E_STORE_COPY" });
      expect(await isSeen(there)).toBe(false);
    });

    test.each(cases)(
      "the check can fail: to %s, where nobody reads again that the destination %s",
      async (kind, fault) => {
        const [here, there] = [await livedIn("sqlite", 30), await emptyPlace(kind)];
        await migrateStore(here, there, options, {
          around: (target, source) => unread(faulty(fault)(target, source), source),
        });
        expect(await isSeen(there)).toBe(true);
        await expect(sameAs(here, there)).rejects.toThrow();
      },
    );
  },
);

describe(
  "nobody sees a part of a copy that was killed in the midst of it",
  { timeout: 300_000 },
  () => {
    test.each(kinds)("to %s", async (kind) => {
      const [here, there] = [await livedIn("sqlite", 200), await emptyPlace(kind)];
      await killAfter(here, there, 8);
      expect(await isSeen(there)).toBe(false);
    });

    test.each(kinds)("the check can fail: to %s, made where services look", async (kind) => {
      const [here, there] = [await livedIn("sqlite", 200), await emptyPlace(kind)];
      await killAfter(here, there, 8, "in-place");
      expect(await isSeen(there)).toBe(true);
    });
  },
);

describe(
  "after SIGKILL the same copy goes on behind the last row that arrived",
  { timeout: 300_000 },
  () => {
    /** Rows that a second run writes, of how many. */
    async function written(
      kind: Kind,
      around: Around,
    ): Promise<{ readonly second: number; readonly all: number; readonly resumed: boolean }> {
      const [here, there] = [await livedIn("sqlite", 200), await emptyPlace(kind)];
      await killAfter(here, there, 8);
      let second = 0;
      const counting = (target: Target): Target => ({
        ...target,
        insert: (table, columns, rows) => {
          second += rows.length;
          return target.insert(table, columns, rows);
        },
      });
      const { tables, resumed } = await migrateStore(here, there, options, {
        around: (target, source) => counting(around(target, source)),
      });
      await sameAs(here, there);
      return { second, all: tables.reduce((sum, { rows }) => sum + rows, 0), resumed };
    }

    test.each(kinds)("to %s", async (kind) => {
      const { second, all, resumed } = await written(kind, (target) => target);
      expect(resumed).toBe(true);
      expect(second).toBeGreaterThan(0);
      expect(second).toBeLessThan(all);
    });

    test.each(kinds)("the check can fail: to %s, without a look at what is there", async (kind) => {
      await expect(
        written(kind, (target) => ({ ...target, lastKey: async () => null })),
      ).rejects.toThrow(/unique|UNIQUE/);
    });
  },
);

/** Rejects unless both hold the same rows, and give the same numbers next. */
async function sameAs(here: string, there: string): Promise<void> {
  const [one, other] = await Promise.all(
    [here, there].map(
      async (url) => (await migrateStore(url, await emptyPlace("sqlite"), options)).tables,
    ),
  );
  expect(other).toEqual(one);
  const [before, after] = await Promise.all([here, there].map((url) => nextNumbers(url)));
  expect(after).toEqual(before);
}

async function nextNumbers(url: string): Promise<unknown> {
  const store = await open(url);
  try {
    await store.events.append([
      {
        time: 0,
        kind: "daemon.started",
        level: "info",
        instance: "default",
        workItem: null,
        delivery: null,
        reason: null,
        fields: {},
      },
    ]);
    return (await store.events.list({ limit: 1, newestFirst: true })).map(({ id }) => id);
  } finally {
    await store.close();
  }
}
