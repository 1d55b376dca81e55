import { CodeHostError } from "@loopwork/core/ports";
import { at, listAt, numberAt, textAt } from "./fields.ts";

/** What waiting a little helps against: the host is away or its servers fail, in milliseconds. */
const awayMs = 30_000;
/** What the host asks for when it slows one down without saying how long, in milliseconds. */
const slowedMs = 60_000;

/**
 * Any failure of a call as one of five kinds. `task` says what was tried; the token never appears in the text, whatever
 * the host or the network said (P17).
 */
export function toHostError(error: unknown, task: string, token: string | null, now: number): CodeHostError {
  if (error instanceof CodeHostError) return error;
  const kinds = listAt(error, "errors").map((each) => textAt(each, "type"));
  if (error instanceof Error && error.name === "GraphqlResponseError") return answeredNo(kinds, `${task}: ${redactToken(messageOf(error), token)}`);
  const status = at(error, "response") === undefined ? null : numberAt(error, "status");
  const said = redactToken(messageOf(error), token);
  if (status === null || status >= 500) return new CodeHostError("LOOP_E_HOST_UNREACHABLE", `${task}: ${said}`, awayMs);
  const wait = waitMs(error, status, now);
  if (wait !== null) return new CodeHostError("LOOP_E_HOST_LIMIT", `${task}: the host asks to wait (${status})`, wait);
  // A read of something whose id the host cannot resolve is answered with 422 by some addresses.
  const unknownId = status === 422 && textAt(error, "request", "method") === "GET";
  if (status === 404 || status === 410 || unknownId) return new CodeHostError("LOOP_E_HOST_NOT_FOUND", `${task}: not found, or the token may not see it`);
  if (status === 401 && token === null) return new CodeHostError("LOOP_E_HOST_NO_TOKEN", `${task}: the host wants a token`);
  return new CodeHostError("LOOP_E_HOST_REFUSED", `${task}: ${said} (${status})`);
}

/** The query language answers 200 and says in the answer what went wrong. */
function answeredNo(kinds: readonly (string | null)[], said: string): CodeHostError {
  if (kinds.includes("NOT_FOUND")) return new CodeHostError("LOOP_E_HOST_NOT_FOUND", said);
  if (kinds.includes("RATE_LIMITED")) return new CodeHostError("LOOP_E_HOST_LIMIT", said, slowedMs);
  return new CodeHostError("LOOP_E_HOST_REFUSED", said);
}

/** Replaces every occurrence of the token. */
export function redactToken(text: string, token: string | null): string {
  return token === null || token === "" ? text : text.replaceAll(token, "[redacted]");
}

/** How long the host wants to be left alone; null when this is no matter of limits. */
function waitMs(error: unknown, status: number, now: number): number | null {
  if (status !== 429 && status !== 403) return null;
  const after = Number(textAt(error, "response", "headers", "retry-after") ?? "");
  if (Number.isFinite(after) && after > 0) return after * 1_000;
  const headers = at(error, "response", "headers");
  const reset = Number(textAt(headers, "x-ratelimit-reset") ?? "");
  if (textAt(headers, "x-ratelimit-remaining") === "0" && reset > 0) return Math.max(reset * 1_000 - now, 1_000);
  return status === 429 || messageOf(error).toLowerCase().includes("secondary rate limit") ? slowedMs : null;
}

function messageOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : "";
  return `${error instanceof Error ? error.message : String(error)}${cause}`.slice(0, 500);
}
