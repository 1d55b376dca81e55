import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type ChildEnd, type Outcome, promptText, type TurnRequest } from "@loopwork/core/ports";
import { describe, expect, onTestFinished, test } from "vitest";
import { checkArgs, planTurn } from "../src/command.ts";
import { parseHook, renderHook } from "../src/hooks.ts";
import { outcome, readLine } from "../src/outcome.ts";
import { findEvidence } from "../src/receipt.ts";
import { chatIdIn } from "../src/session-id.ts";

const request: TurnRequest = {
  mode: "start",
  sessionId: "chat-0001",
  receipt: "r",
  prompt: promptText("do -it"),
  workdir: "/w",
  turnDir: "/t",
  env: { PATH: "/bin", CURSOR_AGENT: "1", CURSOR_API_KEY: "k" },
};
const options = {
  command: null,
  args: ["--model", "m"],
  env: {},
  passEnv: [],
  permissions: "guarded" as const,
  trust: true,
};
const end: ChildEnd = { code: 0, signal: null, stopped: null };
const success = JSON.stringify({
  type: "result",
  subtype: "success",
  is_error: false,
  duration_ms: 60_000,
  result: "ok",
  session_id: "chat-0001",
  request_id: "x",
});

function judge(stdout: readonly string[], ended: ChildEnd = end, stderr = ""): Outcome {
  return outcome({ receipt: "r", sessionId: "chat-0001", end: ended, stdout, stderr });
}

describe("plan", () => {
  test("resumes the chat that was made, in its workspace, with the prompt over standard input", () => {
    const plan = planTurn(request, options);
    expect(plan.argv).toEqual([
      "cursor-agent",
      "-p",
      "--output-format",
      "stream-json",
      "--trust",
      "--workspace",
      "/w",
      "--resume",
      "chat-0001",
      "--model",
      "m",
    ]);
    expect(plan).toMatchObject({
      stdin: "do -it",
      closeInput: "after-write",
      env: { PATH: "/bin", CURSOR_API_KEY: "k" },
    });
    expect(plan.env).not.toHaveProperty("CURSOR_AGENT");
  });

  test("the operator's variables reach it, and take away neither our PATH nor who the session is", () => {
    const { env } = planTurn(
      { ...request, env: { ...request.env, LOOP_TURN: "7" } },
      { ...options, env: { PATH: "/elsewhere", LOOP_TURN: "8", EXTRA: "x" } },
    );
    expect(env).toMatchObject({ PATH: "/bin", LOOP_TURN: "7", EXTRA: "x" });
  });

  test("takes the program that is there: cursor-agent, else agent", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "loop-program-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const argv0 = (): string =>
      planTurn({ ...request, env: { PATH: `relative:${folder}` } }, options).argv[0];
    expect(argv0()).toBe("cursor-agent");
    writeFileSync(path.join(folder, "agent"), "", { mode: 0o755 });
    mkdirSync(path.join(folder, "cursor-agent"));
    expect(argv0()).toBe("agent");
    rmSync(path.join(folder, "cursor-agent"), { recursive: true });
    writeFileSync(path.join(folder, "cursor-agent"), "", { mode: 0o755 });
    expect(argv0()).toBe("cursor-agent");
  });

  test.each([
    ["-p"],
    ["--resume=chat"],
    ["-w"],
    ["--worktree", "x"],
    ["--force"],
    ["--api-key", "k"],
    ["--"],
    ["create-chat"],
    ["--model", "m", "words"],
    ["--model", "m", "m"],
    ["--model=m", "words"],
    ["--approve-mcps", "words"],
    ["-pf"],
    ["-fm"],
    ["-"],
  ])("arguments that would break a turn are refused: %s", (...args) => {
    expect(() => checkArgs(args)).toThrow(expect.objectContaining({ code: "LOOP_E_HARNESS_ARGS" }));
  });

  test("other arguments pass", () => {
    expect(() =>
      checkArgs(["--model", "m", "--sandbox", "enabled", "--approve-mcps"]),
    ).not.toThrow();
  });

  test("bypass forces, a command of one's own replaces the program", () => {
    const { argv } = planTurn(request, {
      ...options,
      command: "/opt/agent",
      permissions: "bypass",
    });
    expect(argv[0]).toBe("/opt/agent");
    expect(argv).toContain("--force");
  });
});

