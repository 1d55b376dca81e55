import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createWorkspace } from "../src/index.ts";
import { createScratch, requestFor, type Scratch } from "./scratch.ts";

let scratch: Scratch;
beforeEach(() => void (scratch = createScratch()));
afterEach(() => scratch.stop());

const workItem = requestFor({ cloneUrl: "" }).workItem;

async function checkout(number = 7): Promise<string> {
  const made = await scratch.workspace.prepare(requestFor(scratch, number));
  if (made.kind !== "ready") throw new Error(`${made.code}: ${made.detail}`);
  return made.workdir;
}

/**
 * A clone of the shared clone with the saved work in it: what somebody would do who wants it back.
 */
function unpacked(salvage: string | null): string {
  if (salvage === null) throw new Error("nothing was saved");
  const target = join(scratch.folder, "unpacked");
  scratch.git(scratch.folder, "clone", "-q", `file://${scratch.remotes}/garden.git`, target);
  scratch.git(
    target,
    "fetch",
    "-q",
    join(salvage, "work.bundle"),
    "+refs/salvage/*:refs/salvage/*",
  );
  return target;
}

async function released() {
  const result = await scratch.workspace.release(workItem);
  if (result.kind !== "released") throw new Error(JSON.stringify(result));
  return result;
}

describe("release", () => {
  test("removes a checkout that holds nothing of its own, and keeps the shared clone", async () => {
    const workdir = await checkout();
    expect(await released()).toEqual({ kind: "released", removed: [workdir], salvage: null });
    expect(existsSync(workdir)).toBe(false);
    expect(existsSync(join(scratch.clone, "README.md"))).toBe(true);
    expect(scratch.git(scratch.clone, "worktree", "list")).not.toContain("garden+7");
    expect(await scratch.workspace.release(workItem)).toEqual({ kind: "nothing" });
    expect(await checkout()).toBe(workdir);
  });

  test("saves files that were changed, added, staged and removed, byte for byte, and says what it does not save", async () => {
    scratch.commit({
      ".gitattributes": "*.txt text eol=lf\n",
      ".gitignore": "ignored/\n",
      "gone.txt": "x\n",
      "staged.txt": "one\n",
    });
    const workdir = await checkout();
    const bytes = Buffer.from([0, 13, 10, 255, 254, 10, 13]);
    writeFileSync(join(workdir, "mixed.txt"), "a\r\nb\nc\r\n");
    writeFileSync(join(workdir, "binary.bin"), bytes);
    writeFileSync(join(workdir, "run.sh"), "#!/bin/sh\n", { mode: 0o755 });
    writeFileSync(join(workdir, "staged.txt"), "two\n");
    scratch.git(workdir, "add", "staged.txt");
    writeFileSync(join(workdir, "staged.txt"), "three\n");
    rmSync(join(workdir, "gone.txt"));
    symlinkSync("/etc/passwd", join(workdir, "link"));
    mkdirSync(join(workdir, "ignored"));
    writeFileSync(join(workdir, "ignored", "cache"), "x");
    const { salvage } = await released();
    const back = unpacked(salvage);
    scratch.git(
      back,
      "-c",
      "core.attributesFile=/dev/null",
      "checkout",
      "-q",
      "--detach",
      "refs/salvage/work",
    );
    const blob = (path: string, of = "work"): string =>
      scratch.git(back, "cat-file", "blob", `refs/salvage/${of}:${path}`);
    expect(scratch.git(back, "cat-file", "-s", "refs/salvage/work:mixed.txt")).toBe("8");
    expect(readFileSync(join(back, "binary.bin"))).toEqual(bytes);
    expect([blob("staged.txt"), blob("staged.txt", "index")]).toEqual(["three", "two"]);
    expect(
      scratch
        .git(back, "ls-tree", "refs/salvage/work", "run.sh", "link")
        .split("\n")
        .map((line) => line.slice(0, 6)),
    ).toEqual(["120000", "100755"]);
    expect(
      scratch.git(back, "ls-tree", "--name-only", "refs/salvage/work").split("\n"),
    ).not.toContain("gone.txt");
    expect(scratch.git(back, "ls-tree", "-r", "--name-only", "refs/salvage/work")).not.toContain(
      "ignored/",
    );
    const record: unknown = JSON.parse(readFileSync(join(salvage ?? "", "salvage.json"), "utf8"));
    expect(record).toMatchObject({
      workItem: "host:maria/garden#7",
      registered: { checkout: workdir },
      ignoredFiles: "not saved",
    });
    expect(existsSync(join(salvage ?? "", "index"))).toBe(true);
  });

  test("saves commits that are on no remote: on a branch, on none, and those a reset left behind", async () => {
    const workdir = await checkout();
    const commit = (text: string): string => {
      writeFileSync(join(workdir, "work.txt"), text);
      scratch.git(workdir, "add", "-A");
      scratch.git(workdir, "commit", "-q", "-m", text);
      return scratch.git(workdir, "rev-parse", "HEAD");
    };
    const detached = commit("detached");
    scratch.git(workdir, "switch", "-q", "-c", "issue-7", "refs/remotes/origin/main");
    const branched = commit("branched");
    const dropped = commit("dropped");
    scratch.git(workdir, "reset", "-q", "--hard", branched);
    const back = unpacked((await released()).salvage);
    for (const id of [detached, branched, dropped])
      expect(scratch.git(back, "cat-file", "-t", id)).toBe("commit");
  });

  test("commits that were pushed need no saving", async () => {
    const workdir = await checkout();
    scratch.git(workdir, "switch", "-q", "-c", "issue-7");
    writeFileSync(join(workdir, "work.txt"), "pushed\n");
    scratch.git(workdir, "add", "-A");
    scratch.git(workdir, "commit", "-q", "-m", "pushed");
    scratch.git(workdir, "push", "-q", "origin", "HEAD");
    expect((await released()).salvage).toBeNull();
  });

  test("saves both sides of a conflict that nobody resolved", async () => {
    const workdir = await checkout();
    scratch.git(workdir, "switch", "-q", "-c", "mine");
    writeFileSync(join(workdir, "README.md"), "mine\n");
    scratch.git(workdir, "commit", "-q", "-a", "-m", "mine");
    scratch.commit({ "README.md": "theirs\n" });
    scratch.git(workdir, "fetch", "-q");
    expect(() => scratch.git(workdir, "merge", "-q", "origin/main")).toThrow();
    const back = unpacked((await released()).salvage);
    const conflict = scratch.git(back, "cat-file", "blob", "refs/salvage/work:README.md");
    expect(conflict).toContain("<<<<<<<");
    for (const text of ["mine", "theirs"]) {
      const id = scratch.git(
        back,
        "rev-parse",
        `refs/salvage/index:${scratch.git(scratch.folder, "hash-object", writeAside(`${text}\n`))}`,
      );
      expect(scratch.git(back, "cat-file", "blob", id)).toBe(text);
    }
  });

  test("a pipe in what a rebase left is not saved, and keeps nothing in place", async () => {
    const workdir = await checkout();
    writeFileSync(join(workdir, "new.txt"), "new\n");
    const record = scratch.git(workdir, "rev-parse", "--absolute-git-dir");
    scratch.write(record, { "rebase-merge/done": "pick\n" });
    symlinkSync("/etc/passwd", join(record, "rebase-merge/link"));
    for (const pipe of ["rebase-merge/p", "MERGE_RR"]) execFileSync("mkfifo", [join(record, pipe)]);
    const { salvage } = await released();
    const state = join(salvage ?? "", "state");
    expect(readdirSync(state)).toEqual(expect.arrayContaining(["rebase-merge"]));
    expect(readdirSync(state)).not.toContain("MERGE_RR");
    expect(readdirSync(join(state, "rebase-merge")).toSorted()).toEqual(["done", "link"]);
    expect(readFileSync(join(state, "rebase-merge/done"), "utf8")).toBe("pick\n");
    expect(lstatSync(join(state, "rebase-merge/link")).isSymbolicLink()).toBe(true);
  });

  test("what cannot be saved keeps everything in place", async () => {
    const workdir = await checkout();
    writeFileSync(join(workdir, "work.txt"), "unsaved\n");
    mkdirSync(join(scratch.folder, "state"), { recursive: true });
    writeFileSync(join(scratch.folder, "state", "salvage"), "a file where a folder must be");
    expect(await scratch.workspace.release(workItem)).toMatchObject({
      kind: "kept",
      why: expect.stringContaining(workdir),
    });
    expect(readFileSync(join(workdir, "work.txt"), "utf8")).toBe("unsaved\n");
    rmSync(join(scratch.folder, "state", "salvage"));
    expect((await released()).salvage).not.toBeNull();
  });

  test("W12: a repository inside with work of its own keeps the checkout; without any it goes", async () => {
    const workdir = await checkout();
    const inner = join(workdir, "vendor");
    scratch.git(workdir, "clone", "-q", `file://${scratch.remotes}/garden.git`, inner);
    writeFileSync(join(inner, "new.txt"), "new\n");
    expect(await scratch.workspace.release(workItem)).toMatchObject({
      kind: "kept",
      why: expect.stringContaining("vendor"),
    });
    rmSync(join(inner, "new.txt"));
    expect(await scratch.workspace.release(workItem)).toMatchObject({ kind: "released" });
    expect(existsSync(workdir)).toBe(false);
  });

  test.each([
    [
      "a file that the user's own configuration keeps out of git's status",
      (inner: string) => writeFileSync(join(inner, "new.txt"), "new\n"),
    ],
    [
      "a changed file that git was told not to look at",
      (inner: string) => {
        writeFileSync(join(inner, "README.md"), "changed\n");
        scratch.git(inner, "update-index", "--assume-unchanged", "README.md");
      },
    ],
    [
      "a changed file that git was told to leave out",
      (inner: string) => {
        writeFileSync(join(inner, "README.md"), "changed\n");
        scratch.git(inner, "update-index", "--skip-worktree", "README.md");
      },
    ],
    [
      "a commit that a reset left behind",
      (inner: string) => {
        scratch.git(inner, "commit", "-q", "--allow-empty", "-m", "own");
        scratch.git(inner, "reset", "-q", "--hard", "HEAD~1");
      },
    ],
  ])("W12: a repository inside with %s keeps the checkout", async (_what, plant) => {
    writeFileSync(join(scratch.home, ".gitconfig"), "[status]\n\tshowUntrackedFiles = no\n");
    const workdir = await checkout();
    const inner = join(workdir, "vendor");
    scratch.git(workdir, "clone", "-q", `file://${scratch.remotes}/garden.git`, inner);
    plant(inner);
    expect(await scratch.workspace.release(workItem)).toMatchObject({
      kind: "kept",
      why: expect.stringContaining("vendor"),
    });
    expect(existsSync(inner)).toBe(true);
  });

  test("keepCheckoutOnClose keeps it when the item closes, and cleanup removes it all the same", async () => {
    const workdir = await checkout();
    const keeping = createWorkspace({ ...scratch.options, keepCheckoutOnClose: true });
    expect(await keeping.release(workItem, "closed")).toEqual({ kind: "nothing" });
    expect(existsSync(workdir)).toBe(true);
    expect(await keeping.release(workItem, "cleaned-up")).toMatchObject({ kind: "released" });
    expect(existsSync(workdir)).toBe(false);
  });

  test("a checkout of a pull request's repository is released with its work item", async () => {
    scratch.git(
      scratch.folder,
      "clone",
      "-q",
      "--bare",
      `file://${scratch.remotes}/garden.git`,
      join(scratch.remotes, "shed.git"),
    );
    const first = await checkout();
    const base = requestFor(scratch);
    const second = await scratch.workspace.prepare({
      ...base,
      repository: {
        ...base.repository,
        name: "shed",
        cloneUrl: `file://${scratch.remotes}/shed.git`,
      },
    });
    const result = await released();
    expect(result.removed).toEqual([first, second.kind === "ready" ? second.workdir : ""]);
  });
});

