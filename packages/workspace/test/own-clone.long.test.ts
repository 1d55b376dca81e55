import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createGit } from "../src/git.ts";
import { keepHouse } from "../src/housekeeping.ts";
import { createWorkspace } from "../src/index.ts";
import { createOwn } from "../src/own-repository.ts";
import { formatPlain } from "@loopwork/core/ports";
import { createScratch, requestFor, type Scratch } from "./scratch.ts";

let scratch: Scratch;
beforeEach(() => void (scratch = createScratch()));
afterEach(() => scratch.stop());

const cloning = () => createWorkspace({ ...scratch.options, strategy: "clone" });
const workItem = requestFor({ cloneUrl: "" }).workItem;

async function prepared(request = requestFor(scratch), workspace = cloning()) {
  const result = await workspace.prepare(request);
  if (result.kind !== "ready") throw new Error(`${result.code}: ${result.detail}`);
  return result;
}

/** Git guesses how many loose objects there are from the one folder 17; these lie there. */
const fillers = Array.from({ length: 2_000 }, (_, at) => `loose ${at}`).filter((text) =>
  createHash("sha1").update(`blob ${text.length}\0${text}`).digest("hex").startsWith("17"),
);

function filler(text: string): string {
  const file = join(scratch.folder, "filler.txt");
  writeFileSync(file, text);
  return file;
}

/** Makes loose objects so old that git would throw away those that nothing leads to. */
function age(folder: string): void {
  for (const name of readdirSync(folder))
    utimesSync(join(folder, name), new Date("2020-01-01"), new Date("2020-01-01"));
}

/** The same request for a second repository on the same host. */
function requestForShed(number = 7) {
  if (!existsSync(join(scratch.remotes, "shed.git")))
    scratch.git(
      scratch.folder,
      "clone",
      "-q",
      "--bare",
      `file://${scratch.remotes}/garden.git`,
      join(scratch.remotes, "shed.git"),
    );
  const base = requestFor(scratch, number);
  return {
    ...base,
    repository: {
      ...base.repository,
      name: "shed",
      cloneUrl: `file://${scratch.remotes}/shed.git`,
    },
  };
}

