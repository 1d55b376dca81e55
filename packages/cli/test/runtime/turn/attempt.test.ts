import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Attempt } from "@loopwork/core";
import type { RunningChild, TurnPlan } from "@loopwork/core/ports";
import { expect, onTestFinished, test } from "vitest";
import { createRunProcess } from "../../../src/runtime/run-process.ts";
import { attemptFiles, type AttemptWatch, awaitAdopted, runAttempt } from "../../../src/runtime/turn/attempt.ts";
import { turnFiles } from "../../../src/runtime/turn/turn-files.ts";
import { systemTimers } from "../../../src/start/open.ts";

const limits = { deadlineMs: 20_000, maxOutputBytes: 100_000 };
const parts = { run: createRunProcess(), files: turnFiles, timers: systemTimers };
const attempt: Attempt = { receipt: "11111111-1111-4111-8111-111111111111", harnessSessionId: "22222222-2222-4222-8222-222222222222", kind: "first", startedAt: 0, child: null };
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
  const plan: TurnPlan = { argv: ["/bin/sh", "-c", "echo line; exec sleep 15"], env: { PATH: process.env["PATH"] ?? "" }, stdin: "", closeInput: "after-write" };
  await expect(runAttempt(attempt, plan, dir, attemptFiles(dir, 1, attempt.receipt), limits, watch, parts, unreadable)).rejects.toThrow("a bug of ours");
  expect(watch.now()).toBe(0);
});

test("nor does one of an earlier life", async () => {
  const dir = folder();
  const watch = watching();
  const files = attemptFiles(dir, 1, attempt.receipt);
  turnFiles.makeFolder(files.turnDir);
  const { identity } = await parts.run.spawn({ argv: ["/bin/sh", "-c", "echo line; exec sleep 15"], cwd: dir, env: { PATH: process.env["PATH"] ?? "" }, stdoutFile: files.stdout, stderrFile: files.stderr, ...limits });
  const child = parts.run.adopt(identity, { stdoutFile: files.stdout, stderrFile: files.stderr, ...limits });
  if (child === null) throw new Error("the child is gone");
  await expect(awaitAdopted(child, attempt, files, watch, parts, unreadable)).rejects.toThrow("a bug of ours");
  expect(watch.now()).toBe(0);
});
