import { createRedactor } from "@loopwork/core";
import { CodeHostError } from "@loopwork/core/ports";
import { at, listAt, numberAt, textAt } from "./fields.ts";
import { ForeignAddress } from "./octokit.ts";
import { refusedRedirectIn } from "./own-origin.ts";

/** What waiting a little helps against: the host is away or its servers fail, in milliseconds. */
const awayMs = 30_000;
/** What the host asks for when it slows one down without saying how long, in milliseconds. */
const slowedMs = 60_000;

const hostMoved = "If the host has moved, set integrations.codeHost.apiBaseUrl to its new address.";

/** What was tried, in words for people, and what must not appear in any text about it. */
export type Tried = {
  readonly task: string;
  readonly token: string | null;
  readonly secrets?: readonly string[];
};

/**
 * Any failure of a call as one of a few kinds. No secret appears in the text, whatever the host or
 * the network said.
 */
export function toHostError(error: unknown, tried: Tried, now: number): CodeHostError {
  if (error instanceof CodeHostError) return error;
  const { task } = tried;
  // Redacted before it is cut: half a token at the end would not be found any more.
  const said = redactorOf(tried)(messageOf(error)).slice(0, 500);
  const redirect = refusedRedirectIn(error);
  if (redirect !== null) {
    const detail = `${task}: the host ${redirect.message}. ${hostMoved}`;
    return new CodeHostError("LOOP_E_HOST_REDIRECT", detail);
  }
  if (error instanceof ForeignAddress)
    return new CodeHostError("LOOP_E_HOST_REFUSED", `${task}: ${said}`);
  if (error instanceof Error && error.name === "GraphqlResponseError")
    return answeredNo(
      listAt(error, "errors").map((each) => textAt(each, "type")),
      `${task}: ${said}`,
    );
  const status = at(error, "response") === undefined ? null : numberAt(error, "status");
  if (status === null)
    return new CodeHostError("LOOP_E_HOST_UNREACHABLE", `${task}: ${said}`, awayMs);
  if (status >= 500)
    return new CodeHostError("LOOP_E_HOST_SERVER", `${task}: ${said} (${status})`, awayMs);
  const wait = waitMs(error, status, now);
  if (wait !== null)
    return new CodeHostError(
      "LOOP_E_HOST_LIMIT",
      `${task}: rate limited by the host (${status})`,
      wait,
    );
  return refusal(error, status, said, tried);
}

function redactorOf({ token, secrets = [] }: Tried): (text: string) => string {
  return createRedactor([
    { name: "token", value: token ?? "" },
    ...secrets.map((value) => ({ name: "secret", value })),
  ]);
}

/** The host has heard us and says no, for good. */
function refusal(
  error: unknown,
  status: number,
  said: string,
  { task, token }: Tried,
): CodeHostError {
  if (status === 410)
    return new CodeHostError("LOOP_E_HOST_GONE", `${task}: gone, or switched off`);
  // A read of something whose id the host cannot resolve is answered with 422 by some addresses.
  const unknownId = status === 422 && textAt(error, "request", "method") === "GET";
  if (status === 404 || unknownId)
    return new CodeHostError(
      "LOOP_E_HOST_NOT_FOUND",
      `${task}: not found, or not visible to the token`,
    );
  if (status === 401 && token === null)
    return new CodeHostError("LOOP_E_HOST_NO_TOKEN", `${task}: the host requires a token`);
  if (status === 401)
    return new CodeHostError("LOOP_E_HOST_UNAUTHORIZED", `${task}: token rejected (401 ${said})`);
  if (status === 403)
    return new CodeHostError("LOOP_E_HOST_FORBIDDEN", `${task}: ${said}${wants(error)}`);
  return new CodeHostError("LOOP_E_HOST_REFUSED", `${task}: ${said} (${status})`);
}

/** The host says with a refusal what a token would need. */
function wants(error: unknown): string {
  const headers = at(error, "response", "headers");
  const needed =
    textAt(headers, "x-accepted-github-permissions") ?? textAt(headers, "x-accepted-oauth-scopes");
  return needed === null || needed === "" ? "" : ` (the token needs ${needed.slice(0, 200)})`;
}

/** The query language answers 200 and says in the answer what went wrong. */
function answeredNo(kinds: readonly (string | null)[], said: string): CodeHostError {
  if (kinds.includes("NOT_FOUND")) return new CodeHostError("LOOP_E_HOST_NOT_FOUND", said);
  if (kinds.includes("RATE_LIMITED")) return new CodeHostError("LOOP_E_HOST_LIMIT", said, slowedMs);
  if (kinds.includes("FORBIDDEN")) return new CodeHostError("LOOP_E_HOST_FORBIDDEN", said);
  return new CodeHostError("LOOP_E_HOST_REFUSED", said);
}

/** How long the host wants to be left alone; null when this is no matter of limits. */
function waitMs(error: unknown, status: number, now: number): number | null {
  if (status !== 429 && status !== 403) return null;
  const headers = at(error, "response", "headers");
  const after = Number(textAt(headers, "retry-after") ?? "");
  if (Number.isFinite(after) && after > 0) return after * 1_000;
  const reset = Number(textAt(headers, "x-ratelimit-reset") ?? "");
  if (textAt(headers, "x-ratelimit-remaining") === "0" && reset > 0)
    return Math.max(reset * 1_000 - now, 1_000);
  return status === 429 || messageOf(error).toLowerCase().includes("secondary rate limit")
    ? slowedMs
    : null;
}

/**
 * On one line; of an error of the TLS library its two parts that are for people, without addresses
 * in memory and files of its source.
 */
function messageOf(error: unknown): string {
  const cause =
    error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : "";
  const message = `${error instanceof Error ? error.message : String(error)}${cause}`.slice(
    0,
    8_000,
  );
  return message.replace(tlsError, "$<library>: $<reason>").replace(/\s+/g, " ");
}

const tlsError =
  /\b[0-9A-F]{8,16}:error:[0-9A-F]{8}:(?<library>[^:\n]{1,60}):[^:\n]{0,80}:(?<reason>[^:\n]{1,120}):\S*/g;
