import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createLocks } from "../src/index.ts";
import { type Child, startChild } from "./processes/child.ts";

let dir = "";
let children: Child[] = [];
beforeEach(() => void (dir = join(mkdtempSync(join(tmpdir(), "loop-lock-")), "locks")));
afterEach(async () => {
  for (const child of children) await child.end();
  children = [];
  rmSync(dir, { recursive: true, force: true });
});

function holder(name: string): Child {
  const child = startChild("./hold-lock.ts", [dir, name]);
  children.push(child);
  return child;
}

describe("locks", () => {
  test("a name is held once, other names are free, and a release frees it", async () => {
    const locks = createLocks(dir);
    const first = await locks.acquire("dispatcher");
    expect(first?.name).toBe("dispatcher");
    expect(await locks.acquire("dispatcher")).toBeNull();
    expect(await createLocks(dir).acquire("dispatcher")).toBeNull();
    const other = await locks.acquire("other");
    expect(other).not.toBeNull();
    await first?.release();
    await first?.release();
    const again = await locks.acquire("dispatcher");
    expect(again).not.toBeNull();
    await again?.release();
    await other?.release();
  });

  test("D04: a second process is refused while the first lives, is stopped, and goes on; kill -9 frees at once", async () => {
    const locks = createLocks(dir);
    const first = holder("dispatcher");
    expect(await first.next()).toBe("held");
    expect(await locks.acquire("dispatcher")).toBeNull();
    expect(await holder("dispatcher").next()).toBe("refused");
    first.kill("SIGSTOP");
    expect(await locks.acquire("dispatcher")).toBeNull();
    expect(await holder("dispatcher").next()).toBe("refused");
    first.kill("SIGCONT");
    expect(await locks.acquire("dispatcher")).toBeNull();
    await first.end();
    const mine = await locks.acquire("dispatcher");
    expect(mine).not.toBeNull();
    await mine?.release();
  });

  test("D04: of eight processes at once exactly one gets it", async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => holder("race").next()));
    expect(answers.filter((answer) => answer === "held")).toHaveLength(1);
  });

  test.each(["", "A", "../up", "a/b", ".hidden", "a b", "x".repeat(122), "nul\0"])(
    "the name %j is refused",
    async (name) => {
      await expect(createLocks(dir).acquire(name)).rejects.toMatchObject({
        code: "LOOP_E_LOCK_NAME",
      });
    },
  );

  test("a folder that cannot be made is an error, not a held lock", async () => {
    const file = join(dir, "..", "file");
    writeFileSync(file, "");
    await expect(createLocks(join(file, "locks")).acquire("a")).rejects.toMatchObject({
      code: "LOOP_E_LOCK_UNWRITABLE",
      hint: expect.any(String),
    });
    rmSync(file);
  });
});