describe("the strategy clone", () => {
  test("gives each work item a full clone of its own, detached on the default branch, with objects borrowed from the shared clone", async () => {
    scratch.commit({}, "feature/gate");
    scratch.git(scratch.source, "tag", "v1");
    scratch.git(scratch.source, "push", "-q", join(scratch.remotes, "garden.git"), "v1");
    const { workdir, head, created } = await prepared();
    expect(workdir).toBe(scratch.ownClone(7));
    expect(created).toBe(true);
    expect(head).toBe(scratch.git(scratch.source, "rev-parse", "main"));
    expect(scratch.git(workdir, "rev-parse", "--git-common-dir")).toBe(".git");
    expect(scratch.git(workdir, "branch", "--show-current")).toBe("");
    expect(
      scratch
        .git(workdir, "branch", "-r")
        .split("\n")
        .map((line) => line.trim()),
    ).toEqual(["origin/feature/gate", "origin/main"]);
    expect(scratch.git(workdir, "tag")).toBe("v1");
    expect(scratch.git(workdir, "status", "--porcelain")).toBe("");
    expect(readFileSync(join(workdir, ".git", "objects", "info", "alternates"), "utf8")).toBe(
      `${scratch.clone}/.git/objects\n`,
    );
    expect(scratch.git(workdir, "count-objects", "-v")).toMatch(/^count: 0\n[^]*in-pack: 0\n/);
    expect(readdirSync(scratch.clone)).toEqual([".git"]);
  });

  test("says which objects a clone borrows by where it stands, whatever an agent writes into it", async () => {
    const workspace = cloning();
    const { workdir } = await prepared(requestFor(scratch), workspace);
    writeFileSync(join(workdir, ".git", "objects", "info", "alternates"), `${scratch.home}\n`);
    expect(await workspace.borrowedBy(workdir)).toEqual([join(scratch.clone, ".git", "objects")]);
    expect(await workspace.borrowedBy(scratch.home)).toEqual([]);
    writeFileSync(join(workdir, ".git", "commondir"), "../..\n");
    expect([workdir, scratch.home].map((folder) => workspace.strategyAt(folder))).toEqual([
      "clone",
      null,
    ]);
    expect(
      await workspace.borrowedBy(
        (await prepared(requestFor(scratch, 8), scratch.workspace)).workdir,
      ),
    ).toEqual([]);
  });

  test.each(["gone", "a list of other objects", "a link"])(
    "saves and brings back work although the list of borrowed objects is %s",
    async (what) => {
      const workspace = cloning();
      const { workdir, head } = await prepared(requestFor(scratch), workspace);
      writeFileSync(join(workdir, "README.md"), "worked on\n");
      const [list, kept] = [
        join(workdir, ".git", "objects", "info", "alternates"),
        join(scratch.folder, "kept"),
      ];
      writeFileSync(kept, "kept\n");
      rmSync(list);
      if (what === "a list of other objects") writeFileSync(list, `${scratch.home}\n`);
      if (what === "a link") symlinkSync(kept, list);
      expect(await workspace.changesOf(workdir)).toEqual([" M README.md"]);
      expect(await workspace.unpushedOf(workdir)).toEqual([]);
      expect(await workspace.release(workItem)).toMatchObject({
        kind: "released",
        salvage: expect.any(String),
      });
      expect(await workspace.undoCleanup(workItem)).toMatchObject({ kind: "restored" });
      expect(readFileSync(join(workdir, "README.md"), "utf8")).toBe("worked on\n");
      expect(await workspace.headOf(workdir)).toBe(head);
      expect(readFileSync(kept, "utf8")).toBe("kept\n");
    },
  );

  test("writes no list of borrowed objects through a link that a session left", async () => {
    const workspace = cloning();
    const { workdir } = await prepared(requestFor(scratch), workspace);
    const [list, kept] = [
      join(workdir, ".git", "objects", "info", "alternates"),
      join(scratch.folder, "kept"),
    ];
    writeFileSync(kept, "kept\n");
    rmSync(list);
    symlinkSync(kept, list);
    rmSync(join(workdir, ".git", "loop-fetched"));
    expect(await workspace.prepare(requestFor(scratch))).toMatchObject({ kind: "ready" });
    expect(readFileSync(kept, "utf8")).toBe("kept\n");
    expect(readFileSync(list, "utf8")).toBe(`${scratch.clone}/.git/objects\n`);
  });

  test("keeps what a clone borrows when the remote drops it and the shared clone is packed", async () => {
    const head = scratch.commit({ "src/gate.txt": "open\n" }, "feature/gate");
    const { workdir } = await prepared(requestFor(scratch, 9, { headBranch: "feature/gate" }));
    scratch.git(join(scratch.remotes, "garden.git"), "branch", "-D", "feature/gate");
    const { workdir: worktree } = await prepared(requestFor(scratch, 10), scratch.workspace); // Fetches, and with it drops the branch.
    expect(scratch.git(worktree, "branch", "-r")).not.toContain("feature/gate");
    for (const text of fillers) scratch.git(scratch.clone, "hash-object", "-w", filler(text));
    for (const name of readdirSync(join(scratch.clone, ".git/objects")).filter(
      (each) => each.length === 2,
    ))
      age(join(scratch.clone, ".git/objects", name));
    await keepHouse(
      { git: createGit(scratch.env), own: createOwn(scratch.options.stateRoot) },
      scratch.clone,
      1,
    );
    expect(scratch.git(workdir, "show", `${head}:src/gate.txt`)).toBe("open");
    expect(scratch.git(workdir, "fsck", "--connectivity-only")).not.toContain("missing");
  });

  test("a release leaves the shared clone and other clones of the repository alone", async () => {
    const workspace = cloning();
    const [first, second] = [
      await prepared(requestFor(scratch), workspace),
      await prepared(requestFor(scratch, 8), workspace),
    ];
    expect(await workspace.release(workItem)).toMatchObject({
      kind: "released",
      removed: [first.workdir],
    });
    expect(existsSync(join(scratch.clone, ".git", "loop-fetched"))).toBe(true);
    expect(scratch.git(second.workdir, "fsck", "--connectivity-only")).not.toContain("missing");
  });

  test("a clone fetches nothing that the shared clone has: a remote that is asked once serves both", async () => {
    await prepared();
    const packs = () => readdirSync(join(scratch.clone, ".git/objects/pack")).length;
    const before = packs();
    const { workdir } = await prepared(requestFor(scratch, 8));
    expect(packs()).toBe(before);
    expect(scratch.git(workdir, "rev-parse", "HEAD")).toBe(
      scratch.git(scratch.source, "rev-parse", "main"),
    );
  });

  test("something of somebody else in the place of the shared clone is not touched", async () => {
    mkdirSync(scratch.clone, { recursive: true });
    writeFileSync(join(scratch.clone, "notes.txt"), "mine\n");
    expect(await cloning().prepare(requestFor(scratch))).toMatchObject({
      kind: "failed",
      code: "LOOP_E_WORKSPACE_OCCUPIED",
    });
    expect(readdirSync(scratch.clone)).toEqual(["notes.txt"]);
  });

  test("one folder per work item holds a clone of each repository that it touches", async () => {
    const first = await prepared();
    const second = await prepared(requestForShed());
    expect(second.workdir).toBe(
      join(scratch.folder, "root/.work-items/maria+garden+7/example.org/maria/shed"),
    );
    writeFileSync(join(second.workdir, "unsaved.txt"), "x\n");
    const released = await cloning().release(workItem);
    expect(released).toMatchObject({
      kind: "released",
      removed: [first.workdir, second.workdir],
      salvage: expect.stringContaining("salvage"),
    });
    expect(readdirSync(join(scratch.folder, "root/.work-items"))).toEqual([]);
  });

  test("seeds a clone from the head of a pull request", async () => {
    const head = scratch.commit({ "src/gate.txt": "open\n" }, "feature/gate");
    expect((await prepared(requestFor(scratch, 9, { headBranch: "feature/gate" }))).head).toBe(
      head,
    );
  });

  test("a clone that stands is left as it is, and stays a clone when the strategy changes", async () => {
    const { workdir } = await prepared();
    writeFileSync(join(workdir, "README.md"), "half done\n");
    expect(await prepared(requestFor(scratch), scratch.workspace)).toMatchObject({
      created: false,
      workdir,
    });
    expect(readFileSync(join(workdir, "README.md"), "utf8")).toBe("half done\n");
    expect((await prepared(requestFor(scratch, 8), scratch.workspace)).workdir).toContain(
      ".worktrees",
    );
    expect(await scratch.workspace.release(workItem)).toMatchObject({
      kind: "released",
      removed: [workdir],
    });
  });

  test("what a killed daemon left is finished by the next: no fetch, no head, no files", async () => {
    const { workdir } = await prepared();
    for (const left of [["loop-fetched", "index"], ["index"]]) {
      for (const name of left) rmSync(join(workdir, ".git", name));
      writeFileSync(join(workdir, ".git", "loop-unwritten"), "");
      rmSync(join(workdir, "README.md"));
      expect(await prepared()).toMatchObject({ created: true });
      expect(scratch.git(workdir, "status", "--porcelain")).toBe("");
    }
  });

  test("saves branches, the stash and what a reset left behind: all of them go with the clone", async () => {
    const { workdir } = await prepared();
    const commit = (text: string): string => {
      writeFileSync(join(workdir, "work.txt"), text);
      scratch.git(workdir, "add", "-A");
      scratch.git(workdir, "commit", "-q", "-m", text);
      return scratch.git(workdir, "rev-parse", "HEAD");
    };
    scratch.git(workdir, "switch", "-q", "-c", "aside");
    const aside = commit("aside");
    const dropped = commit("dropped");
    scratch.git(workdir, "reset", "-q", "--hard", aside);
    writeFileSync(join(workdir, "work.txt"), "stashed\n");
    scratch.git(workdir, "stash", "-q");
    const stash = scratch.git(workdir, "rev-parse", "refs/stash");
    scratch.git(workdir, "switch", "-q", "--detach", "origin/main");
    const released = await cloning().release(workItem);
    if (released.kind !== "released" || released.salvage === null)
      throw new Error(JSON.stringify(released));
    const back = join(scratch.folder, "back");
    scratch.git(scratch.folder, "clone", "-q", `file://${scratch.remotes}/garden.git`, back);
    scratch.git(
      back,
      "fetch",
      "-q",
      join(released.salvage, "work.bundle"),
      "+refs/salvage/*:refs/salvage/*",
    );
    for (const id of [aside, dropped, stash])
      expect(scratch.git(back, "cat-file", "-t", id)).toBe("commit");
  });

  test("W12: a clone that other work trees belong to is kept", async () => {
    const { workdir } = await prepared();
    scratch.git(workdir, "worktree", "add", "-q", "--detach", join(scratch.folder, "elsewhere"));
    expect(await cloning().release(workItem)).toMatchObject({
      kind: "kept",
      why: expect.stringContaining("elsewhere"),
    });
    expect(existsSync(workdir)).toBe(true);
  });

  test("something of somebody else in its place is not touched", async () => {
    const place = scratch.ownClone(7);
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, "mine.txt"), "mine\n");
    expect(await cloning().prepare(requestFor(scratch))).toMatchObject({
      kind: "failed",
      code: "LOOP_E_WORKSPACE_OCCUPIED",
    });
    rmSync(place, { recursive: true });
    const { workdir } = await prepared();
    writeFileSync(join(workdir, ".git", "commondir"), scratch.source);
    expect(await cloning().prepare(requestFor(scratch))).toMatchObject({
      kind: "failed",
      code: "LOOP_E_WORKSPACE_OCCUPIED",
    });
  });
});

