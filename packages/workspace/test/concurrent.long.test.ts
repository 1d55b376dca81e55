import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createWorkspace } from "../src/index.ts";
import { createWithRepository } from "../src/repository-lock.ts";
import { createScratch, createTestLocks, requestFor, type Scratch } from "./scratch.ts";

let scratch: Scratch;
beforeEach(() => void (scratch = createScratch()));
afterEach(() => scratch.stop());

const admin = (number: number): string =>
  join(scratch.clone, ".git/worktrees", `maria+garden+${number}`);

async function ready(number: number): Promise<string> {
  const made = await scratch.workspace.prepare(requestFor(scratch, number));
  if (made.kind !== "ready") throw new Error(`${made.code}: ${made.detail}`);
  return made.workdir;
}

describe("W13: many at once", () => {
  test("eight work items of one repository, and one of them twice, all get a whole checkout", async () => {
    const made = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8, 8].map(ready));
    expect(new Set(made).size).toBe(8);
    for (const workdir of made) expect(scratch.git(workdir, "status", "--porcelain")).toBe("");
  });

  test("two repositories of one work item at once: both checkouts are on record, and both are released", async () => {
    scratch.git(
      scratch.folder,
      "clone",
      "-q",
      "--bare",
      join(scratch.remotes, "garden.git"),
      join(scratch.remotes, "shed.git"),
    );
    const [garden, other] = [
      requestFor(scratch, 7),
      requestFor({ cloneUrl: `file://${scratch.remotes}/shed.git` }, 7),
    ];
    const shed = { ...other, repository: { ...other.repository, name: "shed" } };
    for (let round = 0; round < 3; round += 1) {
      expect(
        await Promise.all([
          scratch.workspace.prepare(garden),
          createWorkspace(scratch.options).prepare(shed),
        ]),
      ).toMatchObject([{ kind: "ready" }, { kind: "ready" }]);
      const released = await scratch.workspace.release(garden.workItem);
      expect(released.kind === "released" ? released.removed : released).toHaveLength(2);
    }
  });

  test("one at a time per repository, in the order of asking, and other repositories do not wait", async () => {
    const withRepository = createWithRepository(createTestLocks());
    const place = (repo: string) => ({ host: "h.org", owner: "o", repo });
    const log: string[] = [];
    const work = (name: string, ms: number) => async (): Promise<void> => {
      log.push(`${name} begins`);
      await sleep(ms);
      log.push(`${name} ends`);
    };
    await Promise.all([
      withRepository(place("a"), work("a1", 30)),
      withRepository(place("a"), work("a2", 1)),
      withRepository(place("b"), work("b", 10)),
    ]);
    expect(log).toEqual(["a1 begins", "b begins", "b ends", "a1 ends", "a2 begins", "a2 ends"]);
  });

  test("a lock that another process never gives back ends in a refusal with a code; ours is given back after a failure", async () => {
    const locks = createTestLocks();
    const withRepository = createWithRepository(locks, 60);
    const place = { host: "h.org", owner: "o", repo: "r" };
    await expect(withRepository(place, () => Promise.reject(new Error("bug")))).rejects.toThrow(
      "bug",
    );
    expect(locks.held.size).toBe(0);
    const held = await Promise.all([...Array(1)].map(() => locks.acquire("repository-x")));
    expect(held[0]).not.toBeNull();
    const stubborn = createWithRepository({ acquire: () => Promise.resolve(null) }, 60);
    await expect(stubborn(place, () => Promise.resolve())).rejects.toMatchObject({
      code: "LOOP_E_WORKSPACE_BUSY",
    });
  });
});

