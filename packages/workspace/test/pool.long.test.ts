import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createWorkspace } from "../src/index.ts";
import { makeDirty, plantBase, portrait, seeded } from "./dirt.ts";
import { createScratch, requestFor, type Scratch } from "./scratch.ts";

let scratch: Scratch;
beforeEach(() => void (scratch = createScratch()));
afterEach(() => scratch.stop());

const pooling = (most = 2) => createWorkspace({ ...scratch.options, pool: most });
const poolFolder = (): string =>
  join(scratch.folder, "root/.worktrees/example.org/maria/garden/.pool");
const slots = (): readonly string[] => (existsSync(poolFolder()) ? readdirSync(poolFolder()) : []);

async function prepared(number: number, more = {}, workspace = pooling()) {
  const made = await workspace.prepare(requestFor(scratch, number, more));
  if (made.kind !== "ready") throw new Error(`${made.code}: ${made.detail}`);
  return made;
}

async function released(number: number, workspace = pooling()) {
  const result = await workspace.release(requestFor(scratch, number).workItem);
  if (result.kind !== "released") throw new Error(JSON.stringify(result));
  return result;
}

describe("routing.workspace.pool", () => {
  test("off by default: a released worktree is removed", async () => {
    await prepared(7, {}, scratch.workspace);
    await released(7, scratch.workspace);
    expect(slots()).toEqual([]);
  });

  test("a released worktree serves the next work item, moved to its commit", async () => {
    await prepared(7);
    await released(7);
    expect(slots()).toHaveLength(1);
    const newest = scratch.commit({ "new.txt": "later\n", "src/gate.txt": "open\n" });
    const { workdir, head, created } = await prepared(8);
    expect(slots()).toEqual([]);
    expect([head, created]).toEqual([newest, true]);
    expect(workdir).toContain("maria+garden+8");
    expect(scratch.git(workdir, "status", "--porcelain", "--ignored")).toBe("");
    expect(scratch.git(workdir, "branch", "--show-current")).toBe("");
    expect(scratch.git(workdir, "rev-parse", "--show-toplevel")).toBe(workdir);
    expect(scratch.git(scratch.clone, "worktree", "list")).toContain(workdir);
    expect(await released(8)).toMatchObject({ salvage: null });
  });

  test("no file of one work item reaches another: ignored, untracked, programs, folders, links, repositories inside", async () => {
    scratch.commit({ ".gitignore": "node_modules/\n*.log\nbuild\n" });
    const { workdir } = await prepared(7);
    scratch.write(workdir, {
      "node_modules/x/index.js": "secret\n",
      "debug.log": "secret\n",
      "untracked/deep/file.txt": "secret\n",
      "README.md": "changed\n",
      build: "secret\n",
      ".env": "secret\n",
    });
    chmodSync(join(workdir, "build"), 0o755);
    chmodSync(join(workdir, "src/gate.txt"), 0o755);
    mkdirSync(join(workdir, "empty"));
    symlinkSync("/etc/passwd", join(workdir, "link"));
    scratch.git(
      workdir,
      "clone",
      "-q",
      `file://${scratch.remotes}/garden.git`,
      join(workdir, "node_modules/inner"),
    );
    scratch.git(workdir, "add", "untracked");
    await released(7);
    expect(slots()).toHaveLength(1);
    const fresh = await prepared(
      9,
      {},
      createWorkspace({ ...scratch.options, root: join(scratch.folder, "other") }),
    );
    const warm = await prepared(8);
    expect(slots()).toEqual([]);
    expect(portrait(warm.workdir, scratch)).toEqual(portrait(fresh.workdir, scratch));
    expect(scratch.git(warm.workdir, "status", "--porcelain", "--ignored")).toBe("");
    for (const left of ["node_modules", "debug.log", "untracked", "build", ".env", "empty", "link"])
      expect(existsSync(join(warm.workdir, left))).toBe(false);
  });

  test("no word of one work item reaches another: its log, its branch and its half-done merge", async () => {
    const { workdir } = await prepared(7);
    scratch.git(workdir, "switch", "-q", "-c", "issue-7");
    writeFileSync(join(workdir, "work.txt"), "x\n");
    scratch.git(workdir, "add", "-A");
    scratch.git(workdir, "commit", "-q", "-m", "work");
    const own = scratch.git(workdir, "rev-parse", "HEAD");
    scratch.git(workdir, "update-ref", "refs/worktree/mine", own);
    scratch.git(workdir, "update-ref", "ORIG_HEAD", own);
    expect(await released(7)).toMatchObject({ salvage: expect.any(String) });
    const next = await prepared(8);
    expect(scratch.git(next.workdir, "reflog", "--format=%H")).not.toContain(own);
    expect(() =>
      scratch.git(next.workdir, "rev-parse", "--verify", "-q", "refs/worktree/mine"),
    ).toThrow();
    expect(() => scratch.git(next.workdir, "rev-parse", "--verify", "-q", "ORIG_HEAD")).toThrow();
    expect(await released(8)).toMatchObject({ salvage: null });
  });

  test.each([
    [
      "a file that git was told not to look at",
      (dir: string) =>
        void (scratch.git(dir, "update-index", "--assume-unchanged", "README.md"),
        writeFileSync(join(dir, "README.md"), "secret\n")),
    ],
    [
      "a part of the files",
      (dir: string) => void scratch.git(dir, "update-index", "--skip-worktree", "README.md"),
    ],
    ["a folder with other rights", (dir: string) => chmodSync(join(dir, "src"), 0o777)],
    ["other rights to the checkout itself", (dir: string) => chmodSync(dir, 0o777)],
    [
      "settings of its own",
      (dir: string) =>
        void (scratch.git(scratch.clone, "config", "extensions.worktreeConfig", "true"),
        scratch.git(dir, "config", "--worktree", "user.name", "somebody")),
    ],
  ])("%s: the worktree is thrown away instead", async (_, dirty) => {
    const { workdir } = await prepared(7);
    dirty(workdir);
    await released(7);
    expect(slots()).toEqual([]);
    expect(existsSync(workdir)).toBe(false);
    expect(scratch.git(scratch.clone, "worktree", "list").split("\n")).toHaveLength(1);
  });

  test.each([
    ["other rights", (dir: string) => chmodSync(join(dir, "README.md"), 0o606)],
    [
      "another name elsewhere",
      (dir: string) => linkSync(join(dir, "README.md"), join(scratch.folder, "elsewhere")),
    ],
  ])("a file with %s has none in the next work item's checkout", async (_, dirty) => {
    dirty((await prepared(7)).workdir);
    await released(7);
    const { workdir } = await prepared(8);
    const [file, beside] = [
      statSync(join(workdir, "README.md")),
      statSync(join(workdir, "src/gate.txt")),
    ];
    expect([file.mode, file.nlink]).toEqual([beside.mode, 1]);
  });

  test("what a process of the last work item goes on writing does not reach the next", async () => {
    await prepared(7);
    await released(7);
    writeFileSync(join(poolFolder(), slots()[0] ?? "", "server.log"), "still here\n");
    writeFileSync(join(poolFolder(), slots()[0] ?? "", "README.md"), "still here\n");
    const { workdir } = await prepared(8);
    expect(existsSync(join(workdir, "server.log"))).toBe(false);
    expect(scratch.git(workdir, "status", "--porcelain", "--ignored")).toBe("");
  });

  test("never more than asked for, fewer once fewer are asked for", async () => {
    for (const number of [1, 2, 3]) await prepared(number);
    for (const number of [1, 2, 3]) await released(number);
    expect(slots()).toHaveLength(2);
    await prepared(4);
    await prepared(5, {}, scratch.workspace);
    await released(4, pooling(1));
    expect(slots()).toHaveLength(1);
  });

  test("a slot that a killed daemon left half-way is dropped, and a checkout that was taken half-way is finished", async () => {
    await prepared(7);
    await released(7);
    const record = join(
      scratch.clone,
      ".git/worktrees",
      readdirSync(join(scratch.clone, ".git/worktrees"))[0] ?? "",
    );
    rmSync(join(record, "commondir"));
    expect(scratch.git((await prepared(8)).workdir, "status", "--porcelain")).toBe("");
    expect(slots()).toEqual([]);
    await released(8);
    const { workdir } = await prepared(9);
    const mark = join(scratch.git(workdir, "rev-parse", "--absolute-git-dir"), "loop-unwritten");
    writeFileSync(mark, `from the pool: ${scratch.git(workdir, "rev-parse", "HEAD")}\n`);
    writeFileSync(join(workdir, "left.txt"), "x\n");
    expect((await prepared(9)).created).toBe(true);
    expect(existsSync(join(workdir, "left.txt"))).toBe(false);
    expect(existsSync(mark)).toBe(false);
  });

  test("W10: a worktree that was restored from a base is not kept; one from the pool is restored", async () => {
    scratch.commit({ "CLAUDE.md": "base\n", ".mcp.json": "base\n" });
    scratch.commit({ "CLAUDE.md": "evil\n" }, "patch");
    const untrusted = { headBranch: "patch", restoreFrom: { branch: "main" } };
    await prepared(7);
    await released(7);
    const { workdir } = await prepared(8, untrusted);
    expect(slots()).toEqual([]);
    expect(scratch.git(workdir, "ls-files", "-v", "CLAUDE.md")).toBe("S CLAUDE.md");
    await released(8);
    expect(slots()).toEqual([]);
  });
});

