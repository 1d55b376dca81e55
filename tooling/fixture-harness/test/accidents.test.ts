import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fixtureClaude } from "../src/index.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "fixture-claude-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

type End = {
  readonly code: number | null;
  readonly signal: string | null;
  readonly bytes: number;
  readonly tail: string;
};

function run(
  prompt: string,
  whileRunning: (pid: number) => Promise<void> = async () => undefined,
): Promise<End> {
  const env = {
    PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: dir,
    CLAUDE_CONFIG_DIR: dir,
    CLAUDE_CODE_EAGER_FLUSH: "1",
  };
  const child = spawn(
    fixtureClaude,
    ["-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"],
    { cwd: dir, env, stdio: ["pipe", "pipe", "ignore"] },
  );
  let bytes = 0;
  let tail = "";
  child.stdout.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    tail = (tail + chunk.toString("latin1")).slice(-4000);
  });
  child.stdin.on("error", () => undefined);
  child.stdin.end(
    `${JSON.stringify({ type: "user", message: { role: "user", content: prompt }, uuid: "11111111-1111-4111-8111-111111111111" })}\n`,
  );
  void whileRunning(child.pid ?? 0);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, bytes, tail }));
  });
}

describe("accidents that the real harness cannot be asked for", () => {
  test("X03: exit code 0 without an end of turn", async () => {
    const end = await run("{{fixture:exit 0}}");
    expect(end.code).toBe(0);
    expect(end.tail).not.toContain('"type":"result"');
  });

  test("X01: a SIGKILL from nowhere", async () => {
    expect(await run("{{fixture:kill}}")).toMatchObject({ code: null, signal: "SIGKILL" });
  });

  test("X01: SIGTERM is ignored when asked to, and only then", async () => {
    const [marked, go] = [path.join(dir, "marked"), path.join(dir, "go")];
    const term = async (pid: number): Promise<void> => {
      while (!existsSync(marked)) await sleep(20);
      rmSync(marked);
      process.kill(pid, "SIGTERM");
    };
    const ignoring = `{{fixture:ignore-term}} {{fixture:mark ${marked}}} {{fixture:wait ${go}}}`;
    expect(
      await run(ignoring, async (pid) => term(pid).then(() => writeFileSync(go, ""))),
    ).toMatchObject({ code: 0 });
    rmSync(go);
    expect(await run(`{{fixture:mark ${marked}}} {{fixture:wait ${go}}}`, term)).toMatchObject({
      code: 143,
    });
  });

  test("an accident's path is read where the prompt escapes it, as prompts of the service do", async () => {
    const marked = path.join(dir, "escaped");
    expect(await run(`{{fixture:mark ${marked.replace("/", "\\u002f")}}}`)).toMatchObject({
      code: 0,
    });
    expect(existsSync(marked)).toBe(true);
  });

  test("X02: a flood of output, with bytes that are no UTF-8, and lines without an end", async () => {
    const end = await run("{{fixture:flood 3}}");
    expect(end.bytes).toBeGreaterThan(3 * 1024 * 1024);
    expect(end.tail.includes('"type":"result"'), "the end of turn still comes").toBe(true);
    expect((await run("{{fixture:flood 1 no-newline}}")).bytes).toBeGreaterThan(1024 * 1024);
  });

  test("X01: a child that outlives it", async () => {
    const file = path.join(dir, "orphan");
    expect(await run(`{{fixture:orphan 600 ${file}}}`)).toMatchObject({ code: 0 });
    // Only a process that lives can be killed.
    expect(process.kill(Number(readFileSync(file, "utf8")), "SIGKILL")).toBe(true);
  });
});

test("an unknown flag fails as it does there", async () => {
  const child = spawn(fixtureClaude, ["-p", "hello", "--no-such-flag"], {
    env: { PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`, HOME: dir },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const code = await new Promise((resolve) => child.on("close", resolve));
  expect([code, stderr]).toEqual([1, "error: unknown option '--no-such-flag'\n"]);
});
