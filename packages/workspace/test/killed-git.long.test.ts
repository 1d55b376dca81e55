import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createGit } from "../src/git.ts";
import { createWorkspace } from "../src/index.ts";
import { createOwn } from "../src/own-repository.ts";
import { createScratch, requestFor, type Scratch } from "./scratch.ts";

let scratch: Scratch;
beforeEach(() => void (scratch = createScratch()));
afterEach(() => scratch.stop());

const workItem = requestFor({ cloneUrl: "" }).workItem;

/**
 * An environment whose git does `end` in a shell where its arguments have these words in this
 * order, and is git elsewhere.
 */
function gitThat(end: string, words: string): Readonly<Record<string, string>> {
  const bin = join(scratch.folder, "bin");
  mkdirSync(bin, { recursive: true });
  const real = execFileSync("sh", ["-c", "command -v git"], {
    encoding: "utf8",
    env: scratch.env,
  }).trim();
  writeFileSync(
    join(bin, "git"),
    `#!/bin/sh\ncase " $*" in *${words
      .split(" ")
      .map((word) => `" ${word}"`)
      .join("*")}*) ${end};; esac\nexec ${real} "$@"\n`,
    { mode: 0o755 },
  );
  return { ...scratch.env, PATH: `${bin}:${scratch.env.PATH}` };
}

const nowhere = { kind: "nowhere" } as const;
const ends = [
  ["is killed", "kill -9 $$"],
  ["ends with 1 and says nothing", "exit 1"],
] as const;

async function checkout(strategy: "worktree" | "clone" = "worktree"): Promise<string> {
  const made = await createWorkspace({ ...scratch.options, strategy }).prepare(
    requestFor(scratch, 7),
  );
  if (made.kind !== "ready") throw new Error(`${made.code}: ${made.detail}`);
  return made.workdir;
}

describe("what git prints is believed only when git ended as it should", () => {
  test.each(ends)("a git that %s", async (_, end) => {
    const git = createGit(gitThat(end, "status"));
    await expect(git.run(nowhere, ["status"])).rejects.toMatchObject({
      code: "LOOP_E_WORKSPACE_GIT",
    });
  });

  test("a git that is killed after it complained", async () => {
    const git = createGit(gitThat("echo half; echo warning >&2; kill -9 $$", "status"));
    await expect(git.run(nowhere, ["status"])).rejects.toMatchObject({
      code: "LOOP_E_WORKSPACE_GIT",
      message: expect.stringContaining("killed"),
    });
  });

  test("what is printed after git ended, by something that it began, is waited for", async () => {
    const git = createGit(gitThat("echo first; (sleep 1; echo last) & exit 0", "status"));
    expect(await git.run(nowhere, ["status"])).toBe("first\nlast\n");
  });

  /**
   * Something that git leaves behind with one of its streams, as an ssh that keeps its connection
   * does. Ended by the test.
   */
  const leaves = (holds: string): string =>
    `echo printed; sleep 600 ${holds} & echo $! >${scratch.folder}/left; exit 0`;
  const endLeft = (): boolean =>
    process.kill(Number(readFileSync(join(scratch.folder, "left"), "utf8")));

  test("something that outlives git and holds the stream for complaints is not waited for", async () => {
    const git = createGit(gitThat(leaves(">/dev/null"), "status"));
    expect(await git.run(nowhere, ["status"])).toBe("printed\n");
    endLeft();
  });

  test("something that outlives git and holds its output is waited for as long as git may take", async () => {
    const git = createGit(gitThat(leaves(""), "status"));
    await expect(git.run(nowhere, ["status"], { minutes: 0.02 })).rejects.toMatchObject({
      code: "LOOP_E_WORKSPACE_GIT",
    });
    endLeft();
  });

  test("a git that is not there, and a folder that is not there", async () => {
    await expect(
      createGit({ ...scratch.env, PATH: scratch.folder }).run(nowhere, ["status"]),
    ).rejects.toMatchObject({ code: "LOOP_E_WORKSPACE_GIT" });
    await expect(
      createGit(scratch.env).run({ kind: "records", clone: join(scratch.folder, "none") }, [
        "symbolic-ref",
        "HEAD",
      ]),
    ).rejects.toMatchObject({ code: "LOOP_E_WORKSPACE_GIT" });
  });

  test("an exit code that was said to be an answer is one", async () => {
    const git = createGit(scratch.env);
    const args = ["config", "--global", "--get", "none.there"];
    expect(await git.run(nowhere, args, { answers: [1] })).toBe("");
    await expect(git.run(nowhere, args)).rejects.toMatchObject({
      code: "LOOP_E_WORKSPACE_GIT",
      message: expect.stringContaining("ended with 1"),
    });
  });

  test("without a home folder there is no file of the user's own, and git works", async () => {
    const { HOME: _, ...homeless } = scratch.env;
    expect(
      await createGit(homeless).run(nowhere, ["ls-remote", scratch.cloneUrl], { protocol: "file" }),
    ).toContain("refs/heads/main");
  });

  test("a look at the user's ssh program that failed once is taken again", async () => {
    const env = gitThat(
      `test -e ${scratch.folder}/once || { touch ${scratch.folder}/once; kill -9 $$; }`,
      "core.sshCommand",
    );
    const git = createGit(env);
    const ask = (): Promise<string> =>
      git.run(nowhere, ["ls-remote", scratch.cloneUrl], { protocol: "file" });
    await expect(ask()).rejects.toMatchObject({ code: "LOOP_E_WORKSPACE_GIT" });
    expect(await ask()).toContain("refs/heads/main");
  });
});

