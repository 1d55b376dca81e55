import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { bytesOf, deliveryOf, noon, sameBytes } from "@loopwork/core/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { decided } from "../../src/contract/build.ts";
import { openStore } from "../../src/index.ts";
import { type Bodies, createBodies } from "../../src/sqlite/bodies.ts";
import { createDatabase, type Database } from "../../src/sqlite/database.ts";
import { migrate, readMigrations } from "../../src/sqlite/migrate.ts";

let folder = "";
let open: Database[] = [];
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "loop-bodies-"))));
afterEach(() => {
  for (const db of open) db.close();
  open = [];
  rmSync(folder, { recursive: true, force: true });
});

/** A handle with segments of 100 bytes. */
function handle(): { readonly db: Database; readonly bodies: Bodies } {
  const connection = new DatabaseSync(join(folder, "loop.db"), { timeout: 1_000 });
  connection.exec("pragma journal_mode = wal");
  migrate(connection, readMigrations(), 0);
  const db = createDatabase(connection);
  open.push(db);
  return { db, bodies: createBodies(db, join(folder, "bodies"), 100) };
}

function put({ db, bodies }: ReturnType<typeof handle>, from: number, texts: readonly string[]): void {
  db.write(() => {
    const batch = bodies.begin();
    for (const [n, text] of texts.entries()) {
      db.run("insert into delivery (seq, id, source, event, verified, received_at, digest) values (?, ?, 'cli', 'e', 0, ?, '')", from + n, `d-${from + n}`, from + n);
      batch.put(from + n, bytesOf(text));
    }
    batch.write();
  });
}

function read(bodies: Bodies, seq: number): string | null {
  const body = bodies.get(seq);
  return body === null ? null : String.fromCharCode(...body);
}

describe("bodies beside the database", () => {
  test("fill one segment after the other, also in one transaction, and come back as they were", () => {
    const one = handle();
    const texts = ["a".repeat(40), "b".repeat(50), "c".repeat(30), "", "d".repeat(250), "e"];
    put(one, 1, texts);
    expect(texts.map((_, n) => read(one.bodies, n + 1))).toEqual(texts);
    expect(readdirSync(join(folder, "bodies"))).toEqual(["00000001.bodies", "00000002.bodies", "00000003.bodies", "00000004.bodies"]);
    expect(one.bodies.bytes()).toBe(371);
    expect(read(handle().bodies, 5)).toBe(texts[4]);
    expect(read(one.bodies, 7)).toBeNull();
  });

  test("two processes write after each other into the same segments", () => {
    const [one, two] = [handle(), handle()];
    for (let n = 0; n < 20; n += 1) put(n % 2 === 0 ? one : two, n + 1, [`body ${n} ${"x".repeat(n * 3)}`]);
    for (let n = 0; n < 20; n += 1) expect(read(n % 3 === 0 ? one.bodies : two.bodies, n + 1)).toBe(`body ${n} ${"x".repeat(n * 3)}`);
  });

  test("what a transaction wrote that was never committed is overwritten", () => {
    const one = handle();
    put(one, 1, ["first"]);
    expect(() =>
      one.db.write(() => {
        const batch = one.bodies.begin();
        batch.put(2, bytesOf("never committed"));
        batch.write();
        throw new Error("killed");
      }),
    ).toThrow("killed");
    put(one, 2, ["second"]);
    expect([read(one.bodies, 1), read(one.bodies, 2)]).toEqual(["first", "second"]);
    expect(readFileSync(join(folder, "bodies", "00000001.bodies"), "latin1")).toMatch(/^firstsecond/);
  });

  test("a segment goes with its last body, the one that is being written stays", () => {
    const one = handle();
    put(one, 1, ["a".repeat(90), "b".repeat(90), "c".repeat(90)]);
    for (const seq of [1, 2, 3]) one.db.run("insert into decision (instance, seq, verdict, reason, decision, decided_at) values ('i', ?, '', '', '', 0)", seq);
    expect(one.bodies.drop("i", 3)).toBe(2);
    expect(readdirSync(join(folder, "bodies"))).toEqual(["00000003.bodies"]);
    expect(one.bodies.drop("i", 9)).toBe(1);
    expect(readdirSync(join(folder, "bodies"))).toEqual(["00000003.bodies"]);
    put(one, 4, ["d".repeat(90)]);
    expect([read(one.bodies, 3), read(one.bodies, 4)]).toEqual([null, "d".repeat(90)]);
  });

  test("files that a killed process left behind are removed, others are not", () => {
    const one = handle();
    put(one, 1, ["a".repeat(90), "b".repeat(90), "c".repeat(90)]);
    one.db.run("delete from delivery_body where segment = 1");
    one.db.run("delete from body_segment where number = 1");
    writeFileSync(join(folder, "bodies", "00000009.bodies"), "of a writer whose transaction is under way");
    one.bodies.tidy();
    expect(readdirSync(join(folder, "bodies"))).toEqual(["00000002.bodies", "00000003.bodies", "00000009.bodies"]);
  });

  test("D03: a damaged body is never handed out: it reads as none, with a line that says so, and its neighbours are whole", async () => {
    const file = join(folder, "store.db");
    const store = await openStore(`sqlite:${file}`, { instance: "default", now: () => noon });
    for (const id of ["a", "b", "c"]) await store.append(deliveryOf(id, { body: bytesOf(`body of ${id}`) }));
    const segment = join(`${file}-bodies`, "00000001.bodies");
    const bytes = readFileSync(segment);
    bytes[12] = (bytes[12] ?? 0) ^ 1;
    writeFileSync(segment, bytes);
    expect(await store.log.body(2)).toBeNull();
    expect(await store.events.list({ limit: 9 })).toMatchObject([{ kind: "daemon.warning", level: "error", delivery: "b", reason: "body-damaged" }]);
    for (const [seq, id] of [[1, "a"], [3, "c"]] as const) expect(sameBytes(await store.log.body(seq), bytesOf(`body of ${id}`))).toBe(true);
    writeFileSync(segment, bytes.subarray(0, 5));
    expect(await store.log.body(1)).toBeNull();
    expect(await store.log.decide(1, null, () => decided())).not.toBeNull();
    await store.close();
  });
});
