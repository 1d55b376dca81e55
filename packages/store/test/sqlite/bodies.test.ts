import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { bytesOf, deliveryOf, noon, sameBytes } from "@loopwork/core/testing";
import type { Store } from "@loopwork/core/ports";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { decided } from "../../src/contract/build.ts";
import { openStore } from "../../src/index.ts";
import { type Bodies, createBodies, inlineBytes, SegmentGone } from "../../src/sqlite/bodies.ts";
import { createDatabase, type Database } from "../../src/sqlite/database.ts";
import { migrate, readMigrations } from "../../src/sqlite/migrate.ts";

let folder = "";
let closing: (() => void)[] = [];
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "loop-bodies-"))));
afterEach(() => {
  for (const close of closing) close();
  closing = [];
  rmSync(folder, { recursive: true, force: true });
});

/** A handle with segments of 10,000 bytes. */
function handle(now: number = 0): { readonly db: Database; readonly bodies: Bodies } {
  const connection = new DatabaseSync(join(folder, "loop.db"), { timeout: 1_000 });
  connection.exec("pragma journal_mode = wal");
  migrate(connection, readMigrations(), 0);
  const db = createDatabase(connection);
  const bodies = createBodies(db, join(folder, "bodies"), () => now, 10_000);
  closing.push(() => {
    bodies.close();
    db.close();
  });
  return { db, bodies };
}

/**
 * Stores texts as bodies of deliveries with the seqs from `from` on, in one flush and one
 * transaction.
 */
async function put(
  { db, bodies }: ReturnType<typeof handle>,
  from: number,
  texts: readonly string[],
): Promise<void> {
  const places = await bodies.write(texts.map(bytesOf));
  db.write(() => {
    for (const [n, place] of places.entries()) {
      db.run(
        "insert into delivery (seq, id, source, event, verified, received_at, digest) values (?, ?, 'cli', 'e', 0, ?, '')",
        from + n,
        `d-${from + n}`,
        from + n,
      );
      bodies.keep(from + n, place);
      bodies.count(place.segment, 1);
    }
  });
}

function read(bodies: Bodies, seq: number): string | null {
  const body = bodies.get(seq);
  return body === null ? null : String.fromCharCode(...body);
}

function decideAll({ db }: ReturnType<typeof handle>, count: number): void {
  for (let seq = 1; seq <= count; seq += 1)
    db.run(
      "insert into decision (instance, seq, verdict, reason, decision, decided_at) values ('i', ?, '', '', '', 0) on conflict do nothing",
      seq,
    );
}

const files = (): readonly string[] => readdirSync(join(folder, "bodies"));

describe("bodies beside the database", () => {
  test("fill one segment after the other and come back as they were, for another handle too", async () => {
    const one = handle();
    const texts = [
      "a".repeat(4_000),
      "b".repeat(5_000),
      "c".repeat(3_000),
      "",
      "d".repeat(25_000),
      "e",
    ];
    for (const [n, each] of texts.entries()) await put(one, n + 1, [each]);
    expect(texts.map((_, n) => read(one.bodies, n + 1))).toEqual(texts);
    expect(files()).toEqual([
      "00000001.bodies",
      "00000002.bodies",
      "00000003.bodies",
      "00000004.bodies",
    ]);
    expect(read(handle().bodies, 5)).toBe(texts[4]);
    expect(read(one.bodies, 7)).toBeNull();
  });

  test("of several that are flushed together each has its place", async () => {
    const one = handle();
    await put(one, 1, ["first", "", "third", "d".repeat(300)]);
    expect([1, 2, 3, 4].map((seq) => read(one.bodies, seq))).toEqual([
      "first",
      "",
      "third",
      "d".repeat(300),
    ]);
  });

  test("each handle has segments of its own", async () => {
    const [one, two] = [handle(), handle()];
    for (let n = 0; n < 20; n += 1)
      await put(n % 2 === 0 ? one : two, n + 1, [`body ${n} ${"x".repeat(n * 3)}`]);
    for (let n = 0; n < 20; n += 1)
      expect(read(n % 3 === 0 ? one.bodies : two.bodies, n + 1)).toBe(
        `body ${n} ${"x".repeat(n * 3)}`,
      );
  });

  test("a body that was written and never committed is no body", async () => {
    const one = handle();
    await put(one, 1, ["first"]);
    await one.bodies.write([bytesOf("never committed")]);
    await put(one, 2, ["second"]);
    expect([read(one.bodies, 1), read(one.bodies, 2), read(one.bodies, 3)]).toEqual([
      "first",
      "second",
      null,
    ]);
  });

  test("a segment goes with its last body, and its number is not given again", async () => {
    const one = handle();
    for (const [n, each] of ["a", "b", "c"].entries()) await put(one, n + 1, [each.repeat(9_000)]);
    decideAll(one, 3);
    expect(await one.bodies.drop("i", 3)).toBe(2);
    expect(files()).toEqual(["00000003.bodies"]);
    expect(await one.bodies.drop("i", 9)).toBe(1);
    expect(files()).toEqual([]);
    await put(handle(), 4, ["d".repeat(9_000)]);
    expect(files()).toEqual(["00000004.bodies"]);
  });

  test("who writes a segment that was removed meanwhile writes again elsewhere, and nothing is lost", async () => {
    const [writer, sweeper] = [handle(), handle()];
    await put(writer, 1, ["old"]);
    decideAll(writer, 1);
    const places = await writer.bodies.write([bytesOf("new")]);
    expect(await sweeper.bodies.drop("i", 9)).toBe(1);
    expect(() => writer.db.write(() => writer.bodies.count(places[0]?.segment ?? 0, 1))).toThrow(
      SegmentGone,
    );
    await put(writer, 2, ["new"]);
    expect(read(sweeper.bodies, 2)).toBe("new");
    expect(files()).toEqual(["00000002.bodies"]);
  });

  test("a segment in which nothing was ever kept is left to its writer for a day", async () => {
    await handle().bodies.write([bytesOf("never committed")]);
    expect([await handle(86_400_000).bodies.drop("i", 9), files()]).toEqual([
      0,
      ["00000001.bodies"],
    ]);
    expect([await handle(86_400_001).bodies.drop("i", 9), files()]).toEqual([0, []]);
  });

  test("files that a killed process left behind are removed, others are not", async () => {
    const one = handle();
    for (const [n, each] of ["a", "b"].entries()) await put(one, n + 1, [each.repeat(9_000)]);
    writeFileSync(join(folder, "bodies", "00000009.bodies"), "of a segment that is no more");
    one.bodies.tidy();
    expect(files()).toEqual(["00000001.bodies", "00000002.bodies"]);
  });
});

