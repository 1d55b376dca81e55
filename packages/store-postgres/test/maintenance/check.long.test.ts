import { rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { describe, expect, test } from "vitest";
import type { FindingKind } from "@loopwork/store/maintenance";
import { damageBody, flipByte } from "./damage.ts";
import { check, fileOf, type Kind, livedIn, open } from "./places.ts";

type Planted = { readonly what: string; readonly sql: string; readonly kind: FindingKind };

/** What may have gone wrong in any store, by a disk, a person with a tool, or a bug of ours. */
const planted: readonly Planted[] = [
  {
    what: "a delivery that is gone",
    sql: "delete from delivery where id = 'more-3'",
    kind: "log-gap",
  },
  {
    what: "a decision that is gone",
    sql: "delete from decision where seq = (select seq from delivery where id = 'a')",
    kind: "undecided-behind",
  },
  { what: "a cursor that was moved", sql: "update cursor set seq = 1000", kind: "cursor-beyond" },
  {
    what: "a decision about nothing",
    sql: "update decision set seq = 999 where seq = (select seq from delivery where id = 'last')",
    kind: "reference-broken",
  },
  {
    what: "a turn without its lane",
    sql: "delete from lane where endpoint = (select lane from turn order by id limit 1)",
    kind: "reference-broken",
  },
  {
    what: "a turn about another delivery",
    sql: "update turn_delivery set seq = seq + 1 where delivery_id = 'b'",
    kind: "reference-broken",
  },
  {
    what: "a session of no work item",
    sql: "delete from work_item where ref = 'host:octo/app#1'",
    kind: "reference-broken",
  },
  {
    what: "half a lease",
    sql: "update lane set holder = null where holder is not null",
    kind: "lane-inconsistent",
  },
  {
    what: "a document cut short",
    sql: "update decision set decision = '{\"verdict\":' where seq = (select seq from delivery where id = 'last')",
    kind: "document-damaged",
  },
];

describe("loop store check", { timeout: 300_000 }, () => {
  test.each(["sqlite", "postgres"] as const)(
    "%s: a store that is in use is sound, also with a writer beside it",
    async (kind) => {
      const url = await livedIn(kind);
      const service = await open(url);
      expect(await check(url)).toMatchObject({
        findings: [],
        counted: { delivery: 48, work_item: 5 },
      });
      await service.close();
    },
  );

  const everywhere = (["sqlite", "postgres"] as const).flatMap((kind) =>
    planted.map((each) => ({ ...each, driver: kind })),
  );
  test.each(everywhere)("$driver: $what is found", async ({ driver, sql, kind }) => {
    const url = await livedIn(driver, 6);
    await plant(driver, url, sql);
    const { findings } = await check(url);
    expect(findings.map((finding) => finding.kind)).toContain(kind);
    for (const { sentence } of findings) expect(sentence).not.toBe("");
  });

  test.each([
    {
      what: "a column that says something else than its record",
      sql: "update work_item set status = 'working' where ref = 'host:octo/app#1'",
      kind: "column-differs",
    },
    {
      what: "a sequence that was set back",
      sql: "select setval(pg_get_serial_sequence('turn', 'id'), 1, false)",
      kind: "number-behind",
    },
    {
      what: "an index that was left half-made",
      sql: "update pg_index set indisvalid = false where indexrelid = 'event_time'::regclass",
      kind: "index-damaged",
    },
    {
      what: "a body of another length",
      sql: "update delivery_body set length = length + 1 where seq = 2",
      kind: "column-differs",
    },
  ])("postgres: $what is found", async ({ sql, kind }) => {
    const url = await livedIn("postgres", 6);
    await plant("postgres", url, sql);
    expect((await check(url)).findings.map((finding) => finding.kind)).toContain(kind);
  });

  test("postgres: an index that differs from its table is found where amcheck is there, and said to be unknown where it is not", async () => {
    const url = await livedIn("postgres", 6);
    expect((await check(url)).notes.join()).toContain("amcheck");
    await plant("postgres", url, "create extension amcheck");
    expect(await check(url)).toMatchObject({
      findings: [],
      notes: [expect.stringContaining("data_checksums")],
    });
  });

  test("sqlite: a damaged body, a lost one, a segment that counts wrong", async () => {
    const damaged = await livedIn("sqlite");
    const seq = damageBody(fileOf(damaged));
    expect((await check(damaged)).findings).toMatchObject([
      { kind: "body-damaged", deliveries: [seq] },
    ]);
    const lost = await livedIn("sqlite");
    rmSync(`${fileOf(lost)}-bodies`, { recursive: true });
    expect((await check(lost)).findings).toMatchObject([
      { kind: "body-damaged", deliveries: expect.objectContaining({ length: 14 }) },
    ]);
    const counted = await livedIn("sqlite");
    await plant("sqlite", counted, "update body_segment set kept = kept - 1");
    expect((await check(counted)).findings.map(({ kind }) => kind)).toEqual(["body-count"]);
  });

  test("sqlite: pages that the disk turned over", async () => {
    const found = new Set<string>();
    for (let page = 2; page < 40; page += 4) {
      const url = await livedIn("sqlite", 60);
      for (const byte of [0, 3, 9, 4_000]) flipByte(fileOf(url), page * 4_096 + byte);
      const { findings } = await check(url);
      if (findings.length > 0) found.add(String(page));
    }
    // A page that is free, or whose other bytes decide, may hide it.
    expect(found.size).toBeGreaterThan(5);
  });

  test("what cannot be looked at is an error with a hint", async () => {
    await expect(check("sqlite:/nowhere/loop.db")).rejects.toMatchObject({
      code: "LOOP_E_STORE_MISSING",
    });
    await expect(check("memory:")).rejects.toMatchObject({ code: "LOOP_E_STORE_URL" });
    await expect(check("postgres://loop:secret@127.0.0.1:1/loop")).rejects.toMatchObject({
      code: "LOOP_E_STORE_AWAY",
      message: expect.not.stringContaining("secret"),
    });
  });
});

/** Runs a statement past what the driver enforces. */
async function plant(kind: Kind, url: string, sql: string): Promise<void> {
  if (kind === "sqlite") {
    const database = new DatabaseSync(fileOf(url), { enableForeignKeyConstraints: false });
    database.exec(sql);
    database.close();
    return;
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("set session_replication_role = replica; set allow_system_table_mods = on");
  await client.query(sql);
  await client.end();
}
