import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { bytesOf, deliveryOf, sameBytes } from "@loopwork/core/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openStore } from "../../src/index.ts";

const options = { instance: "default", now: Date.now };
const commits = 40;
const rounds = 100;
let folder = "";
let ids: string[] = [];

/**
 * A database whose deliveries stand in the write-ahead log, one commit each, as a dead machine
 * leaves it.
 */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "loop-torn-"));
  await (await openStore(`sqlite:${join(folder, "live.db")}`, options)).close();
  const store = await openStore(`sqlite:${join(folder, "live.db")}`, options);
  ids = Array.from({ length: commits }, (_, n) => `d-${n}`);
  for (const id of ids) await store.append(deliveryOf(id, { body: bodyOf(id) }));
  for (const end of ["", "-wal"])
    copyFileSync(join(folder, `live.db${end}`), join(folder, `dead.db${end}`));
  cpSync(join(folder, "live.db-bodies"), join(folder, "dead.db-bodies"), { recursive: true });
  await store.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function bodyOf(id: string): Uint8Array {
  // Of every three one is large and stands beside the database.
  return bytesOf(id.repeat(Number(id.slice(2)) % 3 === 0 ? 1_000 : 300));
}

/**
 * Opens a copy of the dead database after `damage`; ids that it holds, or why it is not a clean
 * prefix.
 */
async function recovered(
  damage: (log: Buffer) => Buffer,
  damageDatabase: (database: Buffer) => Buffer = (same) => same,
): Promise<readonly string[] | string> {
  const file = join(folder, "copy.db");
  for (const end of ["", "-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });
  cpSync(join(folder, "dead.db-bodies"), `${file}-bodies`, { recursive: true });
  writeFileSync(file, damageDatabase(readFileSync(join(folder, "dead.db"))));
  writeFileSync(`${file}-wal`, damage(readFileSync(join(folder, "dead.db-wal"))));
  try {
    const store = await openStore(`sqlite:${file}`, options);
    const kept = await store.log.list({ limit: 1_000 });
    for (const { seq, id } of kept)
      if (!sameBytes(await store.log.body(seq), bodyOf(id))) return `the body of ${id} differs`;
    const next = await store.append(deliveryOf("after"));
    await store.close();
    using db = new DatabaseSync(file);
    const verdict = db.prepare("pragma integrity_check").get()?.["integrity_check"];
    if (verdict !== "ok" || next.kind !== "accepted") return `not whole: ${String(verdict)}`;
    const found = kept.map((each) => each.id);
    return found.every((id, n) => id === ids[n]) ? found : `no prefix: ${found.join(" ")}`;
  } catch (error) {
    return String(error);
  }
}

/** Numbers that look random and are the same each time, from 0 up to `below`. */
function* sequence(seed: number, below: number): Generator<number> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield Math.floor((state / 2 ** 32) * below);
  }
}

describe("a torn write-ahead log", () => {
  test("untouched it gives everything back", async () => {
    expect(await recovered((log) => log)).toEqual(ids);
  });

  test(`D03: cut at ${rounds} offsets it gives a clean prefix`, async () => {
    const size = readFileSync(join(folder, "dead.db-wal")).length;
    const lengths = new Set<number>();
    const offsets = sequence(1, size);
    for (let round = 0; round < rounds; round += 1) {
      const at = offsets.next().value ?? 0;
      const kept = await recovered((log) => log.subarray(0, at));
      if (typeof kept === "string") throw new Error(`cut at ${at}: ${kept}`);
      lengths.add(kept.length);
    }
    expect(lengths.size).toBeGreaterThan(commits / 2);
  });

  test(`D03: with one of ${rounds} bits flipped, and with a zeroed tail, it gives a clean prefix`, async () => {
    const size = readFileSync(join(folder, "dead.db-wal")).length;
    const places = sequence(2, size * 8);
    for (let round = 0; round < rounds; round += 1) {
      const bit = places.next().value ?? 0;
      const zeroed = round % 5 === 0;
      const kept = await recovered((log) => {
        if (zeroed) log.fill(0, bit >> 3);
        else log[bit >> 3] = (log[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        return log;
      });
      if (typeof kept === "string")
        throw new Error(`${zeroed ? "zeroed from" : "flipped"} bit ${bit}: ${kept}`);
    }
  });

  test("the check can fail: a page of the database itself that is overwritten is found", async () => {
    const gone = await recovered(
      (log) => log.subarray(0, 0),
      (database) => database.fill(0xa5, 4_096, 12_288),
    );
    expect(typeof gone).toBe("string");
  });
});
