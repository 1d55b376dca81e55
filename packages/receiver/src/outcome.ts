import type { IgnoredAtDoor } from "@loopwork/core/ports";

/** How a request ended. Everything a receiver can answer to a delivery is here. */
export type Outcome =
  | { readonly kind: "accepted"; readonly delivery: string }
  | { readonly kind: "duplicate"; readonly why: "id" | "replay"; readonly of: string }
  | { readonly kind: "ignored"; readonly why: IgnoredAtDoor }
  | { readonly kind: "refused"; readonly why: Refusal; readonly retryAfterSeconds?: number };

/** What goes back over HTTP. `headers` are names and values in turn. */
export type Answer = {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
};

/** Why a request was refused; each has its row in `refusals`. */
export type Refusal =
  | "not-found"
  | "method-not-allowed"
  | "header-twice"
  | "families-disagree"
  | "id-missing"
  | "id-malformed"
  | "event-missing"
  | "event-malformed"
  | "length-malformed"
  | "body-empty"
  | "http-malformed"
  | "headers-too-large"
  | "signature-missing"
  | "signature-malformed"
  | "signature-wrong"
  | "unsigned-from-elsewhere"
  | "body-too-large"
  | "form-body"
  | "compressed-body"
  | "other-type"
  | "body-late"
  | "body-consumed"
  | "store-unavailable"
  | "backlog-full"
  | "too-busy";

/** One refusal as a sender sees it. */
export type RefusalRow = {
  readonly status: number;
  readonly code: `LOOP_E_${string}`;
  readonly title: string;
  readonly hint: string;
};

/**
 * The one table of refusals. Codes are stable; `hint` becomes the problem's `detail` (RFC 9457).
 */
export const refusals: Readonly<Record<Refusal, RefusalRow>> = {
  "not-found": {
    status: 404,
    code: "LOOP_E_NOT_FOUND",
    title: "Nothing is served here",
    hint: "The path of the webhook must match exactly: no trailing slash, no query, same case.",
  },
  "method-not-allowed": {
    status: 405,
    code: "LOOP_E_METHOD",
    title: "This method is not served here",
    hint: "Deliveries come by POST; health is asked by GET.",
  },
  "header-twice": {
    status: 400,
    code: "LOOP_E_HEADER_TWICE",
    title: "A delivery header was sent twice",
    hint: "Send each delivery header once; look for a proxy that adds headers.",
  },
  "families-disagree": {
    status: 400,
    code: "LOOP_E_HEADER_CONFLICT",
    title: "Two families of delivery headers disagree",
    hint: "Send one family, or the same values in both; integrations.codeHost.dialect can fix the family.",
  },
  "id-missing": {
    status: 400,
    code: "LOOP_E_DELIVERY_ID",
    title: "The delivery id is missing",
    hint: "Send X-Host-Delivery or X-GitHub-Delivery.",
  },
  "id-malformed": {
    status: 400,
    code: "LOOP_E_DELIVERY_ID",
    title: "The delivery id is malformed",
    hint: "An id is 1 to 128 letters, digits and hyphens.",
  },
  "event-missing": {
    status: 400,
    code: "LOOP_E_EVENT_NAME",
    title: "The event name is missing",
    hint: "Send X-Host-Event or X-GitHub-Event.",
  },
  "event-malformed": {
    status: 400,
    code: "LOOP_E_EVENT_NAME",
    title: "The event name is malformed",
    hint: "An event name is 1 to 64 lower-case letters, digits and underscores.",
  },
  "length-malformed": {
    status: 400,
    code: "LOOP_E_CONTENT_LENGTH",
    title: "The content length is no number",
    hint: "Send the body's length in bytes, or the body in chunks.",
  },
  "body-empty": {
    status: 400,
    code: "LOOP_E_BODY_EMPTY",
    title: "The body is empty",
    hint: "A delivery is a JSON object.",
  },
  "http-malformed": {
    status: 400,
    code: "LOOP_E_HTTP",
    title: "The request is not valid HTTP",
    hint: "Check content length, header names and line ends.",
  },
  "headers-too-large": {
    status: 431,
    code: "LOOP_E_HEADERS_TOO_LARGE",
    title: "The headers are too large",
    hint: "All headers together may take 16 KiB.",
  },
  "signature-missing": {
    status: 401,
    code: "LOOP_E_SIGNATURE_MISSING",
    title: "The signature is missing",
    hint: "Set the same secret for the webhook at the code host and for this receiver.",
  },
  "signature-malformed": {
    status: 401,
    code: "LOOP_E_SIGNATURE_FORM",
    title: "The signature is malformed",
    hint: "A signature is sha256= and 64 lower-case hex digits; sha1 is not accepted.",
  },
  "signature-wrong": {
    status: 401,
    code: "LOOP_E_SIGNATURE_WRONG",
    title: "The signature does not match",
    hint: "The secret differs, or something on the way changed the body.",
  },
  "unsigned-from-elsewhere": {
    status: 401,
    code: "LOOP_E_UNSIGNED_FORWARDED",
    title: "Without a secret only requests from this machine are accepted",
    hint: "Set LOOP_HOST_WEBHOOK_SECRET for this receiver, and the same secret for the webhook at the code host.",
  },
  "body-too-large": {
    status: 413,
    code: "LOOP_E_BODY_TOO_LARGE",
    title: "The body is over the size limit",
    hint: "webhooks.hostWebhook.maxBodyBytes is the limit.",
  },
  "form-body": {
    status: 415,
    code: "LOOP_E_BODY_FORM",
    title: "Form bodies are not accepted",
    hint: "Set the webhook's content type to application/json.",
  },
  "compressed-body": {
    status: 415,
    code: "LOOP_E_BODY_COMPRESSED",
    title: "Compressed bodies are not accepted",
    hint: "Send the body as it is, without a content encoding.",
  },
  "other-type": {
    status: 415,
    code: "LOOP_E_BODY_TYPE",
    title: "Only JSON bodies are accepted",
    hint: "Set the webhook's content type to application/json.",
  },
  "body-late": {
    status: 408,
    code: "LOOP_E_BODY_LATE",
    title: "The request took too long",
    hint: "Headers must come within 10 seconds, the body within 15.",
  },
  "body-consumed": {
    status: 500,
    code: "LOOP_E_BODY_CONSUMED",
    title: "The raw body is gone",
    hint: "Mount the receiver before express.json(), or behind express.raw({ type: () => true }).",
  },
  "store-unavailable": {
    status: 503,
    code: "LOOP_E_STORE_UNAVAILABLE",
    title: "The delivery could not be stored",
    hint: "Deliver it again later; the receiver's log says why.",
  },
  "backlog-full": {
    status: 503,
    code: "LOOP_E_BACKLOG_FULL",
    title: "Too many deliveries wait",
    hint: "Deliver it again later.",
  },
  "too-busy": {
    status: 503,
    code: "LOOP_E_BUSY",
    title: "Too many bodies are being received at once",
    hint: "Deliver it again later.",
  },
};

