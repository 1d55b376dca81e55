import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createWorkspace } from "../src/index.ts";
import { formatPlain } from "@loopwork/core/ports";
import { createScratch, requestFor, type Scratch } from "./scratch.ts";

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch();
});
afterEach(() => scratch.stop());

async function prepared(request = requestFor(scratch)) {
  const result = await scratch.workspace.prepare(request);
  if (result.kind !== "ready") throw new Error(`${result.code}: ${result.detail}`);
  return result;
}

describe("a fresh work item", () => {
  test("gets a detached worktree beside a shared clone that stays on the default branch", async () => {
    const result = await prepared();
    expect(result.workdir).toBe(
      join(scratch.folder, "root/.worktrees/example.org/maria/garden/maria+garden+7"),
    );
    expect(result.created).toBe(true);
    expect(result.head).toBe(scratch.git(scratch.source, "rev-parse", "main"));
    expect(readFileSync(join(result.workdir, "src/gate.txt"), "utf8")).toBe("closed\n");
    expect(scratch.git(result.workdir, "branch", "--show-current")).toBe("");
    expect(scratch.git(scratch.clone, "branch", "--show-current")).toBe("main");
    expect(readFileSync(join(scratch.clone, "README.md"), "utf8")).toBe("# Garden\n");
    expect(scratch.git(scratch.clone, "config", "gc.auto")).toBe("0");
    expect(scratch.git(result.workdir, "status", "--porcelain")).toBe("");
  });

  test("is found as it is when it stands already: nothing that a session left there is touched", async () => {
    const first = await prepared();
    writeFileSync(join(first.workdir, "README.md"), "half done\n");
    scratch.commit({ "new.txt": "later\n" });
    const again = await prepared();
    expect(again).toMatchObject({ created: false, workdir: first.workdir, head: first.head });
    expect(readFileSync(join(first.workdir, "README.md"), "utf8")).toBe("half done\n");
  });

  test("a later work item starts from what was pushed since, and the shared clone follows", async () => {
    await prepared();
    const newest = scratch.commit({ "new.txt": "later\n" });
    expect((await prepared(requestFor(scratch, 8))).head).toBe(newest);
    expect(scratch.git(scratch.clone, "rev-parse", "HEAD")).toBe(newest);
    expect(existsSync(join(scratch.clone, "new.txt"))).toBe(true);
  });

  test("somebody's own changes in the shared clone stay, with a note", async () => {
    await prepared();
    writeFileSync(join(scratch.clone, "README.md"), "mine\n");
    scratch.commit({ "README.md": "theirs\n" });
    const result = await prepared(requestFor(scratch, 8));
    expect(readFileSync(join(scratch.clone, "README.md"), "utf8")).toBe("mine\n");
    expect(readFileSync(join(result.workdir, "README.md"), "utf8")).toBe("theirs\n");
    expect(result.notes.map((note) => formatPlain(note)).join()).toContain("left as it is");
  });
});

describe("the shared clone", () => {
  const rewrite = (): void => {
    scratch.git(scratch.source, "reset", "-q", "--hard", "HEAD~1");
    scratch.write(scratch.source, { "rewritten.txt": "new\n" });
    scratch.git(scratch.source, "add", "-A");
    scratch.git(scratch.source, "commit", "-q", "-m", "rewritten");
    scratch.git(
      scratch.source,
      "push",
      "-q",
      "-f",
      join(scratch.remotes, "garden.git"),
      "HEAD:refs/heads/main",
    );
  };

  test("follows a default branch whose history was rewritten", async () => {
    scratch.commit({ "gone.txt": "old\n" });
    await scratch.workspace.prepare(requestFor(scratch, 7));
    rewrite();
    expect(await scratch.workspace.prepare(requestFor(scratch, 8))).toMatchObject({
      kind: "ready",
      notes: [],
    });
    expect([
      existsSync(join(scratch.clone, "rewritten.txt")),
      existsSync(join(scratch.clone, "gone.txt")),
    ]).toEqual([true, false]);
  });

  test("keeps somebody's own commit when the history was rewritten, with a note", async () => {
    scratch.commit({ "gone.txt": "old\n" });
    await scratch.workspace.prepare(requestFor(scratch, 7));
    scratch.git(scratch.clone, "commit", "-q", "--allow-empty", "-m", "own");
    const own = scratch.git(scratch.clone, "rev-parse", "HEAD");
    rewrite();
    const again = await scratch.workspace.prepare(requestFor(scratch, 8));
    expect(again.kind === "ready" && again.notes.map((note) => formatPlain(note))).toEqual([
      expect.stringContaining("left as it is"),
    ]);
    expect(scratch.git(scratch.clone, "rev-parse", "HEAD")).toBe(own);
  });

  test("follows to another default branch, and somebody's own changes there stay", async () => {
    await scratch.workspace.prepare(requestFor(scratch, 7));
    scratch.commit({ "trunk.txt": "new\n" }, "trunk");
    scratch.write(scratch.clone, { "README.md": "somebody's own\n" });
    const request = requestFor(scratch, 8);
    const renamed = { ...request, repository: { ...request.repository, defaultBranch: "trunk" } };
    expect(await scratch.workspace.prepare(renamed)).toMatchObject({ kind: "ready" });
    expect(readFileSync(join(scratch.clone, "README.md"), "utf8")).toBe("somebody's own\n");
    expect([
      scratch.git(scratch.clone, "branch", "--show-current"),
      existsSync(join(scratch.clone, "trunk.txt")),
    ]).toEqual(["trunk", true]);
  });
});

