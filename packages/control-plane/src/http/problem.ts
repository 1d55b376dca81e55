import { STATUS_CODES, type ServerResponse } from "node:http";
import { CodeHostError, InboxUnavailable, LoopError } from "@loopwork/core/ports";
import { quietJson } from "./json.ts";
import { InputRejected } from "../operations/input-rejected.ts";

/**
 * An answer that says what is wrong (RFC 9457): `code` is stable, `detail` one sentence, `hint`
 * what to do.
 */
export type Problem = {
  readonly type: "about:blank";
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly hint: string;
  /** Of an input: each part that does not fit. */
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
};

/** Status of each code; what is not listed is a fault of the service. */
const statuses: Readonly<Record<string, number>> = {
  LOOP_E_INPUT: 400,
  LOOP_E_REF: 400,
  LOOP_E_PAGE_CURSOR: 400,
  LOOP_E_LOGIN: 400,
  LOOP_E_USAGE: 400,
  LOOP_E_CONFIG: 400,
  LOOP_E_BODY_JSON: 400,
  LOOP_E_BATCH: 400,
  LOOP_E_HTTP: 400,
  LOOP_E_TOKEN: 401,
  LOOP_E_FOREIGN_HOST: 403,
  LOOP_E_FOREIGN_PAGE: 403,
  LOOP_E_INSIDE_TURN: 403,
  LOOP_E_FORBIDDEN: 403,
  LOOP_E_NOT_FOUND: 404,
  LOOP_E_UNKNOWN_ITEM: 404,
  LOOP_E_UNKNOWN_DELIVERY: 404,
  LOOP_E_UNKNOWN_TURN: 404,
  LOOP_E_NO_ITEM: 404,
  LOOP_E_NO_TRANSCRIPT: 404,
  LOOP_E_METHOD: 405,
  LOOP_E_BODY_LATE: 408,
  LOOP_E_LEARNINGS_FILE: 409,
  LOOP_E_NOT_ROUTED: 409,
  LOOP_E_REPLAY_HOST: 409,
  LOOP_E_BODY_TOO_LARGE: 413,
  LOOP_E_BODY_TYPE: 415,
  LOOP_E_BODY_COMPRESSED: 415,
  LOOP_E_TOKEN_LIMIT: 429,
  LOOP_E_HEADERS_TOO_LARGE: 431,
  LOOP_E_STREAMS_FULL: 503,
  LOOP_E_STORE_UNAVAILABLE: 503,
  LOOP_E_BACKLOG_FULL: 503,
};

/**
 * A problem for whatever was thrown; null for a bug, about which the asker learns nothing but that
 * there was one.
 */
export function problemOf(error: unknown): Problem | null {
  if (error instanceof InputRejected)
    return problem(error.code, error.message, error.hint, error.problems);
  if (error instanceof LoopError || isCoded(error))
    return problem(error.code, error.message, error.hint, detailsOf(error));
  if (error instanceof InboxUnavailable)
    return problem(error.code, error.message, "ask again in a moment");
  if (error instanceof CodeHostError)
    return {
      ...problem(error.code, error.message, "`loop doctor` checks the way to the code host"),
      status: 502,
      title: STATUS_CODES[502] ?? "",
    };
  if (error instanceof URIError)
    return problem(
      "LOOP_E_INPUT",
      "Invalid percent-encoding in the path",
      "Encode each part of the path, such as host%3Aowner%2Frepo%237",
    );
  return null;
}

export const fault: Problem = problem(
  "LOOP_E_INTERNAL",
  "Internal error",
  "See the service's log, and report it with the time",
);

/** Errors of the store are of its own class, with the same keys. */
function isCoded(
  error: unknown,
): error is { readonly code: string; readonly message: string; readonly hint: string } {
  return (
    error instanceof Error &&
    "code" in error &&
    typeof error.code === "string" &&
    error.code.startsWith("LOOP_E_") &&
    "hint" in error &&
    typeof error.hint === "string"
  );
}

/** Of a configuration: each line that is wrong. */
function detailsOf(error: object): Problem["errors"] {
  if (!("details" in error) || !Array.isArray(error.details)) return undefined;
  return error.details.map((message: unknown) => ({ path: "", message: String(message) }));
}

function problem(code: string, detail: string, hint: string, errors?: Problem["errors"]): Problem {
  const status = statuses[code] ?? (code.startsWith("LOOP_E_STORE_") ? 503 : 500);
  return {
    type: "about:blank",
    title: STATUS_CODES[status] ?? "",
    status,
    detail,
    code,
    hint,
    ...(errors === undefined ? {} : { errors }),
  };
}

export function sendProblem(
  response: ServerResponse,
  sent: Problem,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(sent.status, {
    "content-type": "application/problem+json; charset=utf-8",
    ...(sent.status === 503 ? { "retry-after": "5" } : {}),
    ...headers,
  });
  response.end(quietJson(sent));
}
