import type { HookCall, HookReply } from "@loopwork/core/ports";
import { isRecord, parseLine } from "./result.ts";

/**
 * Reads what harness B hands to a hook; null when it comes from harness A, which names no version
 * of Cursor.
 */
export function parseHook(stdin: string): HookCall | null {
  const call = parseLine(stdin);
  if (call === null || !("cursor_version" in call)) return null;
  return {
    event: eventOf(call),
    sessionId: textOf(call["conversation_id"]) ?? textOf(call["session_id"]),
    tool: textOf(call["tool_name"]),
    toolUseId: textOf(call["tool_use_id"]),
    input: call["tool_input"] ?? null,
    response: responseOf(call["tool_output"]),
    transcriptPath: textOf(call["transcript_path"]),
    cwd: textOf(call["cwd"]) ?? workspaceOf(call["workspace_roots"]),
    again: typeof call["loop_count"] === "number" && call["loop_count"] > 0,
    resumed: null,
  };
}

/** A conversation that a person ended, or that broke, is not followed up. */
function eventOf(call: Readonly<Record<string, unknown>>): HookCall["event"] {
  const event = eventByName.get(String(call["hook_event_name"])) ?? "other";
  return event === "stop" && (call["status"] ?? "completed") !== "completed" ? "other" : event;
}

function workspaceOf(roots: unknown): string | null {
  return Array.isArray(roots) ? textOf(roots[0]) : null;
}

const eventByName: ReadonlyMap<string, HookCall["event"]> = new Map([
  ["preToolUse", "pre-tool"],
  ["postToolUse", "post-tool"],
  ["sessionStart", "session-start"],
  ["stop", "stop"],
  ["beforeSubmitPrompt", "prompt"],
  ["sessionEnd", "session-end"],
]);

/**
 * The answer in the words of the event: a stop can only be followed up, a tool can be denied, the
 * rest takes context.
 */
export function renderHook(
  reply: HookReply,
  event?: HookCall["event"],
): { readonly stdout: string; readonly stderr: string; readonly code: number } {
  if (reply.kind === "nothing") return { stdout: "", stderr: "", code: 0 };
  if (reply.kind === "context")
    return { stdout: JSON.stringify({ additional_context: reply.text }), stderr: "", code: 0 };
  if (event === "stop")
    return { stdout: JSON.stringify({ followup_message: reply.reason }), stderr: "", code: 0 };
  return {
    stdout: JSON.stringify({
      permission: "deny",
      user_message: reply.reason,
      agent_message: reply.reason,
    }),
    stderr: reply.reason,
    code: 2,
  };
}

/** A tool's output comes as JSON inside of a string. */
function responseOf(value: unknown): unknown {
  if (typeof value !== "string") return isRecord(value) ? value : null;
  return parseLine(value) ?? value;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
