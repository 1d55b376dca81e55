import type { ApiError } from "../api-error.ts";
import { pluginName } from "../verify-plugin.ts";

/**
 * What the driver prints, in the words of the harness's own stream of lines: so one reader judges
 * both runners. Three lines are the driver's own: `pressed`, which stands before the key that sends
 * the message, and what refuses it.
 */
export const lines = {
  pressed: (receipt: string): string =>
    JSON.stringify({ type: "command_lifecycle", command_uuid: receipt, state: pressedState }),
  started: (receipt: string): string =>
    JSON.stringify({ type: "command_lifecycle", command_uuid: receipt, state: "started" }),
  init: (sessionId: string, version: string | null): string =>
    JSON.stringify({
      type: "system",
      subtype: "init",
      session_id: sessionId,
      claude_code_version: version,
      plugins: [{ name: pluginName }],
    }),
  echo: (receipt: string): string =>
    JSON.stringify({ type: "user", isReplay: true, uuid: receipt, timestamp: "" }),
  reply: (): string => JSON.stringify({ type: "assistant" }),
  done: (
    receipt: string,
    durationMs: number,
    denials: readonly { readonly tool: string | null; readonly input: unknown }[],
  ): string =>
    JSON.stringify({
      ...resultOf(receipt, durationMs),
      is_error: false,
      terminal_reason: "completed",
      permission_denials: denials.map(({ tool, input }) => ({
        tool_name: tool,
        tool_input: input,
      })),
    }),
  limit: ({ until, limit }: ApiError): string =>
    JSON.stringify({
      type: "rate_limit_event",
      rate_limit_info: {
        status: "rejected",
        resetsAt: until === null ? null : until / 1000,
        rateLimitType: limit,
      },
    }),
  failed: (receipt: string, durationMs: number, error: ApiError): string =>
    JSON.stringify({
      ...resultOf(receipt, durationMs),
      is_error: true,
      terminal_reason: "api_error",
      api_error_status: error.status,
      api_error: error.name,
      result: error.text,
    }),
  /**
   * An end without our receipt: nothing was sent. `words` are those by which the outcome is known.
   */
  refused: (words: string): string =>
    JSON.stringify({ type: "result", is_error: true, num_turns: 0, errors: [words] }),
} as const;

export const pressedState = "pressed";

/**
 * What a terminal that cannot be typed into says; judged as `session-busy`, with the rest for
 * people.
 */
export const busyWords = "The terminal cannot take a message now:";
/** What a harness says that asks for trust; judged as `untrusted`. */
export const untrustedWords = "The harness asks whether this folder is trusted.";

/** What a turn costs is not told in a terminal. */
function resultOf(receipt: string, durationMs: number): Readonly<Record<string, unknown>> {
  return {
    type: "result",
    num_turns: 1,
    duration_ms: durationMs,
    user_message_uuids: [receipt],
    model_usage_since_last_result: {},
  };
}
