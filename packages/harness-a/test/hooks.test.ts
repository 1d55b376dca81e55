import { promptText } from "@loopwork/core/ports";
import { describe, expect, test } from "vitest";
import { parseHook, renderHook } from "../src/hooks.ts";

describe("parseHook", () => {
  test("reads a call before a tool", () => {
    const stdin = JSON.stringify({
      session_id: "s",
      transcript_path: "/t",
      cwd: "/w",
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: "ls" },
      tool_use_id: "u",
    });
    expect(parseHook(stdin, {})).toEqual({
      event: "pre-tool",
      sessionId: "s",
      tool: "Bash",
      toolUseId: "u",
      input: { command: "ls" },
      response: null,
      transcriptPath: "/t",
      cwd: "/w",
      again: false,
      resumed: null,
    });
  });

  test.each([
    ["PostToolUse", "post-tool"],
    ["SessionStart", "session-start"],
    ["Stop", "stop"],
    ["UserPromptSubmit", "prompt"],
    ["SessionEnd", "session-end"],
    ["Whatever", "other"],
  ])("%s is %s", (name, event) => {
    expect(parseHook(JSON.stringify({ hook_event_name: name }), {})?.event).toBe(event);
  });

  test("a tool that failed tells its error, a stop whether it was kept from it before", () => {
    expect(
      parseHook(
        JSON.stringify({ hook_event_name: "PostToolUseFailure", error: "Exit code 1" }),
        {},
      ),
    ).toMatchObject({ event: "other", response: "Exit code 1" });
    expect(
      parseHook(JSON.stringify({ hook_event_name: "Stop", stop_hook_active: true }), {}),
    ).toMatchObject({ event: "stop", again: true });
  });

  test("the session comes from the environment when the input has none, and a byte order mark is no trouble", () => {
    expect(parseHook("\uFEFF{}", { CLAUDE_CODE_SESSION_ID: "e" })).toMatchObject({
      sessionId: "e",
      event: "other",
    });
  });

  test("what harness B hands over is not ours, nor is what is no object", () => {
    expect(
      parseHook(JSON.stringify({ hook_event_name: "PreToolUse", cursor_version: "2026.10" }), {}),
    ).toBe(null);
    for (const stdin of ["", "null", "[]", "x"]) expect(parseHook(stdin, {})).toBe(null);
  });
});

describe("renderHook", () => {
  test("nothing is silence, a block is exit code 2 with its reason on standard error", () => {
    expect(renderHook({ kind: "nothing" })).toEqual({ stdout: "", stderr: "", code: 0 });
    expect(renderHook({ kind: "block", reason: promptText("not yet") })).toEqual({
      stdout: "",
      stderr: "not yet",
      code: 2,
    });
  });

  test("a stop is blocked in words alone, so that no exit code of a broken hook can do it", () => {
    const { stdout, code } = renderHook({ kind: "block", reason: promptText("not yet") }, "stop");
    expect([JSON.parse(stdout), code]).toEqual([{ decision: "block", reason: "not yet" }, 0]);
  });

  test("context is plain text, and JSON where only that reaches the model", () => {
    expect(renderHook({ kind: "context", text: promptText("hello") }).stdout).toBe("hello");
    expect(
      JSON.parse(renderHook({ kind: "context", text: promptText("hello") }, "post-tool").stdout),
    ).toEqual({
      hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "hello" },
    });
  });
});
