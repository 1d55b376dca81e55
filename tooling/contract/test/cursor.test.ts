import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fixtureCursor } from "@loopwork-tooling/fixture-harness";
import type { Outcome } from "@loopwork/core/ports";
import { createHarnessB, type HarnessB } from "@loopwork/harness-b";
import { afterEach, beforeEach, expect, test } from "vitest";
import { processes } from "../src/processes.ts";

let dir: string;
let harness: HarnessB;

beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "loop-cursor-"));
  harness = createHarnessB({ command: fixtureCursor, args: [], env: {}, passEnv: [], permissions: "guarded", environment: environment(), processes, probeDir: path.join(dir, "probes") });
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function environment(): Record<string, string> {
  return { PATH: `${path.dirname(process.execPath)}:${process.env["PATH"] ?? ""}`, HOME: dir, CURSOR_DATA_DIR: path.join(dir, "data") };
}

async function turn(prompt: string, sessionId: string, env: Readonly<Record<string, string>> = {}, drop: readonly string[] = []): Promise<Outcome> {
  const plan = harness.turns.plan({ mode: "resume", sessionId, receipt: "r", prompt, workdir: dir, turnDir: dir, env: { ...environment(), ...env } });
  const [program, ...args] = plan.argv;
  const files = { stdoutFile: path.join(dir, `${crypto.randomUUID()}.out`), stderrFile: path.join(dir, `${crypto.randomUUID()}.err`) };
  const child = await processes.spawn({ argv: [program, ...args.filter((arg) => !drop.includes(arg))], cwd: dir, env: plan.env, ...files, deadlineMs: 20_000, maxOutputBytes: 1 << 20 });
  await child.write(plan.stdin).catch(() => undefined);
  child.endInput();
  const end = await child.ended;
  return harness.turns.outcome({ receipt: "r", end, stdout: readFileSync(files.stdoutFile, "utf8").split("\n").filter(Boolean), stderr: readFileSync(files.stderrFile, "utf8") });
}

async function newChat(): Promise<string> {
  const made = await harness.createChat();
  if (made.kind === "failed") throw new Error(`no chat was made: ${JSON.stringify(made.outcome)}`);
  return made.id;
}

test("a chat is made and then resumed", async () => {
  const chat = await newChat();
  expect(await turn("hello", chat)).toMatchObject({ kind: "done" });
  expect(await turn("{{stub:bash echo hi}}", chat)).toMatchObject({ kind: "done" });
});

test.each(["0", "1"])("without --trust it refuses, here with exit code %s", async (code) => {
  expect(await turn("hello", await newChat(), { FIXTURE_CURSOR_REFUSAL: code }, ["--trust"])).toEqual({ kind: "untrusted" });
});

test("a chat that is not there, a failure without JSON", async () => {
  expect(await turn("hello", "no-such-chat")).toEqual({ kind: "session-not-found" });
  expect(await turn("{{stub:error 500}}", await newChat())).toMatchObject({ kind: "unclear" });
});

test("a chat that cannot be made fails like an attempt would: without a login, without the program", async () => {
  const made = (over: Readonly<Record<string, string>>, command: string = fixtureCursor) => createHarnessB({ command, args: [], env: over, passEnv: [], permissions: "guarded", environment: environment(), processes, probeDir: path.join(dir, "probes") }).createChat();
  expect(await made({ FIXTURE_CURSOR_LOGGED_OUT: "1" })).toMatchObject({ kind: "failed", outcome: { kind: "login" } });
  expect(await made({}, path.join(dir, "nothing-here"))).toMatchObject({ kind: "failed", outcome: { kind: "not-installed" } });
  expect(await made({ FIXTURE_CURSOR_SILENT: "1" })).toMatchObject({ kind: "failed", outcome: { kind: "transient" } });
});

test("the program is found and shown as never compared", async () => {
  expect(await harness.turns.probe()).toMatchObject({ found: true, version: "2026.10.01-fixture", tested: false });
});