describe("outcome", () => {
  test("done needs a parsed result object", () => {
    expect(judge(["{}", success])).toEqual({ kind: "done", denials: [], usd: 0, minutes: 1 });
    expect(judge([])).toMatchObject({ kind: "unclear" });
    expect(judge(["all good"])).toMatchObject({ kind: "unclear", detail: "all good" });
  });

  test.each([0, 1])("X03: a workspace that is not trusted, with exit code %i", (code) => {
    expect(judge(["Workspace Trust Required"], { ...end, code })).toEqual({ kind: "untrusted" });
  });

  test("logins, lost chats, missing programs, signals and deadlines are told apart", () => {
    for (const words of [
      "Error: Not logged in",
      "The provided API key is invalid.",
      "[unauthenticated] Error",
    ])
      expect(judge([], { ...end, code: 1 }, words)).toMatchObject({ kind: "login" });
    expect(judge([], { ...end, code: 1 }, "Chat not found")).toEqual({ kind: "session-not-found" });
    expect(judge([], { ...end, code: 127 })).toMatchObject({ kind: "not-installed" });
    expect(judge([], { ...end, code: 1 }, "error: unknown option '--x'")).toMatchObject({
      kind: "bad-invocation",
    });
    expect(judge([], { code: null, signal: "SIGKILL", stopped: null })).toEqual({
      kind: "killed",
      signal: "SIGKILL",
      asked: false,
    });
    expect(judge([], { code: null, signal: "SIGKILL", stopped: "deadline" })).toEqual({
      kind: "timeout",
    });
    expect(judge([], { code: null, signal: "SIGTERM", stopped: "output-limit" })).toEqual({
      kind: "output-limit",
    });
  });

  test("X03: what people, the model or a tool said in a turn that failed decides nothing: only the harness's own words do", () => {
    const said = ["user", "assistant", "tool_call"].map((type) =>
      JSON.stringify({
        type,
        message: {
          content: [{ type: "text", text: "Not logged in. Rate limit. Workspace Trust Required" }],
        },
      }),
    );
    expect(judge(said, { ...end, code: 1 }, "Error: boom")).toEqual({
      kind: "unclear",
      detail: "Error: boom",
    });
    expect(judge([...said, "Workspace Trust Required"], { ...end, code: 1 })).toEqual({
      kind: "untrusted",
    });
  });

  test("limits and failures that pass are told apart", () => {
    expect(judge([], { ...end, code: 1 }, "Error: You have reached your usage limit")).toEqual({
      kind: "usage-limit",
      until: null,
      limit: null,
    });
    expect(judge([], { ...end, code: 1 }, "Error: 429 Too Many Requests")).toMatchObject({
      kind: "transient",
      status: 429,
    });
    expect(judge([], { ...end, code: 1 }, "connect ECONNREFUSED 127.0.0.1:443")).toMatchObject({
      kind: "transient",
      status: null,
    });
  });

  test("a result of another chat proves nothing of this one, now or after a crash", async () => {
    const other = success.replace("chat-0001", "chat-0002");
    const read = JSON.stringify({ type: "user", message: { role: "user", content: "do it" } });
    const words = "Harness B answered in the chat chat-0002, and chat-0001 was asked.";
    expect(judge([read, other])).toEqual({ kind: "unclear", detail: words });
    expect(await findEvidence({ sessionId: "chat-0001", stdout: [read, other] })).toEqual({
      kind: "unknown",
      why: words,
    });
  });

  test("a result that failed is no success, nor is one that says so by its other word", () => {
    expect(
      judge([
        JSON.stringify({ type: "result", subtype: "error", is_error: false, result: "boom" }),
      ]),
    ).toMatchObject({ kind: "unclear", detail: "boom" });
    expect(
      judge([JSON.stringify({ type: "result", is_error: true, result: "boom" })]),
    ).toMatchObject({ kind: "unclear" });
  });
});

test.each(["-5", "1e999", '"60000"', "null"])("a duration of %s counts as none", (duration) => {
  expect(
    judge([`{"type":"result","subtype":"success","is_error":false,"duration_ms":${duration}}`]),
  ).toEqual({ kind: "done", denials: [], usd: 0, minutes: 0 });
});

