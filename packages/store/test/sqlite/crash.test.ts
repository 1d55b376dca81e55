import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { deliveryOf } from "@loopwork/core/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openStore } from "../../src/index.ts";
import { openSqliteStore } from "../../src/sqlite/open.ts";
import { startChild } from "../processes/child.ts";

const options = { instance: "default", now: Date.now };
let folder = "";
let file = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loop-crash-"));
  file = join(folder, "loop.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Starts the load, kills it after some acknowledgements, `kills` times over; ids that were
 * acknowledged.
 */
async function killRepeatedly(mode: "honest" | "early", kills: number): Promise<readonly string[]> {
  const acked: string[] = [];
  for (let round = 0; round < kills; round += 1) {
    const child = startChild("./append-load.ts", [file, `r${round}`, mode]);
    for (let n = 0; n < 40 + round * 37; n += 1) await child.next();
    await child.end();
    acked.push(...idsOf(child.lines));
  }
  return acked;
}

function idsOf(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => (line.startsWith("acked ") ? (line.split(" ")[1] ?? []) : []));
}

/** Acknowledged deliveries that are not stored. */
async function lost(acked: readonly string[]): Promise<readonly string[]> {
  const store = await openStore(`sqlite:${file}`, options);
  const kept = new Set((await store.log.list({ limit: 1_000_000 })).map((delivery) => delivery.id));
  await store.close();
  return acked.filter((id) => !kept.has(id));
}

describe("durability", () => {
  test("R03: of four processes that are sent the same deliveries one accepts each", async () => {
    await (await openStore(`sqlite:${file}`, options)).close();
    const children = Array.from({ length: 4 }, () =>
      startChild("./append-load.ts", [file, "same", "honest", "200"]),
    );
    for (const child of children) while (!(await child.next()).startsWith("then")) continue;
    const acked = children
      .flatMap((child) => child.lines)
      .filter((line) => line.startsWith("acked "));
    const accepted = acked.filter((line) => line.endsWith(" accepted"));
    expect(acked).toHaveLength(4 * 200);
    expect(accepted).toHaveLength(200);
    expect(await lost(idsOf(acked))).toEqual([]);
    for (const child of children) await child.end();
  });

  test("R14: a database that another process keeps locked is a refusal, and no longer one once it is free", async () => {
    const store = openSqliteStore(file, {
      ...options,
      maxBacklog: 100,
      readonly: false,
      maxPages: null,
      busyTimeoutMs: 50,
    });
    const other = new DatabaseSync(file);
    other.exec("begin immediate");
    await expect(store.append(deliveryOf("a"))).rejects.toMatchObject({
      code: "LOOP_E_STORE_UNAVAILABLE",
      message: expect.stringContaining("LOOP_E_STORE_BUSY"),
    });
    expect(await store.log.find("a")).toBeNull();
    other.exec("rollback");
    other.close();
    expect((await store.append(deliveryOf("a"))).kind).toBe("accepted");
    await store.close();
  });

  test("D01: kill -9 under load loses nothing that was acknowledged", async () => {
    const acked = await killRepeatedly("honest", 6);
    expect(acked.length).toBeGreaterThan(400);
    expect(await lost(acked)).toEqual([]);
    using db = new DatabaseSync(file);
    expect(db.prepare("pragma integrity_check").get()).toEqual({ integrity_check: "ok" });
  });

  test("D01: the check can fail: acknowledged before the commit, deliveries are lost", async () => {
    expect((await lost(await killRepeatedly("early", 3))).length).toBeGreaterThan(0);
  });

  test("D02, R14: a full database refuses, keeps what it acknowledged, and goes on once there is room", async () => {
    const store = await openStore(`sqlite:${file}`, { ...options, maxPages: 74 });
    const acked: string[] = [];
    let refused = 0;
    for (let n = 0; n < 150; n += 1) {
      await Promise.all(
        Array.from({ length: 4 }, async (_, lane) => {
          const id = `d-${n}-${lane}`;
          try {
            await store.append(deliveryOf(id));
            acked.push(id);
          } catch (error) {
            expect(error).toMatchObject({
              code: "LOOP_E_STORE_UNAVAILABLE",
              message: expect.stringContaining("LOOP_E_STORE_FULL"),
              retryAfterSeconds: 5,
            });
            refused += 1;
          }
        }),
      );
    }
    expect(refused).toBeGreaterThan(0);
    expect((await store.log.list({ limit: 1_000 })).map((each) => each.id)).toEqual(acked);
    await store.close();

    const roomy = await openStore(`sqlite:${file}`, { ...options, maxPages: 4_000 });
    expect((await roomy.append(deliveryOf("later"))).kind).toBe("accepted");
    await roomy.close();
  });

  test.runIf(existsSync("/dev/full"))(
    "D02, R14: no room for a body: refused, nothing of it is stored, and it goes on once there is room",
    async () => {
      const store = await openStore(`sqlite:${file}`, options);
      mkdirSync(`${file}-bodies`);
      symlinkSync("/dev/full", join(`${file}-bodies`, "00000001.bodies"));
      await expect(
        store.append(deliveryOf("a", { body: new Uint8Array(5_000) })),
      ).rejects.toMatchObject({
        code: "LOOP_E_STORE_UNAVAILABLE",
        message: expect.stringContaining("LOOP_E_STORE_FULL"),
      });
      expect(await store.log.find("a")).toBeNull();
      rmSync(join(`${file}-bodies`, "00000001.bodies"));
      expect((await store.append(deliveryOf("a", { body: new Uint8Array(5_000) }))).kind).toBe(
        "accepted",
      );
      await store.close();
    },
  );

  test("D02: after an I/O error nothing is written or read until the store is opened anew, and no acknowledgement was false", async () => {
    // A limit on the size of files makes the kernel refuse a write in the middle of a commit.
    const child = join(import.meta.dirname, "../processes/append-load.ts");
    const limited = spawnSync(
      "/bin/sh",
      [
        "-c",
        'ulimit -f 2000; exec "$@"',
        "sh",
        process.execPath,
        "--conditions=@loopwork/source",
        child,
        file,
        "limited",
        "honest",
        "2000",
      ],
      { encoding: "utf8" },
    );
    const lines = limited.stdout.split("\n");
    const acked = idsOf(lines);
    expect(lines.at(-3)).toContain("failed LOOP_E_STORE_BROKEN");
    expect(lines.at(-2)).toBe("then LOOP_E_STORE_BROKEN");
    expect(acked.length).toBeGreaterThan(10);
    expect(await lost(acked)).toEqual([]);
    const store = await openStore(`sqlite:${file}`, options);
    expect((await store.append(deliveryOf("later"))).kind).toBe("accepted");
    await store.close();
  });
});
