import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { remoteOf } from "../../src/git/remote-of-checkout.ts";
import { seenFiles } from "../../src/manifest/repository-files.ts";
import { askGit, startAskingGit, trackedBelow } from "../../src/git/ask-git.ts";
import { hasChosenLoop } from "../../src/manifest/repository-opt-in.ts";
import { ChildEnvironment } from "@loopwork/runtime/child-environment";
import { runProgram } from "../../src/processes/child-process.ts";
import { lookAtCheckouts } from "../../src/start/checkouts.ts";
import { trackedIn } from "../../src/start/learnings-places.ts";
import { lookHere } from "../support/look-here.ts";
import { createScene } from "../support/scene.ts";

/**
 * An unpacked folder: its .git/config names a program wherever git would start one, and its files
 * look changed.
 */
function unpackedFolder(): { readonly dir: string; readonly hasRun: () => boolean } {
  const scratch = mkdtempSync(join(tmpdir(), "loop-unpacked-"));
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
  const [dir, marker, evil] = [
    join(scratch, "shop"),
    join(scratch, "ran"),
    join(scratch, "evil.sh"),
  ];
  writeFileSync(evil, `#!/bin/sh\necho "$0 $*" >> '${marker}'\n`);
  chmodSync(evil, 0o755);
  mkdirSync(dir);
  const git = (...args: readonly string[]): void =>
    void execFileSync(
      "git",
      ["-C", dir, "-c", "user.name=Ada", "-c", "user.email=ada@practice.invalid", ...args],
      { stdio: "ignore" },
    );
  git("init", "--quiet");
  git("remote", "add", "origin", "git@git.example.org:octo/shop.git");
  mkdirSync(join(dir, ".loop", "learnings-pending"), { recursive: true });
  for (const file of ["a.txt", ".loop/manifest.yaml", ".loop/learnings-pending/x.json"])
    writeFileSync(join(dir, file), "one\n");
  git("add", "--force", ".");
  git("commit", "--quiet", "--message", "Begin");
  const config = {
    "core.fsmonitor": evil,
    "core.hooksPath": scratch,
    "core.pager": evil,
    "core.sshCommand": evil,
    "core.editor": evil,
    "filter.x.clean": evil,
    "filter.x.process": evil,
    "filter.x.required": "true",
    "filter.odd=name.b.clean": evil,
    "alias.remote": `!${evil}`,
    "alias.status": `!${evil}`,
    "pager.status": evil,
    "credential.helper": `!${evil}`,
    "remote.origin.promisor": "true",
    "remote.origin.uploadpack": evil,
    "extensions.partialClone": "origin",
    "core.repositoryFormatVersion": "1",
    "diff.external": evil,
    "trace2.eventTarget": evil,
  };
  for (const [key, value] of Object.entries(config)) git("config", key, value);
  git("config", "core.fsmonitor", evil);
  writeFileSync(join(dir, ".gitattributes"), "*.txt filter=x\n*.json filter=odd=name.b\n");
  for (const name of ["post-index-change", "fsmonitor-watchman", "reference-transaction"]) {
    writeFileSync(join(scratch, name), `#!/bin/sh\nexec '${evil}'\n`);
    chmodSync(join(scratch, name), 0o755);
  }
  rmSync(marker, { force: true });
  // Of the same length with another time, so that git has to read it, and clean it, to tell whether
  // it changed.
  writeFileSync(join(dir, "a.txt"), "two\n");
  utimesSync(join(dir, "a.txt"), 1, 1);
  return { dir, hasRun: () => existsSync(marker) };
}