const json = "application/json; charset=utf-8";
const problemJson = "application/problem+json; charset=utf-8";
const ignoredAnswer = answerOf(202, json, `{"status":"ignored"}`);
const duplicateAnswer = answerOf(202, json, `{"status":"duplicate"}`);
const refusalAnswers = new Map<string, Answer>(
  Object.entries(refusals).map(([why, row]) => [why, problemOf(row)]),
);

/** The answer to a delivery (docs/specification.md#receiver). */
export function answerTo(outcome: Outcome): Answer {
  switch (outcome.kind) {
    case "accepted":
      // The id's grammar leaves nothing to escape.
      return answerOf(202, json, `{"status":"accepted","delivery":"${outcome.delivery}"}`);
    case "duplicate":
      return duplicateAnswer;
    case "ignored":
      return ignoredAnswer;
    case "refused":
      return refusalAnswer(outcome.why, outcome.retryAfterSeconds);
  }
}

/** True when a body that is left unread must not be waited for. */
export function closesConnection(why: Refusal): boolean {
  return why === "body-too-large" || why === "body-late" || why === "too-busy";
}

function refusalAnswer(why: Refusal, retryAfterSeconds: number | undefined): Answer {
  const answer = refusalAnswers.get(why);
  if (answer === undefined) throw new Error(`no answer for the refusal ${why}`);
  if (answer.status !== 503) return answer;
  return { ...answer, headers: [...answer.headers, "retry-after", String(retryAfterSeconds ?? 5)] };
}

function problemOf(row: RefusalRow): Answer {
  return answerOf(
    row.status,
    problemJson,
    JSON.stringify({
      type: "about:blank",
      title: row.title,
      status: row.status,
      detail: row.hint,
      code: row.code,
    }),
  );
}

function answerOf(status: number, type: string, body: string): Answer {
  return {
    status,
    headers: ["content-type", type, "content-length", String(Buffer.byteLength(body))],
    body,
  };
}
