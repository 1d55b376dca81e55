import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { bytesOf, deliveryOf } from "@loopwork/core/testing";
import { describe, expect, test } from "vitest";
import { queueTurn, refText } from "../../../store/src/contract/build.ts";
import { migrateStore, type MigrateOptions } from "@loopwork/store/maintenance";
import { startChild } from "../../../store/test/processes/child.ts";
import {
  check,
  emptyPlace,
  fileOf,
  type Kind,
  livedIn,
  loadPostgres,
  moduleAt,
  newDatabase,
  newFile,
  open,
} from "./places.ts";
import { damageBody } from "./damage.ts";
import { append } from "./lived-in.ts";

const options: MigrateOptions = {
  leaveDamaged: false,
  startOver: false,
  instance: null,
  progress: () => {},
  loadPostgres,
};
const ways: readonly (readonly [Kind, Kind])[] = [
  ["sqlite", "postgres"],
  ["postgres", "sqlite"],
  ["sqlite", "sqlite"],
  ["postgres", "postgres"],
];

describe("loop store migrate", { timeout: 300_000 }, () => {
  test.each(ways)(
    "from %s to %s: every row, every body and every number arrives, and work goes on there",
    async (from, to) => {
      const [here, there] = [await livedIn(from), await emptyPlace(to)];
      const { tables, instances, damaged, resumed } = await migrateStore(here, there, options);
      expect({ instances, damaged, resumed }).toEqual({
        instances: ["default"],
        damaged: [],
        resumed: false,
      });
      const rows = Object.fromEntries(tables.map((table) => [table.table, table.rows]));
      // Something of everything was there to be copied; only services say that they are there.
      expect(
        Object.entries(rows).filter(([name, count]) => name !== "instance" && count === 0),
      ).toEqual([]);
      expect(rows["delivery"]).toBe(48);
      expect((await check(there)).findings).toEqual([]);

      const [before, after] = [await open(here), await open(there)];
      for (const number of [1, 2, 3, 6])
        expect(await after.items.load(refText(number))).toEqual(
          await before.items.load(refText(number)),
        );
      expect(await after.log.list({ limit: 100 })).toEqual(await before.log.list({ limit: 100 }));
      expect(await after.events.list({ comment: "c-1", limit: 9 })).toEqual(
        await before.events.list({ comment: "c-1", limit: 9 }),
      );
      for (const { seq } of await before.log.list({ limit: 100 }))
        expect(bytes(await after.log.body(seq))).toEqual(bytes(await before.log.body(seq)));
      // Known ids and known bodies are known there.
      expect(await after.append(deliveryOf("more-3"))).toMatchObject({
        kind: "duplicate",
        why: "id",
      });
      expect(
        await after.append(
          deliveryOf("other", {
            digest: "digest-of-more-4",
            event: deliveryOf("x").event,
            verified: true,
            body: bytesOf("x"),
          }),
        ),
      ).toMatchObject({ kind: "duplicate", why: "replay", of: "more-4" });
      // The next number is the one that the source would have given.
      for (const store of [before, after]) await queueTurn(store, "next", 9);
      const [one, other] = [
        await before.lanes.turns({ workItem: refText(9), limit: 9 }),
        await after.lanes.turns({ workItem: refText(9), limit: 9 }),
      ];
      expect(other.map(({ id }) => id)).toEqual(one.map(({ id }) => id));
      await Promise.all([before.close(), after.close()]);
    },
  );

  test("there and back again it is the same to the last bit, and the sources stay as they were", async () => {
    const first = await livedIn("sqlite");
    const [between, last] = [await emptyPlace("postgres"), await emptyPlace("sqlite")];
    const there = await migrateStore(first, between, options);
    const back = await migrateStore(between, last, options);
    expect(back.tables).toEqual(there.tables);
    expect((await migrateStore(last, await emptyPlace("sqlite"), options)).tables).toEqual(
      there.tables,
    );
    expect((await migrateStore(first, await emptyPlace("sqlite"), options)).tables).toEqual(
      there.tables,
    );
  });

  test.each(ways.slice(0, 2))(
    "from %s to %s, killed at any moment: nobody sees a part of it, and the next run goes on",
    async (from, to) => {
      const here = await livedIn(from, 600);
      const there = await emptyPlace(to);
      let kills = 0;
      for (let lines = 1; ; lines = Math.ceil(lines * 1.4)) {
        const child = startChild(moduleAt("migrate-store.ts"), [here, there]);
        let ended = false;
        for (let n = 0; n < lines && !ended; n += 1)
          ended = (await child.next()).startsWith("done");
        await child.end();
        if (ended) break;
        kills += 1;
        if (to === "sqlite") expect(existsSync(fileOf(there))).toBe(false);
        else expect(await tablesOf(there)).toEqual([]);
      }
      expect(kills).toBeGreaterThan(3);
      const again = await emptyPlace("sqlite");
      expect((await migrateStore(there, again, options)).tables).toEqual(
        (await migrateStore(here, await emptyPlace("sqlite"), options)).tables,
      );
      expect((await check(there)).findings).toEqual([]);
      if (to === "sqlite")
        expect(
          readdirSync(dirname(fileOf(there))).filter((name) => name.includes("copying")),
        ).toEqual([]);
    },
  );

  test.each(ways.slice(0, 2))(
    "from %s to %s: what changed in the source between two runs is found, and copied",
    async (from, to) => {
      const [here, there] = [await livedIn(from, 200), await emptyPlace(to)];
      await killAfter(here, there, 12);
      const store = await open(here);
      await store.instances.enter({
        incarnation: "later-life",
        machine: "here",
        scope: { mode: "open", workItems: [] },
      });
      await store.items.update(refText(1), (item) => ({
        after: { ...item, collaborators: [] },
        lines: [],
      }));
      await append(store, "later", 3);
      await store.close();
      const said: string[] = [];
      await migrateStore(here, there, { ...options, progress: (line) => said.push(line) });
      expect(said.filter((line) => line.includes("has changed since"))).toHaveLength(1);
      const copy = await open(there);
      expect((await copy.items.load(refText(1))).collaborators).toEqual([]);
      expect(await copy.log.find("later-2")).not.toBeNull();
      await copy.close();
    },
  );
});

