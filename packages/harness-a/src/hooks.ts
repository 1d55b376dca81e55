import type { HookCall, HookReply } from "@loopwork/core/ports";
import { parseObject, textOf } from "./fields.ts";

/**
 * Reads what harness A hands to a hook; null when it is no JSON object, or comes from harness B,
 * which can run the same hooks file and names its version in the input.
 */
export function parseHook(
  stdin: string,
  env: Readonly<Record<string, string | undefined>>,
): HookCall | null {
  const call = parseObject(stdin);
  if (call === null || "cursor_version" in call) return null;
  return {
    event: eventByName.get(textOf(call["hook_event_name"]) ?? "") ?? "other",
    sessionId: textOf(call["session_id"]) ?? env["CLAUDE_CODE_SESSION_ID"] ?? null,
    tool: textOf(call["tool_name"]),
    toolUseId: textOf(call["tool_use_id"]),
    input: call["tool_input"] ?? null,
    response: call["tool_response"] ?? call["error"] ?? null,
    transcriptPath: textOf(call["transcript_path"]),
    cwd: textOf(call["cwd"]),
    again: call["stop_hook_active"] === true,
    resumed:
      call["source"] === undefined
        ? null
        : call["source"] === "resume" || call["source"] === "fork",
  };
}

const eventByName: ReadonlyMap<string, HookCall["event"]> = new Map([
  ["PreToolUse", "pre-tool"],
  ["PostToolUse", "post-tool"],
  ["SessionStart", "session-start"],
  ["Stop", "stop"],
  ["UserPromptSubmit", "prompt"],
  ["SessionEnd", "session-end"],
]);

/**
 * The answer that harness A understands. A block is exit code 2 with the reason on standard error,
 * which every gate takes; at a stop it is JSON, so that a hook which breaks, with whatever code,
 * never keeps a session. Context after a tool call reaches the model only as JSON, context at a
 * session's start also as plain text.
 */
export function renderHook(
  reply: HookReply,
  event?: HookCall["event"],
): { readonly stdout: string; readonly stderr: string; readonly code: number } {
  switch (reply.kind) {
    case "nothing":
      return { stdout: "", stderr: "", code: 0 };
    case "block":
      return event === "stop"
        ? {
            stdout: JSON.stringify({ decision: "block", reason: reply.reason }),
            stderr: "",
            code: 0,
          }
        : { stdout: "", stderr: reply.reason, code: 2 };
    case "context":
      return { stdout: contextOf(reply.text, event), stderr: "", code: 0 };
  }
}

function contextOf(text: string, event: HookCall["event"] | undefined): string {
  const name = [...eventByName].find(([, kind]) => kind === event)?.[0];
  return name === undefined
    ? text
    : JSON.stringify({ hookSpecificOutput: { hookEventName: name, additionalContext: text } });
}
