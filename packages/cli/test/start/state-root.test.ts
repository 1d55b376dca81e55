import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, lchownSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { defaultConfig, resolvePaths } from "@loopwork/core/config";
import { expect, test } from "vitest";
import { ensureStateRoot } from "../../src/start/state-root.ts";
import { createScene } from "../support/scene.ts";

test("C02 a state root inside of a checkout hides itself from it", () => {
  const { cwd, home } = createScene();
  execFileSync("git", ["init", "-q", cwd]);
  ensureStateRoot(resolvePaths(defaultConfig, { configDir: cwd, home }));
  writeFileSync(join(cwd, ".loop", "loop.db"), "x");
  expect(execFileSync("git", ["-C", cwd, "status", "--porcelain"], { encoding: "utf8" })).toBe("");
  expect(statSync(join(cwd, ".loop")).mode & 0o777).toBe(0o700);
  expect(readFileSync(join(cwd, ".loop", ".gitignore"), "utf8")).toBe("*\n");
});

test("C02 a state root that cannot be made is one error with a hint, exit 2", async () => {
  const scene = createScene();
  writeFileSync(join(scene.dir, "file"), "");
  scene.configure(`state:\n  root: ${join(scene.dir, "file", "state")}\n`);
  const ran = await scene.loop("sessions", "list");
  expect(ran).toMatchObject({ code: 2, out: "" });
  expect(ran.err).toContain("LOOP_E_STATE_ROOT");
  expect(ran.err).toContain("→ set state.root");
});

test.runIf(process.platform === "linux")("C02 a file system that makes no folders is the same error, not a wait without end", { timeout: 40_000 }, () => {
  const scene = createScene("state: { root: /proc/loop-state/below }\n");
  const bin = fileURLToPath(new URL("../../src/bin.ts", import.meta.url));
  // In a process of its own: one that never ends is stopped by the time, and the test says so.
  const ran = spawnSync(process.execPath, ["--conditions=@loopwork/source", bin, "sessions", "list"], { cwd: scene.cwd, env: scene.env, encoding: "utf8", timeout: 20_000 });
  expect(ran.status).toBe(2);
  expect(ran.stderr).toContain("LOOP_E_STATE_ROOT");
});

type Spoiled = readonly [why: string, spoil: (root: string) => void, said: string];

const byMode: readonly Spoiled[] = [
  ["every user can write it", (root) => chmodSync(root, 0o777), "can be written by every user"],
  ["every user can write a folder on the way", (root) => chmodSync(dirname(root), 0o777), "can be written by every user"],
];
const byOwner: readonly Spoiled[] = [
  ["another user owns it", (root) => chownSync(root, 54_321, 54_321), "belongs to another user"],
  ["another user owns the link in its place", (root) => {
    renameSync(root, `${root}-real`);
    symlinkSync(`${root}-real`, root);
    lchownSync(root, 54_321, 54_321);
  }, "belongs to another user"],
];
const byList: readonly Spoiled[] = [
  ["a list lets another user write it", (root) => void execFileSync("setfacl", ["-m", "u:nobody:rwx", root]), "has an access-control list"],
];

function refuses(_why: string, spoil: (root: string) => void, said: string): void {
  const { dir, home } = createScene();
  const root = join(dir, "keeps", "state");
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const paths = { ...resolvePaths(defaultConfig, { configDir: dir, home }), stateRoot: root };
  ensureStateRoot(paths);
  spoil(root);
  expect(() => ensureStateRoot(paths)).toThrow(said);
}

test.each(byMode)("a state root is refused where %s", refuses);
test.runIf(process.getuid?.() === 0).each(byOwner)("a state root is refused where %s", refuses);
test.runIf(spawnSync("setfacl", ["--version"]).status === 0).each(byList)("a state root is refused where %s", refuses);

test.each(["config", "HEAD", "index"])("a repository whose git waits for a pipe doesn't keep a command waiting: its .git/%s", { timeout: 150_000 }, (name) => {
  const scene = createScene("state: { root: work/.loop }\n");
  execFileSync("git", ["init", "-q", scene.cwd]);
  mkdirSync(join(scene.cwd, ".loop"));
  const file = join(scene.cwd, ".git", name);
  if (name === "config") {
    execFileSync("mkfifo", [join(scene.dir, "pipe")]);
    execFileSync("git", ["-C", scene.cwd, "config", "include.path", join(scene.dir, "pipe")]);
  } else {
    rmSync(file, { force: true });
    execFileSync("mkfifo", [file]);
  }
  const bin = fileURLToPath(new URL("../../src/bin.ts", import.meta.url));
  // The same as above: only a command that never ends meets this limit.
  const ran = spawnSync(process.execPath, ["--conditions=@loopwork/source", bin, "status"], { cwd: scene.dir, env: scene.env, encoding: "utf8", timeout: 120_000 });
  expect(ran).toMatchObject({ status: 2, stderr: expect.stringContaining("LOOP_E_STATE_BROUGHT") });
  const [, command = ""] = /remove what `(find [^`]*)` lists/.exec(ran.stderr) ?? [];
  const found = spawnSync("sh", ["-c", command], { encoding: "utf8", timeout: 20_000 });
  // What the hint says ends, and shows the pipe where it lies in the repository.
  expect(found).toMatchObject({ status: 0, stdout: name === "config" ? "" : `${file}\n` });
});