test("a checkout whose record was lost with the state root is put on record again", async () => {
  const workdir = await checkout();
  rmSync(join(scratch.folder, "state"), { recursive: true });
  expect(await scratch.workspace.release(workItem)).toEqual({ kind: "nothing" });
  expect(await checkout()).toBe(workdir);
  expect((await released()).removed).toEqual([workdir]);
});

describe("only what is on record is removed", () => {
  test("W12: a folder that nobody registered, and one that was put in a checkout's place, stay", async () => {
    const workdir = await checkout();
    const beside = join(workdir, "..", "maria+garden+99");
    mkdirSync(beside);
    expect(await scratch.workspace.release({ ...workItem, number: 99 })).toEqual({
      kind: "nothing",
    });
    expect(existsSync(beside)).toBe(true);
    rmSync(workdir, { recursive: true });
    mkdirSync(workdir);
    writeFileSync(join(workdir, "mine.txt"), "mine\n");
    expect(await scratch.workspace.release(workItem)).toMatchObject({ kind: "kept" });
    expect(existsSync(join(workdir, "mine.txt"))).toBe(true);
  });

  test("W09: links in a checkout are removed as links; what they lead to stays", async () => {
    const workdir = await checkout();
    const outside = join(scratch.folder, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "precious.txt"), "x");
    symlinkSync(outside, join(workdir, "up"));
    symlinkSync(join(outside, "precious.txt"), join(workdir, "file"));
    await released();
    expect(readdirSync(outside)).toEqual(["precious.txt"]);
  });

  test("W09: a checkout that was replaced by a link, or whose folder was, is not followed", async () => {
    const workdir = await checkout();
    const moved = join(scratch.folder, "moved");
    scratch.git(scratch.folder, "clone", "-q", `file://${scratch.remotes}/garden.git`, moved);
    rmSync(workdir, { recursive: true });
    symlinkSync(moved, workdir);
    expect(await scratch.workspace.release(workItem)).toMatchObject({
      kind: "kept",
      why: expect.stringContaining("symbolic link"),
    });
    expect(existsSync(join(moved, "README.md"))).toBe(true);
    expect(lstatSync(workdir).isSymbolicLink()).toBe(true);
  });

  test("a record that names another place removes nothing", async () => {
    const workdir = await checkout();
    const file = join(scratch.folder, "state/checkouts/maria+garden+7.json");
    writeFileSync(file, readFileSync(file, "utf8").replace(workdir, scratch.source));
    expect(await scratch.workspace.release(workItem)).toMatchObject({ kind: "kept" });
    expect(existsSync(join(scratch.source, "README.md"))).toBe(true);
  });

  test("a folder that somebody removed by hand is forgotten, and can be made again", async () => {
    const workdir = await checkout();
    rmSync(workdir, { recursive: true });
    expect(await released()).toEqual({ kind: "released", removed: [workdir], salvage: null });
    expect(await checkout()).toBe(workdir);
    rmSync(workdir, { recursive: true });
    expect(await checkout()).toBe(workdir);
  });

  test("folders that were made read-only are removed with the rest", async () => {
    const workdir = await checkout();
    mkdirSync(join(workdir, "cache"));
    writeFileSync(join(workdir, "cache", "module"), "x");
    chmodSync(join(workdir, "cache"), 0o555);
    await released();
    expect(readdirSync(join(scratch.folder, "root/.worktrees/.trash"))).toEqual([]);
  });
});

function writeAside(text: string): string {
  const file = join(scratch.folder, "aside");
  writeFileSync(file, text);
  return file;
}