test(
  "whatever a session did, the next work item finds what a fresh checkout holds",
  { timeout: 300_000 },
  async () => {
    plantBase(scratch);
    const fresh = await prepared(
      1,
      {},
      createWorkspace({ ...scratch.options, root: join(scratch.folder, "other") }),
    );
    // The stash is the shared clone's own, with warm worktrees and without.
    const seenIn = (workdir: string) => ({ ...portrait(workdir, scratch), stash: "" });
    const expected = seenIn(fresh.workdir);
    for (let seed = 1; seed <= 8; seed++) {
      const { workdir } = await prepared(seed + 1);
      expect(seenIn(workdir)).toEqual(expected);
      makeDirty(workdir, seeded(seed), scratch);
      writeFileSync(join(workdir, `secret-${seed}`), "secret");
      scratch.git(workdir, "switch", "-q", "--detach", "-f");
      await released(seed + 1);
    }
  },
);

test("a checkout out of the pool that is gone, and its record with the state root, is made again", async () => {
  const workspace = createWorkspace({ ...scratch.options, pool: 1 });
  await workspace.prepare(requestFor(scratch, 7));
  await workspace.release(requestFor(scratch, 7).workItem);
  const warm = await workspace.prepare(requestFor(scratch, 8));
  if (warm.kind !== "ready") throw new Error(warm.detail);
  rmSync(warm.workdir, { recursive: true });
  rmSync(join(scratch.folder, "state"), { recursive: true });
  expect(await workspace.prepare(requestFor(scratch, 8))).toMatchObject({
    kind: "ready",
    created: true,
  });
  expect(existsSync(join(warm.workdir, "README.md"))).toBe(true);
});

test("after a warm start the shared clone follows when the worktree comes back", async () => {
  await prepared(7);
  await released(7);
  const newest = scratch.commit({ "new.txt": "later\n" });
  expect((await prepared(8)).head).toBe(newest);
  await released(8);
  expect(scratch.git(scratch.clone, "rev-parse", "main")).toBe(newest);
  expect(scratch.git(scratch.clone, "status", "--porcelain")).toBe("");
});

test("a file that was changed where the worktree was put away is found, also when its size and time are the same", async () => {
  await prepared(7);
  await released(7);
  const file = join(poolFolder(), slots()[0] ?? "", "README.md");
  const { mtime, atime } = statSync(file);
  writeFileSync(file, "# Gardex\n");
  utimesSync(file, atime, mtime);
  const newest = scratch.commit({ "new.txt": "later\n" });
  const { workdir, head } = await prepared(8);
  expect(head).toBe(newest);
  expect(readFileSync(join(workdir, "README.md"), "utf8")).toBe("# Garden\n");
  expect(scratch.git(workdir, "rev-parse", "HEAD")).toBe(newest);
  expect(scratch.git(workdir, "status", "--porcelain", "--ignored")).toBe("");
});
