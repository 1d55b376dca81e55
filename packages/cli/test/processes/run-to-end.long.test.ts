import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { LoopError, type RunProcess } from "@loopwork/core/ports";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { runHooks } from "../../../runtime/src/graph/hooks.ts";
import { createRunProcess } from "../../src/processes/run-process.ts";
import { runToEnd } from "../../src/processes/run-to-end.ts";
import type { CommandPlan } from "@loopwork/runtime";
import { endSentence } from "../../../runtime/src/small-programs.ts";
import { ChildEnvironment } from "@loopwork/runtime/child-environment";
import { elsewhere, inScratch, ownerOf } from "../../src/processes/scratch.ts";

const run = createRunProcess();
const scratchDir = mkdtempSync(join(tmpdir(), "loop-scratch-"));
afterAll(() => rmSync(scratchDir, { recursive: true, force: true }));

/** A program of Node's as the operator would name it. */
function program(script: string, over: Partial<CommandPlan> = {}): CommandPlan {
  return {
    argv: [process.execPath, "-e", script],
    cwd: process.cwd(),
    env: ChildEnvironment.tool(process.env),
    input: "what to judge",
    deadlineMs: 60_000,
    mostBytes: 1024 * 1024,
    scratchDir,
    ...over,
  };
}

test("what it prints, its exit code and the end of its complaints come back; what to judge is its input", async () => {
  const end = await runToEnd(
    program(
      `process.stdin.pipe(process.stdout); console.error("x".repeat(500) + "the end"); process.exitCode = 3`,
    ),
    run,
  );
  expect(end).toMatchObject({ kind: "ended", code: 3, stdout: "what to judge" });
  expect(end.kind === "ended" && endSentence(end)).toMatch(/^it ended with 3: x{393}the end$/);
});

test("its argv is no text of a shell", async () => {
  const end = await runToEnd(
    program("", { argv: [process.execPath, "-p", "process.argv[1]", "$(echo no); `echo no`"] }),
    run,
  );
  expect(end).toMatchObject({ kind: "ended", code: 0, stdout: "$(echo no); `echo no`\n" });
});

test("one that reads nothing of its input may end", async () => {
  expect(await runToEnd(program("", { input: "x".repeat(1_000_000) }), run)).toMatchObject({
    kind: "ended",
    code: 0,
  });
});

test("past its deadline it is stopped, also where it does not listen, with what it has started", async () => {
  const script = `process.on("SIGTERM", () => {}); require("node:child_process").spawn(process.execPath, ["-e", "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"], { stdio: "inherit" }); setInterval(() => {}, 1000)`;
  expect(await runToEnd(program(script, { deadlineMs: 1_000 }), run)).toEqual({
    kind: "failed",
    why: "it ran longer than 1 s",
  });
});

test(
  "it is over when it is over, also where it left a child in a group of its own that holds its output",
  { timeout: 60_000 },
  async () => {
    const script = `const child = require("node:child_process").spawn(process.execPath, ["-e", "setTimeout(() => {}, 120000)"], { stdio: "inherit", detached: true }); console.log(child.pid); child.unref()`;
    const end = await runToEnd(program(script), run);
    onTestFinished(
      () => void process.kill(Number(end.kind === "ended" ? end.stdout : NaN), "SIGKILL"),
    );
    expect(end).toMatchObject({ kind: "ended", code: 0 });
  },
);

test("a flood is stopped, and one that was over at once is seen", async () => {
  const tooMuch = { kind: "failed", why: "it printed more than 1048576 bytes" };
  expect(
    await runToEnd(
      program(`const more = () => process.stdout.write("x".repeat(65536), more); more()`),
      run,
    ),
  ).toEqual(tooMuch);
  expect(await runToEnd(program(`process.stderr.write("x".repeat(1048577))`), run)).toEqual(
    tooMuch,
  );
});

test("a program that is not there, and one that is killed, are told as that", async () => {
  expect(await runToEnd(program("", { argv: ["/nowhere/judge"] }), run)).toMatchObject({
    kind: "failed",
    why: expect.stringContaining("/nowhere/judge could not be run"),
  });
  expect(await runToEnd(program(`process.kill(process.pid, "SIGKILL")`), run)).toEqual({
    kind: "failed",
    why: "it was ended by SIGKILL",
  });
});

test("its output stands where only we and no command in the sandbox can read it, and nothing of it stays behind", async () => {
  const script = `const { readlinkSync, statSync } = require("node:fs"); const file = readlinkSync("/proc/self/fd/1"); console.log(file + "\\n" + (statSync(require("node:path").dirname(file)).mode & 0o777).toString(8))`;
  const end = await runToEnd(program(script), run);
  const [file = "", mode] = (end.kind === "ended" ? end.stdout : "").split("\n");
  expect([file.startsWith(`${scratchDir}/`), mode]).toEqual([true, "700"]);
  expect([existsSync(file), readdirSync(scratchDir)]).toEqual([false, []]);
});