test("workspace.defaultHost names the folder, and the address must still lead to the work item's own host", async () => {
  const base = requestFor(scratch);
  const named = { ...base, repository: { ...base.repository, folder: "code.example" } };
  expect((await prepared(named, scratch.workspace)).workdir).toContain(
    join(".worktrees", "code.example", "maria", "garden"),
  );
  const abroad = {
    ...base,
    workItem: { ...workItem, number: 8 },
    repository: {
      ...base.repository,
      folder: "code.example",
      cloneUrl: "https://code.example/maria/garden.git",
    },
  };
  expect(await scratch.workspace.prepare(abroad)).toMatchObject({
    kind: "failed",
    code: "LOOP_E_WORKSPACE_REMOTE",
  });
});

describe("the head of a pull request from another repository", () => {
  test("is fetched by its number, under a name that its author cannot choose", async () => {
    const head = scratch.commit({ "src/gate.txt": "forked\n" }, "fork-work");
    scratch.git(join(scratch.remotes, "garden.git"), "update-ref", "refs/pull/12/head", head);
    scratch.git(join(scratch.remotes, "garden.git"), "update-ref", "-d", "refs/heads/fork-work");
    for (const workspace of [scratch.workspace, cloning()]) {
      const request = requestFor(scratch, workspace === scratch.workspace ? 12 : 13, {
        headBranch: "main",
        headPull: 12,
      });
      expect(await prepared(request, workspace)).toMatchObject({ head });
      expect(await workspace.release(request.workItem)).toMatchObject({
        kind: "released",
        salvage: null,
      });
    }
  });

  test("that the host keeps none of starts from the default branch, with a note", async () => {
    const result = await prepared(requestFor(scratch, 12, { headPull: 12 }), scratch.workspace);
    expect(result.head).toBe(scratch.git(scratch.source, "rev-parse", "main"));
    expect(result.notes.map((note) => formatPlain(note)).join()).toContain(
      'the head of pull request #12" is not on the remote',
    );
  });

  test("W02: a number is a number", async () => {
    expect(
      await scratch.workspace.prepare(requestFor(scratch, 12, { headPull: -1 })),
    ).toMatchObject({ kind: "failed", code: "LOOP_E_WORKSPACE_BRANCH" });
  });
});

test("many who ask at once fetch once: a fetch that began after somebody asked is new enough", async () => {
  await prepared(requestFor(scratch, 1), scratch.workspace);
  const newest = scratch.commit({ "new.txt": "later\n" });
  const made = await Promise.all(
    [2, 3, 4, 5, 6].map((number) => prepared(requestFor(scratch, number), scratch.workspace)),
  );
  expect(new Set(made.map(({ head }) => head))).toEqual(new Set([newest]));
  const later = scratch.commit({ "new.txt": "later still\n" });
  expect((await prepared(requestFor(scratch, 6 + 1), scratch.workspace)).head).toBe(later);
});