test("lines: session, message, reply and result are signals", () => {
  expect(
    readLine(
      JSON.stringify({
        type: "user",
        message: { role: "user", content: [{ type: "text", text: "do it" }] },
      }),
    ),
  ).toEqual({ kind: "accepted", receipt: null });
  expect(
    readLine(
      JSON.stringify({
        type: "user",
        message: { role: "user", content: [{ type: "text", text: "" }] },
      }),
    ),
  ).toBe(null);
  expect(readLine(JSON.stringify({ type: "system", subtype: "init", session_id: "c" }))).toEqual({
    kind: "session",
    sessionId: "c",
    version: null,
  });
  expect(readLine(JSON.stringify({ type: "assistant" }))).toEqual({
    kind: "reached-model",
    receipt: null,
  });
  expect(readLine(success)).toEqual({ kind: "result", receipts: [] });
  expect(readLine("words")).toBe(null);
});

test("after a crash only a result proves anything, and only of a message that was read", async () => {
  const read = (content: unknown): string =>
    JSON.stringify({ type: "user", message: { role: "user", content } });
  for (const words of ["do it", [{ type: "text", text: "do it" }]])
    expect(await findEvidence({ sessionId: "chat-0001", stdout: [read(words), success] })).toEqual({
      kind: "done",
      usd: 0,
      minutes: 1,
    });
  for (const words of ["", "\n", [{ type: "text", text: "" }], [{}], null])
    expect(
      await findEvidence({ sessionId: "chat-0001", stdout: [read(words), success] }),
    ).toMatchObject({ kind: "unknown" });
  expect(await findEvidence({ sessionId: "chat-0001", stdout: [success] })).toMatchObject({
    kind: "unknown",
  });
  expect(await findEvidence({ sessionId: "chat-0001", stdout: [read("do it")] })).toMatchObject({
    kind: "unknown",
  });
  expect(await findEvidence({ sessionId: "chat-0001", stdout: [] })).toMatchObject({
    kind: "unknown",
  });
});

test("the id of a new chat", () => {
  expect(chatIdIn("creating…\n0b8c-1234-abcd\n")).toBe("0b8c-1234-abcd");
  expect(chatIdIn("Error: not logged in")).toBe(null);
  for (const word of ["undefined", "Unauthorized", "--------", "--resume1"])
    expect(chatIdIn(word)).toBe(null);
});

describe("hooks", () => {
  test("reads its own calls, with output that is JSON in a string and a byte order mark, and nobody else's", () => {
    const call = {
      hook_event_name: "postToolUse",
      cursor_version: "2026.10",
      conversation_id: "c",
      tool_name: "Shell",
      tool_input: { command: "ls" },
      tool_output: '{"output":"x","exitCode":0}',
    };
    expect(parseHook(`\uFEFF${JSON.stringify(call)}`)).toEqual({
      event: "post-tool",
      sessionId: "c",
      tool: "Shell",
      toolUseId: null,
      input: { command: "ls" },
      response: { output: "x", exitCode: 0 },
      transcriptPath: null,
      cwd: null,
      again: false,
      resumed: null,
    });
    expect(parseHook(JSON.stringify({ hook_event_name: "Stop" }))).toBe(null);
  });

  test("a stop that was completed is one, an aborted one is none; the first folder is where it works", () => {
    const stop = (status: string): unknown =>
      parseHook(
        JSON.stringify({
          hook_event_name: "stop",
          cursor_version: "2026.10",
          status,
          loop_count: 1,
          workspace_roots: ["/w", "/x"],
        }),
      );
    expect(stop("completed")).toMatchObject({ event: "stop", again: true, cwd: "/w" });
    expect([stop("aborted"), stop("error")]).toMatchObject([
      { event: "other" },
      { event: "other" },
    ]);
  });

  test("answers in the words of the event", () => {
    expect(JSON.parse(renderHook({ kind: "context", text: promptText("t") }).stdout)).toEqual({
      additional_context: "t",
    });
    expect(
      JSON.parse(renderHook({ kind: "block", reason: promptText("r") }, "stop").stdout),
    ).toEqual({
      followup_message: "r",
    });
    expect(renderHook({ kind: "block", reason: promptText("r") }, "pre-tool")).toMatchObject({
      code: 2,
      stderr: "r",
    });
    expect(renderHook({ kind: "nothing" })).toEqual({ stdout: "", stderr: "", code: 0 });
  });
});
