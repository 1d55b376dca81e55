import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { deliveryOf } from "@loopwork/core/testing";
import { describe, expect, test } from "vitest";
import { refText } from "../../../store/src/contract/build.ts";
import { backupStore, migrateStore } from "@loopwork/store/maintenance";
import { startChild } from "../../../store/test/processes/child.ts";
import { damageBody } from "./damage.ts";
import {
  check,
  emptyPlace,
  fileOf,
  type Kind,
  livedIn,
  loadPostgres,
  makeFolder,
  moduleAt,
  open,
} from "./places.ts";

const kinds: readonly Kind[] = ["sqlite", "postgres"];
const quiet = (): void => {};

describe("loop store backup", { timeout: 300_000 }, () => {
  test.each(kinds)(
    "%s: taken while others write; whatever was acknowledged before is in it, it is sound, and opens as a store",
    async (kind) => {
      const url = await livedIn(kind, 100);
      const child = startChild(moduleAt("append-until-killed.ts"), [url]);
      for (let n = 0; n < 200; n += 1) await child.next();
      const before = child.lines
        .filter((line) => line.startsWith("acked "))
        .map((line) => line.slice("acked ".length));
      const file = join(makeFolder(), "backups", "today.db");
      const { deliveries, damaged } = await backupStore(url, file, quiet, loadPostgres);
      const written = child.lines.length;
      await child.next();
      await child.end();
      expect(damaged).toEqual([]);
      expect(written).toBeGreaterThan(before.length);
      expect(await check(`sqlite:${file}`)).toMatchObject({
        findings: [],
        counted: { delivery: deliveries },
      });
      expect([statSync(file).mode & 0o077, statSync(`${file}-bodies`).mode & 0o077]).toEqual([
        0, 0,
      ]);
      expect(readdirSync(dirname(file)).toSorted()).toEqual(["today.db", "today.db-bodies"]);

      const restored = await open(`sqlite:${file}`);
      for (const id of before) {
        const delivery = await restored.log.find(id);
        expect(delivery, id).not.toBeNull();
        expect(Buffer.from((await restored.log.body(delivery?.seq ?? 0)) ?? []).toString()).toBe(
          id.padEnd(Number(id.split("-")[1]) % 2 === 0 ? 1_000 : 6_000, "."),
        );
      }
      expect((await restored.items.load(refText(1))).sessions).toHaveLength(2);
      expect(await restored.append(deliveryOf("afterwards"))).toMatchObject({
        kind: "accepted",
        seq: deliveries + 1,
      });
      await restored.close();
    },
  );

  test("one of PostgreSQL goes back into an empty database", async () => {
    const url = await livedIn("postgres");
    const file = join(makeFolder(), "today.db");
    await backupStore(url, file, quiet, loadPostgres);
    const again = await emptyPlace("postgres");
    const [restored, original] = [
      await migrateStore(`sqlite:${file}`, again, {
        leaveDamaged: false,
        startOver: false,
        instance: null,
        progress: quiet,
        loadPostgres,
      }),
      await migrateStore(url, await emptyPlace("sqlite"), {
        leaveDamaged: false,
        startOver: false,
        instance: null,
        progress: quiet,
        loadPostgres,
      }),
    ];
    expect(restored.tables).toEqual(original.tables);
  });

  test.each(kinds)(
    "%s: writes over nothing, and leaves nothing where there is no store",
    async (kind) => {
      const file = join(makeFolder(), "today.db");
      writeFileSync(file, "precious");
      await expect(
        backupStore(await livedIn(kind, 2), file, quiet, loadPostgres),
      ).rejects.toMatchObject({
        code: "LOOP_E_STORE_NOT_EMPTY",
      });
      expect(statSync(file).size).toBe(8);
      rmSync(file);
      await expect(
        backupStore(await emptyPlace(kind), file, quiet, loadPostgres),
      ).rejects.toMatchObject({
        code: "LOOP_E_STORE_MISSING",
      });
      expect(readdirSync(dirname(file))).toEqual([]);
    },
  );

  test.each(kinds)("%s: what a killed backup left is in nobody's way", async (kind) => {
    const url = await livedIn(kind, 300);
    const file = join(makeFolder(), "today.db");
    const child = startChild(moduleAt("backup-store.ts"), [url, file]);
    await child.next();
    await child.end();
    expect(existsSync(file)).toBe(false);
    expect((await backupStore(url, file, quiet, loadPostgres)).deliveries).toBe(308);
    expect(readdirSync(dirname(file)).toSorted()).toEqual(["today.db", "today.db-bodies"]);
  });

  test("a damaged body is told, and everything else is kept", async () => {
    const url = await livedIn("sqlite");
    const seq = damageBody(fileOf(url));
    const file = join(makeFolder(), "today.db");
    expect((await backupStore(url, file, quiet, loadPostgres)).damaged).toEqual([seq]);
    const restored = await open(`sqlite:${file}`);
    expect(await restored.log.body(seq)).toBeNull();
    expect(await restored.log.find("last")).not.toBeNull();
    await restored.close();
  });

  test("bodies whose retention ended while it was taken are forgotten in it as well", async () => {
    const url = await livedIn("sqlite", 40);
    const file = join(makeFolder(), "today.db");
    const whileCopied = (line: string): void => {
      // What retention does: rows go, and their segment with the last of them.
      if (line.includes("database")) forgetAll(fileOf(url));
    };
    await backupStore(url, file, whileCopied, loadPostgres);
    expect((await check(`sqlite:${file}`)).findings).toEqual([]);
  });
});

function forgetAll(file: string): void {
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const database = new DatabaseSync(file);
  database.exec("delete from delivery_body where segment is not null; delete from body_segment");
  database.close();
  rmSync(`${file}-bodies`, { recursive: true });
}
