import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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
  expect(ran.stderr).toContain("run `git status` there");
});