describe("a release keeps the checkout when a git of its is killed", () => {
  test.each(
    [
      "ls-files -v",
      "diff-files --ignore-submodules=dirty",
      "diff-index --cached",
      "ls-files --others",
      "update-index --add",
      "write-tree",
      "commit-tree",
      "bundle create",
      "bundle verify",
    ].flatMap((pattern) => ends.map(([what, end]) => [pattern, what, end] as const)),
  )("git %s %s: files", async (pattern, _, end) => {
    const workdir = await checkout();
    writeFileSync(join(workdir, "README.md"), "changed\n");
    writeFileSync(join(workdir, "new.txt"), "new\n");
    const workspace = createWorkspace({ ...scratch.options, env: gitThat(end, pattern) });
    expect(await workspace.release(workItem)).toMatchObject({ kind: "kept" });
    expect(readFileSync(join(workdir, "new.txt"), "utf8")).toBe("new\n");
  });

  test.each([
    "rev-list --ignore-missing --no-walk=unsorted",
    "rev-list --ignore-missing --stdin --not",
  ])("git %s: commits that a reset left behind", async (pattern) => {
    const workdir = await checkout();
    writeFileSync(join(workdir, "work.txt"), "work\n");
    scratch.git(workdir, "add", "-A");
    scratch.git(workdir, "commit", "-q", "-m", "work");
    scratch.git(workdir, "reset", "-q", "--hard", "HEAD~1");
    const workspace = createWorkspace({ ...scratch.options, env: gitThat("kill -9 $$", pattern) });
    expect(await workspace.release(workItem)).toMatchObject({ kind: "kept" });
    expect(existsSync(workdir)).toBe(true);
  });

  const write = (inner: string): void => writeFileSync(join(inner, "README.md"), "changed\n");
  test.each<[string, (inner: string) => unknown]>([
    ["status --porcelain", write],
    ["ls-files --others", write],
    [
      "rev-list --max-count=1",
      (inner) => (write(inner), scratch.git(inner, "commit", "-q", "-a", "-m", "own")),
    ],
  ])("git %s: a repository inside", async (pattern, work) => {
    const workdir = await checkout();
    const inner = join(workdir, "vendor");
    scratch.git(workdir, "clone", "-q", `file://${scratch.remotes}/garden.git`, inner);
    work(inner);
    const workspace = createWorkspace({ ...scratch.options, env: gitThat("kill -9 $$", pattern) });
    expect(await workspace.release(workItem)).toMatchObject({ kind: "kept" });
    expect(existsSync(inner)).toBe(true);
  });
});

