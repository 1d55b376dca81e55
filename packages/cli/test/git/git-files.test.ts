import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { askGit } from "../../src/git/ask-git.ts";
import { headByFiles, topByFiles } from "../../src/git/git-files.ts";
import { createScene } from "../support/scene.ts";

const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync("git", ["-c", "user.name=ada", "-c", "user.email=ada@loop.invalid", ...args], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();

function repository(): string {
  const { cwd } = createScene();
  git(cwd, "init", "-q", "-b", "main");
  git(cwd, "commit", "-q", "--allow-empty", "-m", "one");
  return realpathSync(cwd);
}

describe("the commit that is checked out, by git's own files", () => {
  const same = (top: string): void => expect(headByFiles(top)).toBe(git(top, "rev-parse", "HEAD"));

  test("is what git says: on a branch, also with a slash, packed, packed and moved on, and detached", () => {
    const top = repository();
    same(top);
    git(top, "switch", "-q", "-c", "deep/issue-1");
    git(top, "pack-refs", "--all");
    same(top);
    git(top, "commit", "-q", "--allow-empty", "-m", "two");
    same(top);
    git(top, "checkout", "-q", "--detach", "HEAD~1");
    same(top);
  });

  test("is what git says in a worktree, on a branch or detached", () => {
    const top = repository();
    for (const [name, ...how] of [
      ["one", "-b", "issue-1"],
      ["two", "--detach"],
    ] as const) {
      git(top, "worktree", "add", "-q", ...how, join(top, "..", name));
      git(join(top, "..", name), "commit", "-q", "--allow-empty", "-m", name);
      same(join(top, "..", name));
    }
    git(top, "pack-refs", "--all");
    same(join(top, "..", "one"));
  });

  test("is left to git where nothing is committed, below the top, and in no checkout", () => {
    const top = repository();
    mkdirSync(join(top, "below"));
    expect(headByFiles(join(top, "below"))).toBeUndefined();
    git(top, "switch", "-q", "--orphan", "empty");
    expect(headByFiles(top)).toBeUndefined();
    expect(headByFiles(createScene().cwd)).toBeUndefined();
  });

  test("is left to git for a HEAD that is written otherwise", () => {
    const top = repository();
    for (const odd of [
      "ref: refs/heads/.invalid",
      "ref: refs/heads/../../config",
      "ref: refs/other/main",
      "nothing",
    ]) {
      writeFileSync(join(top, ".git", "HEAD"), `${odd}\n`);
      expect([odd, headByFiles(top)]).toEqual([odd, undefined]);
    }
  });
});

test("a git hook around us, which sets GIT_DIR for commands of its own, leads neither us nor our git elsewhere", () => {
  const [top, other] = [repository(), repository()];
  process.env["GIT_DIR"] = join(other, ".git");
  onTestFinished(() => void delete process.env["GIT_DIR"]);
  expect([topByFiles(top), askGit(["rev-parse", "--show-toplevel"], top)?.trim()]).toEqual([
    top,
    top,
  ]);
  expect(askGit(["rev-parse", "HEAD"], top)?.trim()).toBe(headByFiles(top));
});

test("the top of a work tree is what git says, at it, below it, and in a worktree inside of another", () => {
  const top = repository();
  mkdirSync(join(top, "a", "b"), { recursive: true });
  git(top, "worktree", "add", "-q", "--detach", join(top, "inner"));
  for (const folder of [top, join(top, "a", "b"), join(top, "inner")])
    expect(topByFiles(folder)).toBe(git(folder, "rev-parse", "--show-toplevel"));
  expect(topByFiles(createScene().cwd)).toBeUndefined();
});

test("a pipe in the place of a file of git's is not waited for", { timeout: 30_000 }, () => {
  for (const name of ["HEAD", "packed-refs", "commondir"]) {
    const top = repository();
    git(top, "pack-refs", "--all");
    const file = join(top, ".git", name);
    rmSync(file, { force: true });
    execFileSync("mkfifo", [file]);
    const look = "import(process.argv[1]).then((m) => m.headByFiles(process.argv[2]))";
    const module = new URL("../../src/git/git-files.ts", import.meta.url).href;
    const argv = ["--conditions=@loopwork/source", "-e", look, module, top];
    const ran = spawnSync(process.execPath, argv, { timeout: 5_000 });
    expect(ran.signal, name).toBe(null);
  }
});
