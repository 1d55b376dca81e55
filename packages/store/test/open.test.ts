import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { formatRef } from "@loopwork/core/ports";
import { deliveryOf } from "@loopwork/core/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openStore } from "../src/index.ts";

const options = { instance: "default", now: Date.now };
const ref = formatRef({ host: null, owner: "octo", repo: "app", number: 1 });
let folder = "";
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "loop-store-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("openStore", () => {
  test("makes folder and file for the user alone, and finds on the next opening what was stored", async () => {
    const file = join(folder, "new", "loop.db");
    const first = await openStore(`sqlite:${file}`, options);
    await first.append(deliveryOf("a"));
    await first.close();
    const second = await openStore(`sqlite:${file}`, options);
    expect(await second.log.find("a")).toMatchObject({ seq: 1, id: "a" });
    await second.close();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, "new")).mode & 0o777).toBe(0o700);
  });

  test("memory: forgets with the handle", async () => {
    const store = await openStore("memory:", options);
    await store.append(deliveryOf("a"));
    await store.close();
    expect(await (await openStore("memory:", options)).log.find("a")).toBeNull();
  });

  test.each(["", "sqlite:", "loop.db", "mysql://user:secret@host/db"])(
    "an unknown URL %j is refused without echoing more than its scheme",
    async (url) => {
      const error = await openStore(url, options).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: "LOOP_E_STORE_URL" });
      expect(String(error)).not.toContain("secret");
    },
  );

  test("a file that is no database is refused and left as it is", async () => {
    const file = join(folder, "loop.db");
    writeFileSync(
      file,
      "this is a text, long enough to be taken for the header of a database file, which it is not",
    );
    await expect(openStore(`sqlite:${file}`, options)).rejects.toMatchObject({
      code: "LOOP_E_STORE_NOT_A_DATABASE",
    });
    expect(statSync(file).size).toBe(90);
  });

  test("a folder where the file should be, and a file where the folder should be, are refused with a hint", async () => {
    await expect(openStore(`sqlite:${folder}`, options)).rejects.toMatchObject({
      code: "LOOP_E_STORE_UNWRITABLE",
    });
    writeFileSync(join(folder, "plain"), "");
    await expect(
      openStore(`sqlite:${join(folder, "plain", "loop.db")}`, options),
    ).rejects.toMatchObject({
      code: "LOOP_E_STORE_UNWRITABLE",
      hint: expect.stringContaining("store.url"),
    });
  });

  test("D06: an older program refuses a newer schema and changes nothing", async () => {
    const file = join(folder, "loop.db");
    await (await openStore(`sqlite:${file}`, options)).close();
    const future = new DatabaseSync(file);
    future.exec(
      "insert into schema_version (version, name, applied_at) values (9999, 'future', 0)",
    );
    future.close();
    await expect(openStore(`sqlite:${file}`, options)).rejects.toMatchObject({
      code: "LOOP_E_STORE_NEWER",
      message: expect.stringContaining("9999"),
    });
  });

  test("read-only: reads what is there and refuses every write", async () => {
    const file = join(folder, "loop.db");
    const writer = await openStore(`sqlite:${file}`, options);
    await writer.append(deliveryOf("a"));
    const reader = await openStore(`sqlite:${file}`, { ...options, readonly: true });
    expect(await reader.log.find("a")).not.toBeNull();
    await expect(
      reader.items.update(ref, (item) => ({
        after: { ...item, collaborators: [{ login: "ada", id: null, grantedBy: "bob", at: 0 }] },
        lines: [],
      })),
    ).rejects.toMatchObject({ code: "LOOP_E_STORE_READONLY" });
    await expect(reader.append(deliveryOf("b"))).rejects.toMatchObject({
      code: "LOOP_E_STORE_UNAVAILABLE",
    });
    await reader.close();
    await writer.close();
  });

  test("read-only: says so when there is no store yet", async () => {
    await expect(
      openStore(`sqlite:${join(folder, "loop.db")}`, { ...options, readonly: true }),
    ).rejects.toMatchObject({ code: "LOOP_E_STORE_MISSING" });
  });
});
