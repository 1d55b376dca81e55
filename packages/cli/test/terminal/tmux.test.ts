import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { TerminalPlan } from "@loopwork/core/ports";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { placeOfFolder } from "../../src/terminal/place.ts";
import { createTmux } from "../../src/terminal/tmux.ts";

let dir: string;
let socket: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "loop-tmux-")));
  mkdirSync(join(dir, "terminals"), { mode: 0o700 });
  ({ socket } = place());
  onTestFinished(() => {
    spawnSync("tmux", ["-S", socket, "kill-server"]);
    rmSync(dir, { recursive: true, force: true });
  });
});

const place = () => placeOfFolder(join(dir, "terminals"));
const tmux = (answersWithinMs?: number) =>
  createTmux(place(), process.env["PATH"], answersWithinMs);
const plan = (more: Partial<TerminalPlan> = {}): TerminalPlan => ({
  name: "loop-x",
  title: "octo/demo#1",
  argv: ["/bin/cat"],
  cwd: dir,
  env: {},
  ...more,
});

async function shows(words: string): Promise<string> {
  for (;;) {
    const text = (await tmux().screen("loop-x")).join("");
    if (text.includes(words)) return text;
    await sleep(50);
  }
}

test("W12 X04: a program begins in its folder, also when tmux would read the name as a format", async () => {
  const cwd = join(dir, "c#S #{pid} #(id)");
  mkdirSync(cwd);
  await tmux().open(plan({ cwd, argv: ["/bin/sh", "-c", 'basename "$PWD"; exec cat'] }));
  expect(await shows("c#")).toContain("c#S #{pid} #(id)");
  expect(
    execFileSync(
      "tmux",
      ["-S", socket, "display-message", "-p", "-t", "=loop-x:", "#{session_path}"],
      { encoding: "utf8" },
    ).trim(),
  ).toBe(cwd);
});

test("X04: where the folder is gone no program begins in another one", async () => {
  const opened = await tmux().open(plan({ cwd: join(dir, "gone") }));
  const ended = async (): Promise<unknown> =>
    (await tmux().find("loop-x"))?.alive === false ? tmux().find("loop-x") : sleep(50).then(ended);
  // `cat` would not end. Of a program that ends at once tmux sometimes never learns how.
  expect([opened.ours, await ended()]).toMatchObject([
    true,
    { alive: false, exitCode: expect.toSatisfy((code: unknown) => code === 1 || code === null) },
  ]);
});

test("X04: a server that does not answer is told with a code, and is waited for no longer", async () => {
  await tmux().open(plan());
  const server = Number(
    execFileSync("tmux", ["-S", socket, "display-message", "-p", "#{pid}"], { encoding: "utf8" }),
  );
  process.kill(server, "SIGSTOP");
  try {
    await expect(tmux(300).find("loop-x")).rejects.toMatchObject({
      code: "LOOP_E_TERMINAL",
      message: expect.stringContaining("not answered"),
    });
  } finally {
    process.kill(server, "SIGCONT");
  }
  expect(await tmux().find("loop-x")).toMatchObject({ alive: true });
});

test("X04: two that open one terminal at once both get it, and there is one", async () => {
  const opened = await Promise.all([tmux().open(plan()), tmux().open(plan())]);
  expect(new Set(opened.map(({ pid }) => pid)).size).toBe(1);
});
