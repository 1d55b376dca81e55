import { CodeHostError } from "@loopwork/core/ports";

/**
 * What a failed call means for us: whether asking again helps, and when. The token never stands in a message.
 * Limits: 429, or 403 with a `retry-after` or without remaining calls, as the host documents them.
 */
export function failureOf(error: unknown, token: string | null, now: number): CodeHostError {
  const detail = redacted(error instanceof Error ? error.message : String(error), token);
  const status = numberAt(error, "status");
  if (status === null || status >= 500) return new CodeHostError("LOOP_E_HOST_UNREACHABLE", `the code host does not answer: ${detail}`);
  const wait = waitOf(headersOf(error), now);
  if (status === 429 || (status === 403 && wait !== null)) return new CodeHostError("LOOP_E_HOST_LIMIT", `the code host asks to wait: ${detail}`, wait ?? 60_000);
  if (status === 404 || status === 410) return new CodeHostError("LOOP_E_HOST_NOT_FOUND", `the code host does not know it: ${detail}`);
  return new CodeHostError("LOOP_E_HOST_REFUSED", `the code host refused (${status}): ${detail}`);
}

/** Milliseconds to wait, from `retry-after` in seconds or `x-ratelimit-reset` in seconds since 1970. */
function waitOf(headers: Readonly<Record<string, unknown>>, now: number): number | null {
  const seconds = Number(headers["retry-after"] ?? Number.NaN);
  if (Number.isFinite(seconds)) return Math.max(0, seconds) * 1000;
  const reset = Number(headers["x-ratelimit-reset"] ?? Number.NaN);
  return headers["x-ratelimit-remaining"] === "0" && Number.isFinite(reset) ? Math.max(1000, reset * 1000 - now) : null;
}

function headersOf(error: unknown): Readonly<Record<string, unknown>> {
  const response: unknown = error instanceof Error && "response" in error ? error.response : null;
  const headers: unknown = typeof response === "object" && response !== null && "headers" in response ? response.headers : null;
  return typeof headers === "object" && headers !== null ? { ...headers } : {};
}

function numberAt(error: unknown, name: "status"): number | null {
  const value: unknown = error instanceof Error ? Reflect.get(error, name) : null;
  return typeof value === "number" ? value : null;
}

function redacted(text: string, token: string | null): string {
  return token === null || token === "" ? text : text.replaceAll(token, "***");
}
