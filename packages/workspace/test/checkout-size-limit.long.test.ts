import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createGit } from "../src/git.ts";
import { createOwn } from "../src/own-repository.ts";
import { keepHouse } from "../src/housekeeping.ts";
import { createWorkspace } from "../src/index.ts";
import { createScratch, requestFor, type Scratch } from "./scratch.ts";

let scratch: Scratch;
beforeEach(() => void (scratch = createScratch()));
afterEach(() => scratch.stop());

describe("W11: a checkout that would be too large", () => {
  test.each([
    ["too many files", { files: 5, bytes: 1e9 }, "7 files"],
    ["too many bytes", { files: 1e6, bytes: 1024 ** 2 }, "2 MiB"],
  ])(
    "%s: it fails with the reason before a file is written, and others go on",
    async (_, budget, why) => {
      scratch.commit(
        {
          "1.txt": "1",
          "2.txt": "2",
          "3.txt": "3",
          "4.txt": "4",
          "large.bin": "x".repeat(1024 ** 2 + 1),
        },
        "huge",
      );
      const workspace = createWorkspace({ ...scratch.options, budget });
      const result = await workspace.prepare(requestFor(scratch, 7, { headBranch: "huge" }));
      expect(result).toMatchObject({
        kind: "failed",
        code: "LOOP_E_WORKSPACE_SIZE",
        detail: expect.stringContaining(why),
      });
      expect(
        existsSync(join(scratch.folder, "root/.worktrees/example.org/maria/garden/maria+garden+7")),
      ).toBe(false);
      expect(await workspace.prepare(requestFor(scratch, 8))).toMatchObject({ kind: "ready" });
      expect(await workspace.release(requestFor(scratch, 7).workItem)).toMatchObject({
        kind: "released",
      });
    },
  );

  test("a path that no file system takes fails alone", async () => {
    const env = {
      ...scratch.env,
      GIT_AUTHOR_NAME: "m",
      GIT_AUTHOR_EMAIL: "m@x",
      GIT_COMMITTER_NAME: "m",
      GIT_COMMITTER_EMAIL: "m@x",
    };
    const git = (args: readonly string[], input?: string): string =>
      execFileSync("git", [...args], { cwd: scratch.source, env, encoding: "utf8", input }).trim();
    let tree = git(
      ["mktree"],
      `100644 blob ${git(["hash-object", "-w", "--stdin"], "x")}\t${"f".repeat(200)}\n`,
    );
    for (let depth = 0; depth < 20; depth++)
      tree = git(["mktree"], `040000 tree ${tree}\t${"d".repeat(200)}\n`);
    scratch.git(
      scratch.source,
      "push",
      "-q",
      join(scratch.remotes, "garden.git"),
      `${git(["commit-tree", tree, "-m", "deep"])}:refs/heads/deep`,
    );
    expect(
      await scratch.workspace.prepare(requestFor(scratch, 7, { headBranch: "deep" })),
    ).toMatchObject({ kind: "failed", code: expect.stringContaining("LOOP_E_WORKSPACE_") });
    expect(await scratch.workspace.prepare(requestFor(scratch, 8))).toMatchObject({
      kind: "ready",
    });
  });
});

test("a shared clone is packed under the lock when enough has gathered, and git does none of it by itself", async () => {
  await scratch.workspace.prepare(requestFor(scratch, 7));
  // Git guesses how many there are from the one folder 17.
  const guessed = Array.from({ length: 5_000 }, (_, at) => `loose ${at}`).filter((text) =>
    createHash("sha1").update(`blob ${text.length}\0${text}`).digest("hex").startsWith("17"),
  );
  for (const text of guessed)
    execFileSync("git", ["hash-object", "-w", "--stdin"], {
      cwd: scratch.clone,
      env: scratch.env,
      input: text,
    });
  const loose = (): number => readdirSync(join(scratch.clone, ".git/objects/17")).length;
  await scratch.workspace.prepare(requestFor(scratch, 8));
  expect(loose()).toBe(guessed.length);
  await keepHouse(
    { git: createGit(scratch.env), own: createOwn(scratch.options.stateRoot) },
    scratch.clone,
    1,
  );
  // What was fetched is a pack of its own already.
  expect(scratch.git(scratch.clone, "count-objects", "-v")).toMatch(/^count: 0\n[^]*^packs: 2$/m);
  expect(await scratch.workspace.prepare(requestFor(scratch, 9))).toMatchObject({ kind: "ready" });
});

test("the packs that fetches bring are put together when they are many, and no link is followed for it", async () => {
  const fetchNewer = async (at: number): Promise<void> => {
    scratch.commit({ [`newer-${at}.txt`]: "newer\n" });
    expect(await scratch.workspace.prepare(requestFor(scratch, at))).toMatchObject({
      kind: "ready",
    });
  };
  const packs = (): number =>
    readdirSync(join(scratch.clone, ".git/objects/pack")).filter((name) => name.endsWith(".idx"))
      .length;
  for (const at of [7, 8, 9]) await fetchNewer(at);
  expect(packs()).toBe(3);
  const tools = { git: createGit(scratch.env), own: createOwn(scratch.options.stateRoot) };
  // As many as there are by the fiftieth fetch.
  const pack =
    readdirSync(join(scratch.clone, ".git/objects/pack")).find((name) => name.endsWith(".pack")) ??
    "";
  for (let at = 0; at < 50; at += 1) {
    for (const kind of ["pack", "idx"]) {
      const from = join(scratch.clone, ".git/objects/pack", pack.replace(/pack$/, kind));
      copyFileSync(from, from.replace(/[0-9a-f]{40}/, at.toString(16).padStart(40, "0")));
    }
  }
  symlinkSync(scratch.home, join(scratch.clone, ".git/objects/aa"));
  await keepHouse(tools, scratch.clone);
  expect(packs()).toBe(53);
  rmSync(join(scratch.clone, ".git/objects/aa"));
  await keepHouse(tools, scratch.clone);
  expect(packs()).toBe(1);
  expect(scratch.git(scratch.clone, "fsck", "--no-dangling")).toBe("");
  await fetchNewer(10);
});
