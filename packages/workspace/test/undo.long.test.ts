import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createWorkspace } from "../src/index.ts";
import { plantBase, portrait } from "./dirt.ts";
import { createScratch, requestFor, type Scratch } from "./scratch.ts";

let scratch: Scratch;
beforeEach(() => void (scratch = createScratch()));
afterEach(() => scratch.stop());

const workItem = requestFor({ cloneUrl: "" }).workItem;

async function checkout(strategy: "worktree" | "clone" = "worktree", more = {}): Promise<string> {
  const made = await createWorkspace({ ...scratch.options, strategy }).prepare(
    requestFor(scratch, 7, more),
  );
  if (made.kind !== "ready") throw new Error(`${made.code}: ${made.detail}`);
  return made.workdir;
}

async function released(): Promise<string> {
  const result = await scratch.workspace.release(workItem);
  if (result.kind !== "released" || result.salvage === null)
    throw new Error(JSON.stringify(result));
  return result.salvage;
}

describe("undo-cleanup", () => {
  test("brings back an unfinished rebase, with the branch that it is about", async () => {
    const workdir = await checkout();
    scratch.git(workdir, "switch", "-q", "-c", "issue-7");
    for (const text of ["one", "two"]) {
      writeFileSync(join(workdir, "README.md"), `${text}\n`);
      scratch.git(workdir, "commit", "-q", "-a", "-m", text);
    }
    scratch.commit({ "README.md": "theirs\n" });
    scratch.git(workdir, "fetch", "-q");
    expect(() => scratch.git(workdir, "rebase", "-q", "origin/main")).toThrow();
    const before = portrait(workdir, scratch);
    await released();
    expect(await scratch.workspace.undoCleanup(workItem)).toMatchObject({ kind: "restored" });
    expect(portrait(workdir, scratch)).toEqual(before);
    scratch.git(workdir, "rebase", "--abort");
    expect(readFileSync(join(workdir, "README.md"), "utf8")).toBe("two\n");
    expect(scratch.git(workdir, "branch", "--show-current")).toBe("issue-7");
  });

  test("makes a clone of its own again, with branches and the stash", async () => {
    plantBase(scratch);
    const workdir = await checkout("clone");
    scratch.git(workdir, "switch", "-q", "-c", "aside");
    writeFileSync(join(workdir, "dir/a.txt"), "aside\n");
    scratch.git(workdir, "commit", "-q", "-a", "-m", "aside");
    const aside = scratch.git(workdir, "rev-parse", "HEAD");
    writeFileSync(join(workdir, "dir/a.txt"), "stashed\n");
    scratch.git(workdir, "stash", "-q");
    scratch.git(workdir, "switch", "-q", "-c", "issue-7", "origin/main");
    writeFileSync(join(workdir, "new.txt"), "new\n");
    const before = portrait(workdir, scratch);
    await released();
    expect(existsSync(workdir)).toBe(false);
    expect(await scratch.workspace.undoCleanup(workItem)).toEqual({
      kind: "restored",
      checkouts: [workdir],
      notes: [],
    });
    expect(portrait(workdir, scratch)).toEqual(before);
    expect(scratch.git(workdir, "rev-parse", "aside")).toBe(aside);
    expect(scratch.git(workdir, "show", "stash@{0}:dir/a.txt")).toBe("stashed");
  });

  test("a branch that went on meanwhile stays where it is; the checkout is detached, with a note", async () => {
    const workdir = await checkout();
    scratch.git(workdir, "switch", "-q", "-c", "issue-7");
    writeFileSync(join(workdir, "new.txt"), "new\n");
    await released();
    const other = scratch.git(scratch.clone, "commit-tree", "HEAD^{tree}", "-m", "other");
    scratch.git(scratch.clone, "update-ref", "refs/heads/issue-7", other);
    expect(await scratch.workspace.undoCleanup(workItem)).toMatchObject({
      kind: "restored",
      notes: [expect.stringContaining("issue-7 is at another commit")],
    });
    expect(scratch.git(workdir, "branch", "--show-current")).toBe("");
    expect(scratch.git(scratch.clone, "rev-parse", "issue-7")).toBe(other);
  });

  test("W10: a head of a stranger comes back with the base's agent configuration, and with what the session changed in it", async () => {
    scratch.commit({ "CLAUDE.md": "base\n", "AGENTS.md": "base\n" });
    scratch.commit({ "CLAUDE.md": "evil\n", ".mcp.json": "evil\n" }, "patch");
    const workdir = await checkout("worktree", {
      headBranch: "patch",
      restoreFrom: { branch: "main" },
    });
    writeFileSync(join(workdir, "AGENTS.md"), "session\n");
    await released();
    expect(await scratch.workspace.undoCleanup(workItem)).toMatchObject({ kind: "restored" });
    expect(
      ["CLAUDE.md", "AGENTS.md"].map((path) => readFileSync(join(workdir, path), "utf8")),
    ).toEqual(["base\n", "session\n"]);
    expect(existsSync(join(workdir, ".mcp.json"))).toBe(false);
  });

  test("what does not come back as it was is taken away again, and what is saved stays", async () => {
    const workdir = await checkout();
    writeFileSync(join(workdir, "a.txt\n"), "a\n");
    const folder = await released();
    const raw = readFileSync(join(folder, "raw"), "utf8");
    writeFileSync(join(folder, "raw"), "");
    expect(await scratch.workspace.undoCleanup(workItem)).toMatchObject({
      kind: "failed",
      code: "LOOP_E_WORKSPACE_UNDO",
      detail: expect.stringContaining("a.txt\\u{a}."),
    });
    expect(existsSync(workdir)).toBe(false);
    expect(readdirSync(join(scratch.folder, "state/checkouts"))).toEqual([]);
    writeFileSync(join(folder, "raw"), raw);
    expect(await scratch.workspace.undoCleanup(workItem)).toMatchObject({ kind: "restored" });
  });

  test("a try that was killed half-way is begun anew, and until then the checkout is not handed out as it is", async () => {
    const workdir = await checkout();
    writeFileSync(join(workdir, "a.txt"), "a\n");
    await released();
    const record = join(scratch.clone, ".git/worktrees/maria+garden+7");
    scratch.git(scratch.clone, "worktree", "add", "-q", "--detach", workdir, "origin/main");
    writeFileSync(join(record, "loop-unwritten"), "");
    expect(await scratch.workspace.undoCleanup(workItem)).toMatchObject({ kind: "restored" });
    expect(readFileSync(join(workdir, "a.txt"), "utf8")).toBe("a\n");
    expect(existsSync(join(record, "loop-unwritten"))).toBe(false);
  });

  test("a link to a submodule that was moved in the index is all that changed, and comes back", async () => {
    plantBase(scratch);
    const workdir = await checkout();
    scratch.git(
      workdir,
      "update-index",
      "--cacheinfo",
      `160000,${scratch.git(workdir, "rev-parse", "HEAD")},module`,
    );
    const before = portrait(workdir, scratch);
    await released();
    expect(await scratch.workspace.undoCleanup(workItem)).toMatchObject({ kind: "restored" });
    expect(portrait(workdir, scratch)).toEqual(before);
  });

  test.each(["worktree", "clone"] as const)(
    "a branch that is gone from the remote takes nothing with it (%s)",
    async (strategy) => {
      scratch.commit({ "patch.txt": "theirs\n" }, "patch");
      const workdir = await checkout(strategy, { headBranch: "patch" });
      writeFileSync(join(workdir, "patch.txt"), "changed\n");
      await released();
      const remote = join(scratch.remotes, "garden.git");
      scratch.git(remote, "branch", "-q", "-D", "patch");
      scratch.git(remote, "gc", "-q", "--prune=now");
      rmSync(scratch.clone, { recursive: true, force: true });
      expect(await scratch.workspace.undoCleanup(workItem)).toMatchObject({ kind: "restored" });
      expect(readFileSync(join(workdir, "patch.txt"), "utf8")).toBe("changed\n");
    },
  );

  test("works without the remote where the shared clone stands", async () => {
    const workdir = await checkout();
    writeFileSync(join(workdir, "a.txt"), "a\n");
    await released();
    rmSync(scratch.remotes, { recursive: true });
    expect(await scratch.workspace.undoCleanup(workItem)).toMatchObject({ kind: "restored" });
  });

  test("files in the folder of a submodule that is not there keep the checkout: git would not see them go", async () => {
    plantBase(scratch);
    const workdir = await checkout();
    mkdirSync(join(workdir, "module"), { recursive: true });
    writeFileSync(join(workdir, "module/file.txt"), "x");
    expect(await scratch.workspace.release(workItem)).toMatchObject({
      kind: "kept",
      why: expect.stringContaining("submodule"),
    });
  });
});

describe("routing.workspace.salvageDays", () => {
  test("what is older goes, at the next release or when asked; folders of others stay", async () => {
    const day = 86_400_000;
    let now = Date.now();
    const workspace = createWorkspace({ ...scratch.options, salvageDays: 3, now: () => now });
    const workdir = await checkout();
    writeFileSync(join(workdir, "a.txt"), "a\n");
    const result = await workspace.release(workItem);
    const folder = result.kind === "released" ? (result.salvage ?? "") : "";
    const stranger = join(scratch.folder, "state/salvage/mine");
    mkdirSync(stranger);
    utimesSync(stranger, new Date(0), new Date(0));
    now += 3 * day - 1000;
    expect(await workspace.forgetSaved()).toEqual([]);
    now += 2000;
    expect(await workspace.forgetSaved()).toEqual([folder]);
    expect(existsSync(folder)).toBe(false);
    expect(existsSync(stranger)).toBe(true);
    expect(await workspace.undoCleanup(workItem)).toEqual({ kind: "nothing" });
  });
});