describe("it refuses", { timeout: 300_000 }, () => {
  test.each(ways)(
    "from %s to %s: a source that a service has open, and nothing is left behind",
    async (from, to) => {
      const [here, there] = [await livedIn(from, 3), await emptyPlace(to)];
      const service = await open(here, "build-1");
      const stop = service.listen(() => {});
      await service.stats();
      await expect(migrateStore(here, there, options)).rejects.toMatchObject({
        code: "LOOP_E_STORE_IN_USE",
        hint: expect.stringContaining("loop stop"),
      });
      stop();
      await service.close();
      if (to === "sqlite") expect(existsSync(fileOf(there))).toBe(false);
      else expect(await tablesOf(there)).toEqual([]);
      await migrateStore(here, there, options);
    },
  );

  test("a source that is open in a stopped process", async () => {
    const here = await livedIn("sqlite", 3);
    const child = startChild(moduleAt("hold-store.ts"), [here]);
    await child.next();
    child.kill("SIGSTOP");
    await expect(migrateStore(here, await emptyPlace("sqlite"), options)).rejects.toMatchObject({
      code: "LOOP_E_STORE_IN_USE",
    });
    await child.end();
    await migrateStore(here, await emptyPlace("sqlite"), options);
  });

  test.each(["sqlite", "postgres"] as const)(
    "%s: who comes while it copies can write nothing that the copy would not have",
    async (kind) => {
      const here = await livedIn(kind, 20);
      const others: Promise<void>[] = [];
      let acknowledged = false;
      await migrateStore(here, await emptyPlace("sqlite"), {
        ...options,
        progress: () => {
          expect(acknowledged).toBe(false);
          if (others.length === 0)
            others.push(
              appendAlone(here).then(
                () => void (acknowledged = true),
                () => {},
              ),
            );
        },
      });
      expect(others).toHaveLength(1);
      await Promise.all(others);
    },
  );

  test.each(["sqlite", "postgres"] as const)(
    "%s: a destination with content, which stays as it was",
    async (kind) => {
      const [here, there] = [await livedIn("sqlite", 3), await livedIn(kind, 2)];
      await expect(
        migrateStore(here, there, { ...options, startOver: true }),
      ).rejects.toMatchObject({
        code: "LOOP_E_STORE_NOT_EMPTY",
        message: expect.stringContaining("delivery"),
      });
      const store = await open(there);
      expect(await store.log.find("more-1")).not.toBeNull();
      await store.close();
    },
  );

  test("a destination with tables or files of something else", async () => {
    const here = await livedIn("sqlite", 3);
    const database = await newDatabase();
    await database.query("create table event (what text)");
    await expect(migrateStore(here, database.url, options)).rejects.toMatchObject({
      code: "LOOP_E_STORE_NOT_EMPTY",
      message: expect.stringContaining("something else (event)"),
    });
    const file = newFile();
    const other = new DatabaseSync(file);
    other.exec("create table photo (what text)");
    other.close();
    await expect(migrateStore(here, `sqlite:${file}`, options)).rejects.toMatchObject({
      code: "LOOP_E_STORE_NOT_EMPTY",
    });
    expect(readFileSync(file).length).toBeGreaterThan(0);
  });

  test("an unfinished copy of another store, until it is told to start over", async () => {
    const [one, two] = [await livedIn("sqlite", 200), await livedIn("sqlite", 5)];
    for (const kind of ["sqlite", "postgres"] as const) {
      const there = await emptyPlace(kind);
      await killAfter(one, there, 6);
      await expect(migrateStore(two, there, options)).rejects.toMatchObject({
        code: "LOOP_E_STORE_UNFINISHED",
        message: expect.stringContaining(fileOf(one)),
        hint: expect.stringContaining("--start-over"),
      });
      expect(
        (await migrateStore(two, there, { ...options, startOver: true })).tables.find(
          ({ table }) => table === "delivery",
        )?.rows,
      ).toBe(13);
    }
  });

  test("one store twice, none at all, a wrong password without echoing it", async () => {
    const here = await livedIn("sqlite", 3);
    const { url } = await newDatabase();
    await expect(migrateStore(here, here, options)).rejects.toMatchObject({
      code: "LOOP_E_STORE_SAME",
    });
    await expect(migrateStore(`sqlite:${newFile()}`, url, options)).rejects.toMatchObject({
      code: "LOOP_E_STORE_MISSING",
    });
    await expect(migrateStore(url, `sqlite:${newFile()}`, options)).rejects.toMatchObject({
      code: "LOOP_E_STORE_MISSING",
    });
    await expect(migrateStore(here, "mysql://a:secret-word@b/c", options)).rejects.toMatchObject({
      code: "LOOP_E_STORE_URL",
      message: expect.not.stringContaining("secret-word"),
    });
    const wrong = new URL(url);
    wrong.password = "wrong-word";
    await expect(migrateStore(here, wrong.href, options)).rejects.toMatchObject({
      code: "LOOP_E_STORE_LOGIN",
      message: expect.not.stringContaining("wrong-word"),
    });
  });

  test("a damaged body, unless it may be left out", async () => {
    const here = await livedIn("sqlite", 40);
    const seq = damageBody(fileOf(here));
    const there = await emptyPlace("postgres");
    await expect(migrateStore(here, there, options)).rejects.toMatchObject({
      code: "LOOP_E_STORE_BODY_DAMAGED",
      message: expect.stringContaining(`number ${seq} `),
    });
    const { damaged } = await migrateStore(here, there, { ...options, leaveDamaged: true });
    expect(damaged).toEqual([seq]);
    const store = await open(there);
    expect(await store.log.body(seq)).toBeNull();
    await store.close();
  });
});

