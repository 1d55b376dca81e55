import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createWorkspace } from "../src/index.ts";
import { portrait } from "./dirt.ts";
import { formatPlain } from "@loopwork/core/ports";
import { createScratch, requestFor, type Scratch } from "./scratch.ts";

/** Names are bytes to git. Here each character of a name is one byte: `caf\xe9` is no UTF-8. */
const at = (folder: string, name: string): Buffer =>
  Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name, "latin1")]);
const odd = "caf\xe9";

let scratch: Scratch;
beforeEach(() => void (scratch = createScratch()));
afterEach(() => scratch.stop());

const workItem = requestFor({ cloneUrl: "" }).workItem;

async function checkout(workspace = scratch.workspace, more = {}, number = 7): Promise<string> {
  const made = await workspace.prepare(requestFor(scratch, number, more));
  if (made.kind !== "ready") throw new Error(`${made.code}: ${made.detail}`);
  return made.workdir;
}

/** Releases, brings back, and compares both: returns what was saved. */
async function thereAndBack(workdir: string, workspace = scratch.workspace): Promise<string> {
  const before = portrait(workdir, scratch);
  const result = await workspace.release(workItem);
  if (result.kind !== "released" || result.salvage === null)
    throw new Error(JSON.stringify(result));
  expect(existsSync(workdir)).toBe(false);
  expect(await workspace.undoCleanup(workItem)).toMatchObject({ kind: "restored" });
  expect(portrait(workdir, scratch)).toEqual(before);
  return result.salvage;
}

/** Commits what stands in the source, names of any bytes among it. */
function commit(branch = "main"): void {
  if (branch !== "main") scratch.git(scratch.source, "switch", "-q", "-c", branch);
  scratch.git(scratch.source, "add", "-A", "-f");
  scratch.git(scratch.source, "commit", "-q", "-m", "odd");
  scratch.git(
    scratch.source,
    "push",
    "-q",
    join(scratch.remotes, "garden.git"),
    `HEAD:refs/heads/${branch}`,
  );
  if (branch !== "main") scratch.git(scratch.source, "switch", "-q", "main");
}

for (const strategy of ["worktree", "clone"] as const) {
  describe(`files whose names are no UTF-8 (${strategy})`, () => {
    const workspace = () => createWorkspace({ ...scratch.options, strategy });

    test("one that nobody added is saved, and comes back", async () => {
      const workdir = await checkout(workspace());
      writeFileSync(at(workdir, odd), "precious\n");
      const salvage = await thereAndBack(workdir, workspace());
      expect(readFileSync(at(workdir, odd), "utf8")).toBe("precious\n");
      scratch.git(scratch.source, "fetch", "-q", join(salvage, "work.bundle"), "refs/salvage/work");
      expect(
        scratch.gitBytes(scratch.source, "ls-tree", "-z", "--name-only", "FETCH_HEAD").split("\0"),
      ).toContain(odd);
    });

    test("ones that were changed, removed, hidden from git and turned into links come back as they were", async () => {
      mkdirSync(at(scratch.source, odd));
      for (const name of ["changed", "removed", "hidden", "link\xff", "same"])
        writeFileSync(at(scratch.source, `${odd}/${name}`), "committed\n");
      commit();
      const workdir = await checkout(workspace());
      writeFileSync(at(workdir, `${odd}/changed`), "changed\n");
      scratch.gitBytes(workdir, "rm", "-q", `${odd}/removed`, `${odd}/link\xff`);
      symlinkSync(Buffer.from("to\xfe", "latin1"), at(workdir, `${odd}/link\xff`));
      scratch.gitBytes(workdir, "update-index", "--assume-unchanged", `${odd}/hidden`);
      writeFileSync(at(workdir, `${odd}/hidden`), "hidden\n");
      await thereAndBack(workdir, workspace());
      expect(readFileSync(at(workdir, `${odd}/hidden`), "utf8")).toBe("hidden\n");
    });
  });
}

test("what the clone's own list says of such names is followed: ignored ones stay out, excepted ones are saved", async () => {
  const workdir = await checkout();
  writeFileSync(
    join(scratch.clone, ".git/info/exclude"),
    Buffer.from(`*.e\xe9\n!keep.e\xe9\n`, "latin1"),
  );
  for (const name of ["drop.e\xe9", "keep.e\xe9"]) writeFileSync(at(workdir, name), "x");
  await thereAndBack(workdir);
  expect(readdirSync(workdir, { encoding: "latin1" })).toContain("keep.e\xe9");
  expect(existsSync(at(workdir, "drop.e\xe9"))).toBe(false);
});

test("a branch with such a name goes with its clone and comes back; the checkout is detached, and that is said", async () => {
  const workspace = createWorkspace({ ...scratch.options, strategy: "clone" });
  const workdir = await checkout(workspace);
  scratch.gitBytes(workdir, "switch", "-q", "-c", odd);
  writeFileSync(join(workdir, "work.txt"), "x\n");
  scratch.git(workdir, "add", "work.txt");
  scratch.git(workdir, "commit", "-q", "-m", "work");
  const head = scratch.git(workdir, "rev-parse", "HEAD");
  expect(await workspace.release(workItem)).toMatchObject({
    kind: "released",
    salvage: expect.any(String),
  });
  expect(await workspace.undoCleanup(workItem)).toMatchObject({
    kind: "restored",
    notes: [expect.stringContaining("caf\\xe9")],
  });
  expect(scratch.git(workdir, "rev-parse", "HEAD")).toBe(head);
  expect(scratch.gitBytes(workdir, "rev-parse", `refs/heads/${odd}`).trim()).toBe(head);
});

