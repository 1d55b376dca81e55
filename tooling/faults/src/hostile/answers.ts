/**
 * Everything that the receiver may answer, and the control plane. What stands in neither list is a
 * violation whatever was asked.
 */
export const receiverAnswers: ReadonlySet<string> = new Set([
  "200 ok",
  "202 accepted",
  "202 duplicate",
  "202 ignored",
  ...coded(
    400,
    "HEADER_TWICE",
    "HEADER_CONFLICT",
    "DELIVERY_ID",
    "EVENT_NAME",
    "CONTENT_LENGTH",
    "BODY_EMPTY",
    "HTTP",
  ),
  ...coded(401, "SIGNATURE_MISSING", "SIGNATURE_FORM", "SIGNATURE_WRONG"),
  ...coded(404, "NOT_FOUND"),
  ...coded(405, "METHOD"),
  ...coded(408, "BODY_LATE"),
  ...coded(413, "BODY_TOO_LARGE"),
  ...coded(415, "BODY_FORM", "BODY_COMPRESSED", "BODY_TYPE"),
  ...coded(431, "HEADERS_TOO_LARGE"),
  ...unavailable(),
]);

export const serviceAnswers: ReadonlySet<string> = new Set([
  "200 ok",
  "200 data",
  "200 rpc",
  "200 rpc-error",
  "200 stream",
  "202 data",
  "202 nothing",
  "400 rpc-error",
  "404 rpc-error",
  "405 rpc-error",
  "406 rpc-error",
  ...coded(
    400,
    "INPUT",
    "REF",
    "PAGE_CURSOR",
    "LOGIN",
    "USAGE",
    "CONFIG",
    "BODY_JSON",
    "BATCH",
    "HTTP",
  ),
  ...coded(401, "TOKEN"),
  ...coded(429, "TOKEN_LIMIT"),
  ...coded(403, "FOREIGN_HOST", "FOREIGN_PAGE", "INSIDE_TURN", "FORBIDDEN"),
  ...coded(
    404,
    "NOT_FOUND",
    "UNKNOWN_ITEM",
    "UNKNOWN_DELIVERY",
    "UNKNOWN_TURN",
    "NO_ITEM",
    "NO_TRANSCRIPT",
  ),
  ...coded(405, "METHOD"),
  ...coded(408, "BODY_LATE"),
  ...coded(409, "LEARNINGS_FILE", "NOT_ROUTED", "REPLAY_HOST"),
  ...coded(413, "BODY_TOO_LARGE"),
  ...coded(415, "BODY_TYPE", "BODY_COMPRESSED"),
  ...coded(431, "HEADERS_TOO_LARGE"),
  ...coded(503, "STREAMS_FULL"),
  ...unavailable(),
]);

/** Refusing for want of room is right at any time, and never wrong. */
export function unavailable(): readonly string[] {
  return coded(503, "STORE_UNAVAILABLE", "BACKLOG_FULL", "BUSY");
}

function coded(status: number, ...codes: readonly string[]): readonly string[] {
  return codes.map((code) => `${status} LOOP_E_${code}`);
}

/**
 * `202 accepted`, `401 LOOP_E_SIGNATURE_WRONG`, `200 rpc`: status and what kind of answer it is.
 */
export function nameOf(status: number, type: string, body: string): string {
  if (type.startsWith("text/event-stream"))
    return body.includes('"error"') ? `${status} rpc-error` : `${status} stream`;
  const value = type.includes("json") ? fieldsOf(body) : null;
  if (value === null) return `${status} ${body === "" ? "nothing" : body === "ok" ? "ok" : "data"}`;
  if (typeof value["code"] === "string") return `${status} ${value["code"]}`;
  if (value["jsonrpc"] === "2.0") return `${status} ${"error" in value ? "rpc-error" : "rpc"}`;
  return status === 202 && typeof value["status"] === "string"
    ? `${status} ${value["status"]}`
    : `${status} data`;
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
