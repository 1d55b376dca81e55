import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Attempt, HarnessSignal, RunningChild, TurnPlan } from "@loopwork/core/ports";
import { expect, onTestFinished, test } from "vitest";
import { createRunProcess } from "../../../src/processes/run-process.ts";
import {
  attemptFiles,
  type AttemptWatch,
  awaitAdopted,
  runAttempt,
} from "../../../../runtime/src/turn/attempt.ts";
import { turnFiles } from "../../../src/turn-folder/turn-files.ts";
import { systemTimers } from "../../../src/start/open.ts";

const limits = { deadlineMs: 20_000, maxOutputBytes: 100_000 };
const parts = { run: createRunProcess(), files: turnFiles, timers: systemTimers };
const attempt: Attempt = {
  receipt: "11111111-1111-4111-8111-111111111111",
  harnessSessionId: "22222222-2222-4222-8222-222222222222",
  kind: "first",
  startedAt: 0,
  child: null,
};
const unreadable = {
  readLine: (): never => {
    throw new Error("a bug of ours");
  },
};

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), "loop-attempt-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Counts who watches a child; the child itself ends with the test. */
function watching(): AttemptWatch & { readonly now: () => number } {
  let now = 0;
  return {
    now: () => now,
    recorded: () => Promise.resolve(true),
    living(child: RunningChild) {
      now += 1;
      onTestFinished(() => child.stop("asked", 0));
      return { spent: () => {}, ended: async () => void (now -= 1) };
    },
  };
}

test("an attempt that fails leaves nobody behind who answers its requests", async () => {
  const dir = folder();
  const watch = watching();
  const plan: TurnPlan = {
    argv: ["/bin/sh", "-c", "echo line; exec sleep 15"],
    env: { PATH: process.env["PATH"] ?? "" },
    stdin: "",
    closeInput: "after-write",
  };
  await expect(
    runAttempt(
      attempt,
      plan,
      dir,
      attemptFiles(dir, 1, attempt.receipt),
      limits,
      watch,
      parts,
      unreadable,
    ),
  ).rejects.toThrow("a bug of ours");
  expect(watch.now()).toBe(0);
});

test("nor does one of an earlier life", async () => {
  const dir = folder();
  const watch = watching();
  const files = attemptFiles(dir, 1, attempt.receipt);
  turnFiles.makeFolder(files.turnDir);
  const { identity } = await parts.run.spawn({
    argv: ["/bin/sh", "-c", "echo line; exec sleep 15"],
    cwd: dir,
    env: { PATH: process.env["PATH"] ?? "" },
    stdoutFile: files.stdout,
    stderrFile: files.stderr,
    ...limits,
  });
  const child = parts.run.adopt(identity, {
    stdoutFile: files.stdout,
    stderrFile: files.stderr,
    ...limits,
  });
  if (child === null) throw new Error("the child is gone");
  await expect(awaitAdopted(child, attempt, files, watch, parts, unreadable)).rejects.toThrow(
    "a bug of ours",
  );
  expect(watch.now()).toBe(0);
});

/**
 * A program of the harness's shape: a first row that says `sandboxed`, then a long turn that leaves
 * a file behind.
 */
const harnessThatSays = (row: string, file: string, afterMs: number): TurnPlan => ({
  argv: [
    process.execPath,
    "-e",
    `process.stdin.once("data", () => { ${row === "" ? "" : `console.log(${JSON.stringify(row)});`} console.log("reply"); setTimeout(() => { require("fs").writeFileSync(${JSON.stringify(file)}, ""); console.log("result"); process.exit(); }, ${afterMs}); })`,
  ],
  env: {},
  stdin: "go\n",
  closeInput: "after-result",
});
const saying = {
  readLine(line: string): HarnessSignal | null {
    if (line === "on" || line === "off")
      return { kind: "session", sessionId: "s", version: null, sandboxed: line === "on" };
    if (line === "silent") return { kind: "session", sessionId: "s", version: null };
    if (line === "reply") return { kind: "reached-model", receipt: null };
    return line === "result" ? { kind: "result", receipts: [attempt.receipt] } : null;
  },
};

test.each([
  ["off", true],
  ["silent", true],
  ["", true],
  ["on", false],
] as const)(
  "a child that is to run in a sandbox and says %j is stopped before it does anything: %s",
  { timeout: 40_000 },
  async (row, isStopped) => {
    const dir = folder();
    const files = { ...attemptFiles(dir, 1, attempt.receipt), sandboxed: true };
    const file = join(dir, "did-something");
    const end = await runAttempt(
      attempt,
      harnessThatSays(row, file, isStopped ? 60_000 : 10),
      dir,
      files,
      limits,
      watching(),
      parts,
      saying,
    );
    expect(end).toMatchObject({
      kind: "observed",
      observed: { sandboxed: true, end: { stopped: isStopped ? "asked" : null } },
    });
    expect(existsSync(file)).toBe(!isStopped);
  },
);

test("a child of an earlier life is held to its sandbox as well", { timeout: 40_000 }, async () => {
  const dir = folder();
  const files = { ...attemptFiles(dir, 1, attempt.receipt), sandboxed: true };
  parts.files.makeFolder(files.turnDir);
  const file = join(dir, "did-something");
  const child = await parts.run.spawn({
    argv: harnessThatSays("off", file, 60_000).argv,
    cwd: dir,
    env: {},
    stdoutFile: files.stdout,
    stderrFile: files.stderr,
    ...limits,
  });
  await child.write("go\n");
  expect(await awaitAdopted(child, attempt, files, watching(), parts, saying)).toMatchObject({
    observed: { sandboxed: true, end: { stopped: "asked" } },
  });
  expect(existsSync(file)).toBe(false);
});

test("a child that was never to run in a sandbox is left alone", { timeout: 40_000 }, async () => {
  const dir = folder();
  const end = await runAttempt(
    attempt,
    harnessThatSays("off", join(dir, "did-something"), 10),
    dir,
    attemptFiles(dir, 1, attempt.receipt),
    limits,
    watching(),
    parts,
    saying,
  );
  expect(end).toMatchObject({ observed: { end: { stopped: null } } });
});
