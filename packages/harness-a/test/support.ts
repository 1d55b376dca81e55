import { type ChildEnd, promptText, type TurnRequest } from "@loopwork/core/ports";
import { type CommandOptions } from "../src/command.ts";
import { defaults } from "../src/options.ts";

export const receipt = "11111111-1111-4111-8111-111111111111";
export const otherReceipt = "22222222-2222-4222-8222-222222222222";
export const sessionId = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa";

export const options: CommandOptions = { ...defaults, pluginDir: "/opt/loop/plugin" };

export function request(changes: Partial<TurnRequest> = {}): TurnRequest {
  return {
    mode: "start",
    sessionId,
    receipt,
    prompt: promptText("do it"),
    workdir: "/w",
    turnDir: "/state/turns/1",
    env: { PATH: "/bin" },
    ...changes,
  };
}

export const cleanEnd: ChildEnd = { code: 0, signal: null, stopped: null };
export const failedEnd: ChildEnd = { code: 1, signal: null, stopped: null };

/** Lines of the harness, with the keys that its version 2.1.332 prints and an adapter reads. */
export const lines = {
  lifecycle: (state: string, uuid = receipt): string =>
    JSON.stringify({
      type: "command_lifecycle",
      command_uuid: uuid,
      state,
      uuid: "x",
      session_id: sessionId,
    }),
  init: (
    plugins: readonly string[] = ["loop"],
    version = "2.1.332",
    sandboxed: boolean | null = null,
  ): string =>
    JSON.stringify({
      type: "system",
      subtype: "init",
      session_id: sessionId,
      claude_code_version: version,
      ...(sandboxed === null ? {} : { sandbox_enabled: sandboxed }),
      plugins: plugins.map((name) => ({ name, path: "/p" })),
      user_message_uuids: [receipt],
    }),
  echo: (uuid = receipt): string =>
    JSON.stringify({
      type: "user",
      message: { role: "user", content: "do it" },
      uuid,
      timestamp: "2026-11-21T07:22:42.619Z",
      isReplay: true,
    }),
  duplicate: (uuid = receipt): string =>
    JSON.stringify({
      type: "user",
      message: { role: "user", content: "do it" },
      uuid,
      isReplay: true,
    }),
  reply: (text = "ok"): string =>
    JSON.stringify({
      type: "assistant",
      message: { role: "assistant", content: [{ type: "text", text }] },
      user_message_uuids: [receipt],
    }),
  limit: (resetsAt: number | undefined, status = "rejected"): string =>
    JSON.stringify({
      type: "rate_limit_event",
      rate_limit_info: { status, resetsAt, rateLimitType: "five_hour" },
    }),
  result: (changes: Readonly<Record<string, unknown>> = {}): string =>
    JSON.stringify({
      type: "result",
      subtype: "success",
      is_error: false,
      num_turns: 2,
      result: "ok",
      duration_ms: 30_000,
      total_cost_usd: 5,
      permission_denials: [],
      terminal_reason: "completed",
      api_error_status: null,
      user_message_uuid: receipt,
      user_message_uuids: [receipt],
      model_usage_since_last_result: { big: { costUSD: 0.25 }, small: { costUSD: 0.5 } },
      ...changes,
    }),
};