describe("W13: what a killed git left", () => {
  test("lock files of the clone and of the checkout are removed with a note, and the work goes on", async () => {
    await ready(1);
    const left = [
      join(scratch.clone, ".git/index.lock"),
      join(scratch.clone, ".git/refs/remotes/origin/main.lock"),
      join(scratch.clone, ".git/config.lock"),
    ];
    scratch.commit({ "new.txt": "later\n" });
    for (const lock of left.slice(0, 2)) writeFileSync(lock, "");
    const second = await ready(2);
    expect(existsSync(join(second, "new.txt"))).toBe(true);
    expect(left.slice(0, 2).map((lock) => existsSync(lock))).toEqual([false, false]);
    writeFileSync(join(admin(2), "index.lock"), "");
    await ready(2);
    expect(existsSync(join(admin(2), "index.lock"))).toBe(false);
    expect(scratch.notes.filter((note) => note.includes("killed git"))).toHaveLength(3);
  });

  test("a lock file stays while a git works there", async () => {
    const workdir = await ready(1);
    const lock = join(admin(1), "index.lock");
    writeFileSync(lock, "");
    const living = spawn("git", ["cat-file", "--batch"], {
      cwd: workdir,
      stdio: ["pipe", "ignore", "ignore"],
    });
    try {
      await sleep(100);
      await ready(1);
      expect(existsSync(lock)).toBe(true);
    } finally {
      living.stdin.end();
      await new Promise((resolve) => living.on("close", resolve));
    }
    await ready(1);
    expect(existsSync(lock)).toBe(false);
  });

  test("a lock that all work trees share stays while a git works in any of them", async () => {
    const elsewhere = await ready(1);
    scratch.commit({ "a.txt": "a\n" }, "gone");
    await ready(2);
    scratch.git(join(scratch.remotes, "garden.git"), "branch", "-D", "gone");
    scratch.git(elsewhere, "branch", "own");
    scratch.git(elsewhere, "pack-refs", "--all");
    const living = spawn("git", ["update-ref", "--stdin"], {
      cwd: elsewhere,
      env: scratch.env,
      stdio: ["pipe", "pipe", "ignore"],
    });
    living.stdin.write("start\ndelete refs/heads/own\nprepare\n");
    await until(() => existsSync(join(scratch.clone, ".git/packed-refs.lock")));
    const made = scratch.workspace.prepare(requestFor(scratch, 3));
    // It waits for the lock, which the note about its removal would end.
    const first = await Promise.race([
      made.then(() => "made"),
      waitedFor(join(scratch.clone, ".git/packed-refs.lock")),
    ]);
    living.stdin.end("commit\n");
    await new Promise((resolve) => living.on("close", resolve));
    expect([
      first,
      (await made).kind,
      scratch.notes.filter((note) => note.includes("killed git")),
    ]).toEqual(["waits", "ready", []]);
    expect(
      scratch.git(scratch.clone, "for-each-ref", "refs/heads/own", "refs/remotes/origin/gone"),
    ).toBe("");
  });

  test("a lock in the clone's configuration does not stop the cleaning", async () => {
    await ready(1);
    scratch.git(scratch.clone, "config", "filter.x.smudge", scratch.trap);
    writeFileSync(join(scratch.clone, ".git/config.lock"), "");
    await ready(2);
    expect(readFileSync(join(scratch.clone, ".git/config"), "utf8")).not.toContain("trap.sh");
  });
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(20);
}

/**
 * Once git has complained of the lock, which it does after a second of its own, and ours has looked
 * at it a few times.
 */
async function waitedFor(lock: string): Promise<string> {
  for (let looks = 0; looks < 60; looks += 1) {
    if (!existsSync(lock)) return "removed";
    await sleep(50);
  }
  return "waits";
}

describe("what a killed daemon left is finished by the next", () => {
  test("a clone whose first fetch never ended", async () => {
    await ready(1);
    rmSync(join(scratch.clone, ".git/loop-fetched"));
    rmSync(join(scratch.clone, ".git/refs/remotes"), { recursive: true });
    expect(existsSync(join(await ready(2), "README.md"))).toBe(true);
  });

  test("a registered worktree whose files were never all written", async () => {
    const workdir = await ready(1);
    rmSync(join(admin(1), "index"));
    writeFileSync(join(admin(1), "loop-unwritten"), "");
    rmSync(join(workdir, "README.md"));
    writeFileSync(join(admin(1), "index.lock"), "half");
    expect(existsSync(join(await ready(1), "README.md"))).toBe(true);
  });

  test("a release that was killed after the files went: the record is closed by the next one", async () => {
    const workdir = await ready(1);
    rmSync(workdir, { recursive: true });
    expect(readdirSync(join(scratch.folder, "state/checkouts"))).toHaveLength(1);
    const again = createWorkspace(scratch.options);
    expect(await again.release(requestFor(scratch, 1).workItem)).toMatchObject({
      kind: "released",
    });
    expect(readdirSync(join(scratch.folder, "state/checkouts"))).toEqual([]);
    expect(existsSync(admin(1))).toBe(false);
  });
});

test("a lock file that is older than anything alive could be is told by its age where processes cannot be seen", async () => {
  const { removeStaleLock } = await import("../src/stale-lock.ts");
  const lock = join(scratch.folder, "some.lock");
  writeFileSync(lock, "");
  utimesSync(lock, new Date(0), new Date(0));
  expect(await removeStaleLock(lock, [scratch.folder], Date.now())).toBe(true);
  expect(await removeStaleLock(lock, [scratch.folder], Date.now())).toBe(false);
});