/** A folder that has programs of these names where npm puts those of a project. */
function folderWithPrograms(...names: readonly string[]): {
  readonly dir: string;
  readonly hasRun: () => boolean;
} {
  const dir = mkdtempSync(join(tmpdir(), "loop-programs-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const [bin, marker] = [join(dir, "node_modules", ".bin"), join(dir, "ran")];
  mkdirSync(bin, { recursive: true });
  for (const name of names)
    writeFileSync(join(bin, name), `#!/bin/sh\n: > '${marker}'\n`, { mode: 0o755 });
  return { dir, hasRun: () => existsSync(marker) };
}

test.each<[string, (dir: string) => unknown]>([
  [
    "the remote, as init and learnings ask it",
    (dir) => expect(remoteOf(dir)).toMatchObject({ repository: "octo/shop" }),
  ],
  [
    "the branch, as a command without a work item asks it",
    (dir) =>
      expect(askGit(["symbolic-ref", "--short", "--quiet", "HEAD"], dir)).toMatch(
        /^(?:main|master)\n$/,
      ),
  ],
  [
    "the commit, as check asks it",
    async (dir) => expect(await lookAtCheckouts(process.env).headOf(dir)).toMatch(/^[0-9a-f]{40}$/),
  ],
  [
    "the changes, as check asks them",
    async (dir) =>
      expect(await lookAtCheckouts(process.env).changesOf(dir)).toEqual([
        " M a.txt",
        "?? .gitattributes",
      ]),
  ],
  [
    "the files of the manifest",
    (dir) => expect(seenFiles(dir, []).map(({ path }) => path)).toContain(".loop/manifest.yaml"),
  ],
  ["committed files", (dir) => expect(trackedBelow(join(dir, ".loop"))).toContain("manifest.yaml")],
  [
    "committed candidates of learnings",
    async (dir) => expect(await trackedIn(dir, lookHere.ask)).toContain("x.json"),
  ],
  [
    "a blob that has to be fetched",
    async (dir) =>
      expect(await lookHere.ask(dir, ["cat-file", "blob", "1".repeat(40)])).toBeUndefined(),
  ],
])(
  "asking git in an unpacked folder runs no program of its .git/config: %s",
  async (_what, ask) => {
    const { dir, hasRun } = unpackedFolder();
    await ask(dir);
    expect(hasRun()).toBe(false);
  },
);

test.each([[["status", "--porcelain"]], [["cat-file", "blob", "1".repeat(40)]]])(
  "without the guard the folder's program runs, so that the test above can fail: git %j",
  (args) => {
    const { dir, hasRun } = unpackedFolder();
    try {
      execFileSync("git", args, {
        cwd: dir,
        stdio: "ignore",
        env: {
          PATH: process.env["PATH"],
          HOME: "/nowhere",
          GIT_ALLOW_PROTOCOL: "https:ssh:ext:file",
        },
      });
    } catch {
      // What it answers doesn't matter here.
    }
    expect(hasRun()).toBe(true);
  },
);

test.each(["./node_modules/.bin:", "node_modules/.bin:", "::node_modules/.bin:"])(
  "a `git` that the folder brings along doesn't run, although PATH begins with %j",
  async (relative) => {
    const { dir, hasRun } = folderWithPrograms("git");
    const path = process.env["PATH"] ?? "";
    onTestFinished(() => void (process.env["PATH"] = path));
    process.env["PATH"] = `${relative}${path}`;
    expect(remoteOf(dir)).toBeNull();
    expect(trackedBelow(dir)).toBeNull();
    await lookAtCheckouts(process.env).headOf(dir);
    await runProgram("git", ["--version"], {
      env: ChildEnvironment.tool(process.env),
      cwd: dir,
      timeout: 60_000,
    });
    await runProgram("git", ["--version"], {
      env: ChildEnvironment.exactly({ PATH: process.env["PATH"] }),
      cwd: dir,
      timeout: 60_000,
    });
    expect(hasRun()).toBe(false);
    execFileSync("git", ["--version"], { cwd: dir, env: { PATH: process.env["PATH"] } });
    expect(hasRun(), "the program runs where nobody takes care").toBe(true);
  },
);

test("git gets no secret of ours", () => {
  process.env["LOOP_HOST_TOKEN"] = "tok";
  onTestFinished(() => void delete process.env["LOOP_HOST_TOKEN"]);
  expect(askGit(["-c", "alias.show-env=!env", "show-env"], tmpdir())).not.toContain("tok");
});

test("files that a filter of the user's own would clean count as they lie there", async () => {
  expect(await lookAtCheckouts(process.env).changesOf(unpackedFolder().dir)).toEqual([
    " M a.txt",
    "?? .gitattributes",
  ]);
});

/** A `git` that answers nothing, as the real one does where a repository names a pipe. */
function silentGit(): { asked(): readonly string[] } {
  const dir = mkdtempSync(join(tmpdir(), "loop-silent-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const log = join(dir, "log");
  const script = `#!/bin/sh\necho asked >> '${log}'\nsleep 5\necho waited for >> '${log}'\n`;
  writeFileSync(join(dir, "git"), script, { mode: 0o755 });
  const path = process.env["PATH"] ?? "";
  onTestFinished(() => void (process.env["PATH"] = path));
  process.env["PATH"] = `${dir}:${path}`;
  return { asked: () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []) };
}

test("a hook asks a git that doesn't answer once, and waits two seconds for it", async () => {
  const scene = createScene();
  execFileSync("git", ["init", "--quiet", scene.cwd]);
  mkdirSync(join(scene.cwd, ".loop"), { mode: 0o700 });
  writeFileSync(join(scene.cwd, ".loop", "manifest.yaml"), "");
  scene.configure(`state: { root: ${join(scene.cwd, ".loop")} }\n`);
  scene.stdin(JSON.stringify({ session_id: "s", cwd: scene.cwd, hook_event_name: "SessionStart" }));
  const git = silentGit();
  expect(await scene.loop("hook", "session-start")).toMatchObject({ code: 0 });
  expect(git.asked()).toEqual(["asked"]);
}, 60_000);

test("a command asks a git that doesn't answer once, whatever else it would ask it", async () => {
  const { dir } = unpackedFolder();
  const git = silentGit();
  startAskingGit(1_000);
  expect(trackedBelow(dir)).toBeNull();
  expect(remoteOf(dir)).toBeNull();
  expect(hasChosenLoop(dir)).toBe(false);
  expect(git.asked()).toEqual(["asked"]);
  process.env["PATH"] = (process.env["PATH"] ?? "").split(":").slice(1).join(":");
  startAskingGit(10_000);
  expect(remoteOf(dir), "the next command asks anew").not.toBeNull();
}, 60_000);
