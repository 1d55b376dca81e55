import { type Fields, listOf, numberOf, objectOf, parseObject, textOf, textsOf } from "./fields.ts";

/** One line of the harness's stream-json output, reduced to what an adapter has to know. */
export type StreamLine =
  /**
   * The fate of a message by its receipt: queued, started, completed, cancelled, discarded,
   * refused.
   */
  | { readonly kind: "lifecycle"; readonly receipt: string; readonly state: string }
  | {
      readonly kind: "init";
      readonly sessionId: string;
      readonly version: string | null;
      readonly plugins: readonly string[];
      readonly sandboxed: boolean;
    }
  /**
   * Our message, said back. `duplicate`: the harness has answered this receipt before and does
   * nothing now.
   */
  | { readonly kind: "echo"; readonly receipt: string; readonly duplicate: boolean }
  | { readonly kind: "reply" }
  | {
      readonly kind: "limit";
      readonly rejected: boolean;
      readonly until: number | null;
      readonly limit: string | null;
    }
  | { readonly kind: "result"; readonly result: TurnResult }
  | { readonly kind: "other" };

/** The harness's own end of a turn. */
export type TurnResult = {
  readonly receipts: readonly string[];
  readonly failed: boolean;
  readonly turns: number;
  readonly terminalReason: string | null;
  readonly apiStatus: number | null;
  readonly apiError: string | null;
  readonly text: string;
  readonly denials: readonly { readonly tool: string; readonly input: unknown }[];
  /** Dollars of this turn alone: the total of the line counts the whole conversation. */
  readonly usd: number;
  readonly durationMs: number;
};

/** Reads one line of standard output; null when it is no JSON object. */
export function parseStreamLine(line: string): StreamLine | null {
  const fields = parseObject(line);
  if (fields === null) return null;
  switch (fields["type"]) {
    case "command_lifecycle":
      return {
        kind: "lifecycle",
        receipt: textOf(fields["command_uuid"]) ?? "",
        state: textOf(fields["state"]) ?? "",
      };
    case "system":
      return fields["subtype"] === "init" ? initOf(fields) : { kind: "other" };
    case "user":
      return fields["isReplay"] === true
        ? {
            kind: "echo",
            receipt: textOf(fields["uuid"]) ?? "",
            duplicate: textOf(fields["timestamp"]) === null,
          }
        : { kind: "other" };
    case "assistant":
      return { kind: "reply" };
    case "rate_limit_event":
      return limitOf(objectOf(fields["rate_limit_info"]) ?? {});
    case "result":
      return { kind: "result", result: resultOf(fields) };
    default:
      return { kind: "other" };
  }
}

/**
 * What `rate_limit_info` says; the harness gives seconds, the result has milliseconds since 1970.
 */
export function limitOf(info: Fields): Extract<StreamLine, { kind: "limit" }> {
  const seconds = numberOf(info["resetsAt"]);
  return {
    kind: "limit",
    rejected: info["status"] === "rejected",
    until: seconds === null ? null : seconds * 1000,
    limit: textOf(info["rateLimitType"]),
  };
}

function initOf(fields: Fields): StreamLine {
  const plugins = listOf(fields["plugins"]).map(
    (plugin) => textOf(objectOf(plugin)?.["name"]) ?? "",
  );
  return {
    kind: "init",
    sessionId: textOf(fields["session_id"]) ?? "",
    version: textOf(fields["claude_code_version"]),
    plugins,
    sandboxed: fields["sandbox_enabled"] === true,
  };
}

function resultOf(fields: Fields): TurnResult {
  return {
    receipts: receiptsOf(fields),
    failed: fields["is_error"] !== false,
    turns: numberOf(fields["num_turns"]) ?? 0,
    terminalReason: textOf(fields["terminal_reason"]),
    apiStatus: numberOf(fields["api_error_status"]),
    apiError: textOf(fields["api_error"]),
    text: textOf(fields["result"]) ?? textsOf(fields["errors"]).join("; "),
    denials: listOf(fields["permission_denials"]).map((entry) => ({
      tool: textOf(objectOf(entry)?.["tool_name"]) ?? "unknown",
      input: objectOf(entry)?.["tool_input"] ?? null,
    })),
    usd: usdOf(fields),
    durationMs: numberOf(fields["duration_ms"]) ?? 0,
  };
}

function receiptsOf(fields: Fields): readonly string[] {
  const all = textsOf(fields["user_message_uuids"]);
  const one = textOf(fields["user_message_uuid"]);
  return one === null || all.includes(one) ? all : [...all, one];
}

/**
 * `total_cost_usd` grows over a resumed conversation, so the models' use since the last result is
 * summed instead.
 */
function usdOf(fields: Fields): number {
  const models = objectOf(fields["model_usage_since_last_result"]);
  if (models === null) return numberOf(fields["total_cost_usd"]) ?? 0;
  return Object.values(models).reduce<number>(
    (sum, model) => sum + (numberOf(objectOf(model)?.["costUSD"]) ?? 0),
    0,
  );
}