test("what a killed process left goes with the next one, and what a living one needs stays", async () => {
  const child = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)"]);
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "spawn");
  const living = join(scratchDir, `${ownerOf(child.pid ?? 0)}-left`);
  const gone = join(scratchDir, "4194303-0123456789ab-left");
  const reused = join(scratchDir, `${process.pid}-000000000000-left`);
  for (const folder of [gone, living, reused]) mkdirSync(folder);
  await runToEnd(program(""), run);
  expect([gone, living, reused].map((folder) => existsSync(folder))).toEqual([false, true, false]);
  rmSync(living, { recursive: true });
});

test("a folder that others can read is refused, and a state root that isn't there is not made", async () => {
  const open = join(scratchDir, "state/scratch");
  mkdirSync(open, { recursive: true, mode: 0o755 });
  await expect(runToEnd(program("", { scratchDir: open }), run)).rejects.toMatchObject({
    code: "LOOP_E_SANDBOX",
  });
  rmSync(join(scratchDir, "state"), { recursive: true });
  const none = join(scratchDir, "none/scratch");
  expect(await runToEnd(program("", { scratchDir: none }), run)).toMatchObject({ kind: "ended" });
  expect(existsSync(join(none, ".."))).toBe(false);
  const beside = join(tmpdir(), `loop-${process.getuid?.() ?? 0}`);
  expect(statSync(beside).mode & 0o777).toBe(0o700);
});

test("for a harness that takes orders from every repository around it no folder lies in one", async () => {
  const place = realpathSync(mkdtempSync(join("/var/tmp", "loop-orders-")));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  const [state, tmp, linked, clean] = ["state", "tmp", "linked", "clean"].map((name) =>
    join(place, name),
  ) as [string, string, string, string];
  for (const folder of [join(state, ".git"), join(tmp, ".git"), join(tmp, "in"), clean])
    mkdirSync(folder, { recursive: true });
  symlinkSync(join(tmp, "in"), linked);
  const held = async (...bases: readonly string[]): Promise<string> =>
    inScratch(
      join(state, "scratch"),
      (folder) => Promise.resolve(folder),
      bases.map((base) => join(base, "own/scratch")),
    );
  const inClean = join(clean, "own/scratch");
  for (const bases of [
    [tmp, clean],
    [linked, clean],
    [join(place, "none"), clean],
  ])
    expect(dirname(await held(...bases))).toBe(inClean);
  await expect(held(tmp, linked)).rejects.toMatchObject({
    code: "LOOP_E_SANDBOX",
    hint: expect.stringContaining("TMPDIR"),
  });
  expect(readdirSync(tmp).toSorted()).toEqual([".git", "in"]);
  expect(elsewhere().slice(0, 3)).toEqual(
    [tmpdir(), "/tmp", "/var/tmp"].map((base) =>
      join(base, `loop-${process.getuid?.() ?? 0}`, "scratch"),
    ),
  );
});

/**
 * A broker that is lost so many times, as its child runs or as it is asked for one; it serves then.
 */
function losing(
  times: number,
  when: "running" | "asked",
): { readonly run: RunProcess; readonly asked: () => number } {
  let asked = 0;
  return {
    asked: () => asked,
    run: {
      ...run,
      async spawn(plan) {
        asked += 1;
        if (asked > times) return run.spawn(plan);
        if (when === "asked") throw new LoopError("LOOP_E_BROKER", "the broker is lost", "");
        const child = await run.spawn(plan);
        return {
          ...child,
          ended: child.ended.then(() => ({ code: null, signal: null, stopped: null })),
        };
      },
    },
  };
}

describe.each(["running", "asked"] as const)(
  "a program whose broker is lost while it is %s",
  (when) => {
    test("is run once more, as nothing is known of it", async () => {
      const broker = losing(1, when);
      expect(await runToEnd(program("console.log(1)"), broker.run)).toMatchObject({
        kind: "ended",
        code: 0,
        stdout: "1\n",
      });
      expect(broker.asked()).toBe(2);
    });

    test("twice has come to nothing, which is no failure of its own", async () => {
      const broker = losing(2, when);
      expect(await runToEnd(program("process.exit(1)"), broker.run)).toEqual({
        kind: "lost",
        why: expect.stringMatching(/broker is lost|before it said how one ended/),
      });
      expect(broker.asked()).toBe(2);
    });

    test("twice has no verdict where it is an operator's check", async () => {
      const checks = [
        { node: "build", command: [process.execPath, "-e", ""], deadlineSeconds: 60 },
      ];
      const place = {
        programs: { runToEnd },
        cwd: process.cwd(),
        settings: { env: {}, secretNames: [], scratchDir },
      };
      expect(await runHooks(checks, "build", { ...place, run: losing(1, when).run })).toEqual([]);
      await expect(
        runHooks(checks, "build", { ...place, run: losing(2, when).run }),
      ).rejects.toMatchObject({ code: "LOOP_E_BROKER" });
    });
  },
);
