import type { HarnessSignal, Observed, Outcome } from "@loopwork/core/ports";
import { elsewhereWords, lastResult, parseLine, parseMessage } from "./result.ts";

/** What a line tells about a running attempt. Results of harness B name no receipt. */
export function readLine(line: string): HarnessSignal | null {
  const fields = parseLine(line);
  if (fields === null) return null;
  if (
    fields["type"] === "system" &&
    fields["subtype"] === "init" &&
    typeof fields["session_id"] === "string"
  )
    return { kind: "session", sessionId: fields["session_id"], version: null };
  if ((parseMessage(line) ?? "").trim() !== "") return { kind: "accepted", receipt: null };
  if (fields["type"] === "assistant") return { kind: "reached-model", receipt: null };
  return fields["type"] === "result" ? { kind: "result", receipts: [] } : null;
}

/**
 * Judges an attempt by a parsed result object alone: the refusal of an untrusted folder was seen
 * with exit codes 0 and 1.
 */
export function outcome({ sessionId, stdout, stderr, end }: Observed): Outcome {
  const { result, elsewhere } = lastResult(stdout, sessionId);
  if (elsewhere !== null) return { kind: "unclear", detail: elsewhereWords(elsewhere, sessionId) };
  if (result !== null && !result.failed)
    return { kind: "done", denials: [], usd: 0, minutes: result.durationMs / 60_000 };
  if (end.stopped === "deadline") return { kind: "timeout" };
  if (end.stopped === "output-limit") return { kind: "output-limit" };
  if (end.stopped !== null || end.signal !== null)
    return { kind: "killed", signal: end.signal, asked: end.stopped !== null };
  // Lines of JSON quote people, the model and its tools; a failure is told in plain words.
  return judgeWords(
    [result?.text ?? "", ...stdout.filter((line) => parseLine(line) === null), stderr].join("\n"),
    end.code,
  );
}

/** What the program's own words say about a failure. */
export function judgeWords(words: string, code: number | null): Outcome {
  const detail = words.trim().slice(0, 500);
  const has = (...parts: readonly string[]): boolean =>
    parts.some((part) => words.toLowerCase().includes(part));
  if (has("workspace trust required")) return { kind: "untrusted" };
  if (
    has(
      "not logged in",
      "login required",
      "authentication required",
      "unauthenticated",
      "invalid api key",
      "api key is invalid",
    )
  )
    return { kind: "login", detail };
  if (has("chat not found", "no chat found")) return { kind: "session-not-found" };
  if (has("usage limit")) return { kind: "usage-limit", until: null, limit: null };
  if (has("rate limit", "too many requests", "resource exhausted"))
    return { kind: "transient", status: 429, detail };
  if (
    has(
      "econnrefused",
      "econnreset",
      "enotfound",
      "etimedout",
      "network error",
      "service unavailable",
      "overloaded",
    )
  )
    return { kind: "transient", status: null, detail };
  if (code === 127) return { kind: "not-installed", detail };
  if (has("unknown option")) return { kind: "bad-invocation", detail };
  return {
    kind: "unclear",
    detail:
      detail === "" ? `The harness ended with code ${code ?? "unknown"} and no result.` : detail,
  };
}
