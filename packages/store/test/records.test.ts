import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { itemOf } from "@loopwork/core/testing";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { openStore } from "../src/index.ts";
import { openRecords } from "../src/records.ts";

const options = { instance: "default", now: () => 1 };
let file = "";

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), "loop-records-"));
  file = join(folder, "loop.db");
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

test("records are what the store says of work items and repositories, also while it is open elsewhere", async () => {
  const store = await openStore(`sqlite:${file}`, options);
  const item = itemOf("started");
  const ref = item.workItem?.ref;
  if (ref === undefined) throw new Error("no record");
  await store.items.update(ref, () => ({ after: item, lines: [] }));
  await store.repositories.update(() => ({
    write: [
      {
        host: null,
        id: "1",
        known: { owner: "octo", name: "shop" },
        present: { owner: "octo", name: "store" },
      },
    ],
    lines: [],
  }));
  const records = await openRecords(`sqlite:${file}`, options);
  expect(await records.items.load(ref)).toEqual(await store.items.load(ref));
  expect((await records.items.load(ref)).workItem?.ref).toBe(ref);
  expect(await records.items.list()).toEqual(await store.items.list());
  expect(await records.repositories.list()).toEqual(await store.repositories.list());
  await records.close();
  await store.close();
});

test("records make nothing: where there is no store they say so", async () => {
  await expect(openRecords(`sqlite:${file}`, options)).rejects.toMatchObject({
    code: "LOOP_E_STORE_MISSING",
  });
  expect(existsSync(file)).toBe(false);
});

test("records of another kind of store come from it", async () => {
  const records = await openRecords("memory:", options);
  expect([await records.items.list(), await records.repositories.list()]).toEqual([[], []]);
  await records.close();
});