describe("a store with bodies beside its database", () => {
  test("tells no difference between small and large ones", async () => {
    const store = await openStore(`sqlite:${join(folder, "store.db")}`, {
      instance: "default",
      now: () => noon,
    });
    const sizes = [1, inlineBytes, inlineBytes + 1, 20_000];
    for (const size of sizes)
      await store.append(deliveryOf(`d-${size}`, { body: new Uint8Array(size).fill(size & 255) }));
    for (const [n, size] of sizes.entries())
      expect(sameBytes(await store.log.body(n + 1), new Uint8Array(size).fill(size & 255))).toBe(
        true,
      );
    const beside = readFileSync(join(folder, "store.db-bodies", "00000001.bodies"));
    for (const size of [inlineBytes + 1, 20_000])
      expect(beside.includes(Buffer.alloc(size, size & 255))).toBe(true);
    await store.close();
  });

  test("writes no body of a delivery that it knows", async () => {
    const store = await openStore(`sqlite:${join(folder, "store.db")}`, {
      instance: "default",
      now: () => noon,
    });
    const body = new Uint8Array(10_000);
    await store.append(deliveryOf("a", { body }));
    const segment = join(folder, "store.db-bodies", "00000001.bodies");
    const { length } = readFileSync(segment);
    expect((await store.append(deliveryOf("a", { body }))).kind).toBe("duplicate");
    expect((await store.append(deliveryOf("b", { body }))).kind).toBe("duplicate");
    expect(readFileSync(segment).length).toBe(length);
    await store.close();
  });

  test("stores a delivery whose segment is swept between flush and commit all the same", async () => {
    const file = join(folder, "store.db");
    const [store, other] = await Promise.all([
      openStore(`sqlite:${file}`, { instance: "default", now: () => noon }),
      openStore(`sqlite:${file}`, { instance: "default", now: () => noon }),
    ]);
    for (let n = 0; n < 30; n += 1) {
      const body = bytesOf(`${n} `.repeat(2_000));
      let answered = false;
      const appended = store
        .append(deliveryOf(`d-${n}`, { body }))
        .finally(() => (answered = true));
      while (!answered) {
        await other.log.forgetBodies(noon + 1);
        await new Promise((resolve) => setImmediate(resolve));
      }
      const answer = await appended;
      if (answer.kind !== "accepted" || !sameBytes(await store.log.body(answer.seq), body))
        throw new Error(`delivery ${n} lost its body`);
      await store.log.decide(answer.seq, null, () => decided());
    }
    await Promise.all([store.close(), other.close()]);
  });

  test("D03: a damaged body is never handed out: it reads as none, with a line that says so, and its neighbours are whole", async () => {
    const file = join(folder, "store.db");
    const open = (): Promise<Store> =>
      openStore(`sqlite:${file}`, { instance: "default", now: () => noon });
    const bodyOf = (id: string): Uint8Array => bytesOf(`body of ${id}`.padEnd(4_096, "."));
    const writer = await open();
    for (const id of ["a", "b", "c"]) await writer.append(deliveryOf(id, { body: bodyOf(id) }));
    await writer.close();
    // Opened anew: what a handle wrote last it has in memory still.
    const store = await open();
    const segment = join(`${file}-bodies`, "00000001.bodies");
    const bytes = readFileSync(segment);
    bytes[4_100] = (bytes[4_100] ?? 0) ^ 1;
    writeFileSync(segment, bytes);
    expect(await store.log.body(2)).toBeNull();
    expect(await store.events.list({ limit: 9 })).toMatchObject([
      { kind: "daemon.warning", level: "error", delivery: "b", reason: "body-damaged" },
    ]);
    for (const [seq, id] of [
      [1, "a"],
      [3, "c"],
    ] as const)
      expect(sameBytes(await store.log.body(seq), bodyOf(id))).toBe(true);
    writeFileSync(segment, bytes.subarray(0, 4_095));
    expect(await store.log.body(1)).toBeNull();
    expect(await store.log.decide(1, null, () => decided())).not.toBeNull();
    await store.close();
  });
});