describe("nothing is left out of what is saved", () => {
  /** Commits on the remote, each its own, oldest first. */
  function many(count: number): readonly string[] {
    const lines = Array.from(
      { length: count },
      (_, at) =>
        `commit refs/heads/main\ncommitter m <m@m> ${1_700_000_000 + at} +0000\ndata 1\nx\n${at === 0 ? "from refs/heads/main^0\n" : ""}\n`,
    );
    execFileSync("git", ["fast-import", "--quiet"], {
      cwd: scratch.source,
      env: scratch.env,
      input: lines.join(""),
    });
    scratch.git(scratch.source, "push", "-q", join(scratch.remotes, "garden.git"), "main");
    return scratch
      .git(scratch.source, "rev-list", "--reverse", "-n", String(count), "main")
      .split("\n");
  }

  async function savedCommit(id: string, strategy: "worktree" | "clone"): Promise<void> {
    const result = await createWorkspace({ ...scratch.options, strategy }).release(workItem);
    if (result.kind !== "released" || result.salvage === null)
      throw new Error(JSON.stringify(result));
    expect(
      scratch.git(scratch.source, "bundle", "list-heads", join(result.salvage, "work.bundle")),
    ).toContain(id);
  }

  test("a commit of one branch behind more than 500 others", async () => {
    const pushed = many(510);
    const workdir = await checkout("clone");
    execFileSync("git", ["update-ref", "--stdin"], {
      cwd: workdir,
      env: scratch.env,
      input: pushed.map((id, at) => `create refs/heads/a${at} ${id}\n`).join(""),
    });
    const own = scratch.git(workdir, "commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "own");
    scratch.git(workdir, "update-ref", "refs/heads/zzz", own);
    await savedCommit(own, "clone");
  });

  test("a commit that was left more than 500 steps ago", async () => {
    const pushed = many(510);
    const workdir = await checkout();
    const own = scratch.git(workdir, "commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "own");
    const log = join(scratch.git(workdir, "rev-parse", "--absolute-git-dir"), "logs/HEAD");
    mkdirSync(join(log, ".."), { recursive: true });
    const [head = ""] = pushed.slice(-1);
    const steps = [own, ...pushed];
    appendFileSync(
      log,
      steps
        .map((id, at) => `${steps[at - 1] ?? head} ${id} m <m@m> 1700000000 +0000\tstep\n`)
        .join(""),
    );
    await savedCommit(own, "worktree");
  });

  const isRoot = process.getuid?.() === 0;

  test.skipIf(isRoot)(
    "a state of git's keeps the checkout only where it cannot be copied",
    async () => {
      const workdir = await checkout();
      writeFileSync(join(workdir, "new.txt"), "new\n");
      const file = join(scratch.git(workdir, "rev-parse", "--absolute-git-dir"), "MERGE_MSG");
      writeFileSync(file, "message\n", { mode: 0o000 });
      expect(await scratch.workspace.release(workItem)).toMatchObject({ kind: "kept" });
      expect(existsSync(join(workdir, "new.txt"))).toBe(true);
      rmSync(file);
      expect(await scratch.workspace.release(workItem)).toMatchObject({
        kind: "released",
        salvage: expect.any(String),
      });
    },
  );
});

test("a warm worktree is not taken for untouched because the look at it was cut short", async () => {
  const pooling = (env: Readonly<Record<string, string>> = scratch.env) =>
    createWorkspace({ ...scratch.options, pool: 1, env });
  await pooling().prepare(requestFor(scratch, 7));
  await pooling().release(workItem);
  const pool = join(scratch.folder, "root/.worktrees/example.org/maria/garden/.pool");
  const file = join(pool, readdirSync(pool)[0] ?? "", "README.md");
  const { atime, mtime } = statSync(file);
  writeFileSync(file, "# Gardex\n");
  utimesSync(file, atime, mtime);
  const made = await pooling(gitThat("kill -9 $$", "diff-files --ignore-submodules=dirty")).prepare(
    requestFor(scratch, 8),
  );
  if (made.kind !== "ready") throw new Error(made.detail);
  expect(readdirSync(pool)).toEqual([]);
  expect(readFileSync(join(made.workdir, "README.md"), "utf8")).toBe("# Garden\n");
});

test("a pull request's head that could not be fetched is no missing one: the session does not start from the base", async () => {
  const head = scratch.commit({ "work.txt": "work\n" }, "patch");
  scratch.git(join(scratch.remotes, "garden.git"), "update-ref", "refs/pull/3/head", head);
  const request = requestFor(scratch, 7, { headPull: 3 });
  const workspace = createWorkspace({
    ...scratch.options,
    env: gitThat("kill -9 $$", "fetch +refs/pull/3/head"),
  });
  expect(await workspace.prepare(request)).toMatchObject({
    kind: "failed",
    code: "LOOP_E_WORKSPACE_FETCH",
  });
  expect(await scratch.workspace.prepare(request)).toMatchObject({ kind: "ready", head });
});

test("a remote that does not say what its default branch is was not reached; it is not empty", async () => {
  const { repository, ...request } = requestFor(scratch, 7);
  const workspace = createWorkspace({
    ...scratch.options,
    env: gitThat("kill -9 $$", "ls-remote --symref"),
  });
  expect(
    await workspace.prepare({ ...request, repository: { ...repository, defaultBranch: null } }),
  ).toMatchObject({ kind: "failed", code: "LOOP_E_WORKSPACE_FETCH" });
});

test.each([".gitignore", "src/.gitignore", ".gitattributes"])(
  "a git that waits for a pipe in the checkout is ended when its time is over: %s",
  async (name) => {
    const workdir = await checkout("clone");
    const [file, seed] = [
      join(workdir, name),
      { common: join(workdir, ".git"), workTree: workdir, purpose: "look" },
    ] as const;
    rmSync(file, { force: true });
    execFileSync("mkfifo", [file]);
    const git = createGit(scratch.env);
    const look = createOwn(null)(
      { ...seed, head: scratch.git(workdir, "rev-parse", "HEAD") },
      (where) =>
        git.run(where, ["status", "--porcelain", "--untracked-files=all"], { minutes: 1 / 60 }),
    );
    const ended = await look.then(
      () => "told",
      () => "ended",
    );
    // Git reads attributes only for files that it writes or compares, so that it may not meet that
    // pipe at all.
    expect(ended).toBe(name === ".gitattributes" ? "told" : "ended");
    const left = execFileSync("ps", ["-eo", "args"], { encoding: "utf8" })
      .split("\n")
      .filter((line) => line.includes(scratch.folder) || line.startsWith("git status --porcelain"));
    expect(left).toEqual([]);
  },
);