describe.each(["worktree", "clone"] as const)(
  "a session that removed its index (%s)",
  (strategy) => {
    test("loses none of its files: they are found, saved and brought back", async () => {
      const workspace = createWorkspace({ ...scratch.options, strategy });
      const request = requestFor(scratch, 7);
      const made = await workspace.prepare(request);
      if (made.kind !== "ready") throw new Error(made.detail);
      scratch.write(made.workdir, { "README.md": "changed\n", "new.txt": "new\n" });
      rmSync(
        scratch.git(made.workdir, "rev-parse", "--path-format=absolute", "--git-path", "index"),
      );
      const texts = (): readonly string[] =>
        ["README.md", "new.txt"].map((name) => readFileSync(join(made.workdir, name), "utf8"));
      expect(await workspace.prepare(request)).toMatchObject({ kind: "ready", created: false });
      expect(texts()).toEqual(["changed\n", "new\n"]);
      expect(await workspace.release(request.workItem)).toMatchObject({
        kind: "released",
        salvage: expect.any(String),
      });
      expect(await workspace.undoCleanup(request.workItem)).toMatchObject({ kind: "restored" });
      expect(texts()).toEqual(["changed\n", "new\n"]);
    });
  },
);

describe("a pull request", () => {
  test("seeds the worktree from its head branch", async () => {
    const head = scratch.commit({ "src/gate.txt": "open\n" }, "feature/gate");
    expect((await prepared(requestFor(scratch, 9, { headBranch: "feature/gate" }))).head).toBe(
      head,
    );
  });

  test("whose branch is gone starts from the default branch, with a note", async () => {
    const result = await prepared(requestFor(scratch, 9, { headBranch: "gone" }));
    expect(result.head).toBe(scratch.git(scratch.source, "rev-parse", "main"));
    expect(result.notes.map((note) => formatPlain(note)).join()).toContain(
      'gone" is not on the remote',
    );
  });
});

test("a root inside of another repository: a checkout that lost its .git is not that repository", async () => {
  scratch.git(scratch.folder, "init", "-q");
  scratch.git(scratch.folder, "commit", "-q", "--allow-empty", "-m", "around");
  const { workdir, head } = await prepared();
  expect(await scratch.workspace.headOf(workdir)).toBe(head);
  rmSync(join(workdir, ".git"));
  expect(await scratch.workspace.headOf(workdir)).toBeNull();
});

test("the default branch is asked of the remote when nobody names one that exists", async () => {
  const base = requestFor(scratch);
  const result = await prepared({
    ...base,
    repository: { ...base.repository, defaultBranch: "trunk" },
  });
  expect(scratch.git(scratch.clone, "branch", "--show-current")).toBe("main");
  expect(result.head).toBe(scratch.git(scratch.source, "rev-parse", "main"));
});

test("what cannot be made is a result with a code and a hint", async () => {
  const base = requestFor(scratch);
  const missing = await scratch.workspace.prepare({
    ...base,
    repository: { ...base.repository, cloneUrl: `file://${scratch.remotes}/none.git` },
  });
  expect(missing).toMatchObject({ kind: "failed", code: "LOOP_E_WORKSPACE_FETCH" });
  scratch.git(scratch.remotes, "init", "-q", "--bare", "empty.git");
  const empty = await scratch.workspace.prepare({
    ...base,
    repository: {
      ...base.repository,
      name: "empty",
      cloneUrl: `file://${scratch.remotes}/empty.git`,
    },
  });
  expect(empty).toMatchObject({ kind: "failed", code: "LOOP_E_WORKSPACE_EMPTY" });
  const place = join(scratch.folder, "root/.worktrees/example.org/maria/garden/maria+garden+7");
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "mine.txt"), "mine\n");
  expect(await scratch.workspace.prepare(base)).toMatchObject({
    kind: "failed",
    code: "LOOP_E_WORKSPACE_OCCUPIED",
  });
});