describe("W10: such names in the agent configuration of a stranger's head", () => {
  const untrusted = { headBranch: "patch", restoreFrom: { branch: "main" } };

  test("do not keep a checkout from being made, and are taken away like any other; the base's own come in their place", async () => {
    scratch.write(scratch.source, { "CLAUDE.md": "base\n", ".claude/base.md": "base\n" });
    writeFileSync(at(scratch.source, ".claude/b\xe9"), "base\n");
    commit();
    scratch.git(scratch.source, "switch", "-q", "--detach");
    scratch.gitBytes(scratch.source, "rm", "-q", ".claude/b\xe9");
    writeFileSync(at(scratch.source, `.claude/${odd}`), "evil\n");
    commit("patch");
    const workdir = await checkout(scratch.workspace, untrusted);
    expect(readdirSync(join(workdir, ".claude"), { encoding: "latin1" }).toSorted()).toEqual(
      ["base.md", "b\xe9"].toSorted(),
    );
    expect(scratch.git(workdir, "status", "--porcelain")).toBe("");
    const again = await scratch.workspace.prepare(requestFor(scratch, 7, untrusted));
    expect(again).toMatchObject({ kind: "ready", created: false });
    expect(again.kind === "ready" && again.notes.map((note) => formatPlain(note))).toEqual([
      expect.stringContaining('caf\\\\xe9" (not there)'),
    ]);
    expect(await scratch.workspace.release(workItem)).toMatchObject({
      kind: "released",
      salvage: null,
    });
  });

  test("a file that only the base has stays out of commits, whatever its name", async () => {
    scratch.write(scratch.source, { "CLAUDE.md": "base\n" });
    commit("patch");
    scratch.write(scratch.source, { "CLAUDE.md": "base\n" });
    mkdirSync(join(scratch.source, ".claude"));
    for (const name of [odd, "new\nline", "end\r"])
      writeFileSync(at(scratch.source, `.claude/${name}`), "base\n");
    commit();
    const workdir = await checkout(scratch.workspace, untrusted);
    expect(scratch.git(workdir, "status", "--porcelain")).toBe("");
    writeFileSync(at(workdir, `.claude/${odd}`), "session\n");
    const result = await scratch.workspace.release(workItem);
    if (result.kind !== "released" || result.salvage === null)
      throw new Error(JSON.stringify(result));
    scratch.git(
      scratch.source,
      "fetch",
      "-q",
      join(result.salvage, "work.bundle"),
      "refs/salvage/work",
    );
    expect(scratch.gitBytes(scratch.source, "show", `FETCH_HEAD:.claude/${odd}`)).toBe("session\n");
  });
});

describe("such names and what is removed", () => {
  test("a repository of its own in a folder with such a name keeps the checkout: git cannot be sent there", async () => {
    const workdir = await checkout();
    mkdirSync(at(workdir, odd));
    scratch.gitBytes(workdir, "init", "-q", odd);
    writeFileSync(at(workdir, `${odd}/a.txt`), "x");
    expect(await scratch.workspace.release(workItem)).toMatchObject({
      kind: "kept",
      why: expect.stringContaining("caf\\xe9"),
    });
    expect(existsSync(at(workdir, `${odd}/a.txt`))).toBe(true);
  });

  test("read-only folders with such names are removed with the rest", async () => {
    const workdir = await checkout();
    writeFileSync(join(scratch.clone, ".git/info/exclude"), "cache\n");
    mkdirSync(at(workdir, `cache/${odd}`), { recursive: true });
    writeFileSync(at(workdir, `cache/${odd}/x`), "x");
    chmodSync(at(workdir, `cache/${odd}`), 0o555);
    expect(await scratch.workspace.release(workItem)).toMatchObject({ kind: "released" });
    expect(readdirSync(join(scratch.folder, "root/.worktrees/.trash"))).toEqual([]);
  });

  test("a warm worktree with tracked files of such names is kept, moved, and counted right", async () => {
    mkdirSync(at(scratch.source, `d\xe9`));
    for (const name of ["a", "\xff"]) writeFileSync(at(scratch.source, `d\xe9/${name}`), "x\n");
    commit();
    const workspace = createWorkspace({ ...scratch.options, pool: 1 });
    await checkout(workspace);
    await workspace.release(workItem);
    const pool = join(scratch.folder, "root/.worktrees/example.org/maria/garden/.pool");
    const [slot = ""] = readdirSync(pool);
    expect(slot).not.toBe("");
    mkdirSync(at(join(pool, slot), odd));
    writeFileSync(at(join(pool, slot), `${odd}/left`), "of the last item\n");
    const workdir = await checkout(workspace, {}, 8);
    expect(readdirSync(pool)).toEqual([]);
    expect(existsSync(at(workdir, odd))).toBe(false);
    expect(scratch.git(workdir, "status", "--porcelain", "--ignored")).toBe("");
  });
});

test("a branch whose name is no text is refused by name, not looked for under another", async () => {
  expect(
    await scratch.workspace.prepare(requestFor(scratch, 7, { headBranch: "caf\udce9" })),
  ).toMatchObject({ kind: "failed", code: "LOOP_E_WORKSPACE_BRANCH" });
});