test.each(ways.slice(0, 2))(
  "from %s to %s: the one instance gets another name, and what it owned is its own there",
  { timeout: 300_000 },
  async (from, to) => {
    const [here, there] = [await livedIn(from), await emptyPlace(to)];
    const before = await open(here);
    await before.items.update(refText(1), (item) => ({
      after: {
        ...item,
        workItem:
          item.workItem === null
            ? null
            : {
                ...item.workItem,
                control: { ...item.workItem.control, status: "started", instance: "default" },
              },
      },
      lines: [],
    }));
    const [undecided, item] = [
      (await before.stats()).undecided,
      await before.items.load(refText(1)),
    ];
    await before.close();
    expect(
      (await migrateStore(here, there, { ...options, instance: "build-1" })).instances,
    ).toEqual(["build-1"]);
    const after = await open(there, "build-1");
    expect((await after.stats()).undecided).toBe(undecided);
    expect(await after.items.load(refText(1))).toEqual({
      ...item,
      workItem: { ...item.workItem, control: { ...item.workItem?.control, instance: "build-1" } },
    });
    expect(
      (await after.items.page({ after: null, limit: 9, only: "managed" })).length,
    ).toBeGreaterThan(0);
    expect(await after.cursors.get("ada/garden", "cursor")).toBe("7");
    await after.close();
    expect((await check(there)).findings).toEqual([]);
    // Two names stay two.
    const other = await open(there, "other");
    await other.cursors.put("ada/garden", { cursor: "1" });
    await other.close();
    await expect(
      migrateStore(there, await emptyPlace("sqlite"), { ...options, instance: "third" }),
    ).rejects.toMatchObject({ code: "LOOP_E_STORE_INSTANCE" });
  },
);

test("an empty store that a command has set up is replaced", { timeout: 300_000 }, async () => {
  for (const kind of ["sqlite", "postgres"] as const) {
    const there = await emptyPlace(kind);
    await (await open(there, "build-1")).close();
    expect((await migrateStore(await livedIn("sqlite", 3), there, options)).instances).toEqual([
      "default",
    ]);
    const store = await open(there);
    expect((await store.items.load(refText(1))).workItem?.title).toContain("quotes");
    await store.close();
  }
});

/** Ids of tables in the schema in which services look. */
async function tablesOf(url: string): Promise<readonly string[]> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (
      await client.query<{ tablename: string }>(
        "select tablename from pg_tables where schemaname = 'public'",
      )
    ).rows.map((row) => row.tablename);
  } finally {
    await client.end();
  }
}

async function killAfter(here: string, there: string, lines: number): Promise<void> {
  const child = startChild(moduleAt("migrate-store.ts"), [here, there]);
  for (let n = 0; n < lines; n += 1) expect(await child.next()).not.toMatch(/^done/);
  await child.end();
}

async function appendAlone(url: string): Promise<void> {
  const store = await open(url);
  try {
    await store.append(deliveryOf("meanwhile"));
  } finally {
    await store.close();
  }
}

function bytes(body: Uint8Array | null): Buffer | null {
  return body === null ? null : Buffer.from(body);
}
