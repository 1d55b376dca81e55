import {
  type Acceptance,
  hostEventName,
  hostEventNames,
  type IgnoredAtDoor,
  type Inbox,
  InboxUnavailable,
  type NewDelivery,
} from "@loopwork/core/ports";
import { readHeaders, type DeliveryHeaders, type Dialect } from "./headers.ts";
import type { Outcome, Refusal } from "./outcome.ts";
import { digestOf, type Verifier } from "./signature.ts";
import { cameFromElsewhere, type Sender } from "./local-request.ts";

/** A request whose headers are in order; its body may be read. */
export type Admitted = {
  readonly kind: "admitted";
  readonly headers: DeliveryHeaders;
  readonly id: string;
  readonly event: string;
  readonly declaredBytes: number | null;
};
export type Refused = Extract<Outcome, { readonly kind: "refused" }>;

export type AcceptOptions = {
  readonly inbox: Inbox;
  readonly verifier: () => Verifier;
  readonly events: readonly string[];
  readonly maxBodyBytes: number;
  readonly dialect: Dialect;
  readonly dedupeBody: boolean;
  /** True: without a secret, requests from other machines are taken as well. */
  readonly allowUnsigned: boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Told about an error of the inbox that is not `InboxUnavailable`. */
  readonly onFault: (error: unknown) => void;
};

/** The receiver without HTTP: headers in, then bytes in, an outcome out. */
export type Accept = {
  /**
   * Looks at the headers alone; cheap enough to be asked before a byte of the body is read.
   * `sender` is the connection that it came by.
   */
  admit(rawHeaders: readonly string[], sender: Sender): Admitted | Refused;
  /**
   * Checks signature and first byte, appends to the inbox, and resolves when that is durable.
   * Parses nothing.
   */
  deliver(admitted: Admitted, body: Uint8Array): Promise<Outcome>;
};

/** The events that are kept where nothing is said: all that core can route. */
export const defaultEvents: readonly string[] = hostEventNames;

const idGrammar = /^[A-Za-z0-9-]{1,128}$/;
const eventGrammar = /^[a-z0-9_]{1,64}$/;
const lengthGrammar = /^[0-9]{1,15}$/;
const gzipMagic = 0x1f;
const letterP = 0x70;

/**
 * Decides about one delivery after another, in a fixed order: headers, size, signature, first byte,
 * inbox.
 */
export function createAccept(options: AcceptOptions): Accept {
  const listed: ReadonlySet<string> = new Set(options.events);

  function admit(rawHeaders: readonly string[], sender: Sender): Admitted | Refused {
    const { signed } = options.verifier();
    if (!signed && !options.allowUnsigned && cameFromElsewhere(rawHeaders, sender))
      return refused("unsigned-from-elsewhere");
    const headers = readHeaders(rawHeaders, options.dialect);
    if ("fault" in headers) return refused(headers.fault);
    const why = faultOfType(headers) ?? faultOfNames(headers);
    if (why !== null) return refused(why);
    const { id, event } = headers;
    if (id === null || event === null) return refused("id-missing");
    if (signed && headers.signature === null) return refused("signature-missing");
    if (headers.contentLength === null)
      return { kind: "admitted", headers, id, event, declaredBytes: null };
    if (!lengthGrammar.test(headers.contentLength)) return refused("length-malformed");
    const declaredBytes = Number(headers.contentLength);
    return declaredBytes > options.maxBodyBytes
      ? refused("body-too-large")
      : { kind: "admitted", headers, id, event, declaredBytes };
  }

  function deliver(admitted: Admitted, body: Uint8Array): Promise<Outcome> {
    const checked = check(admitted, body);
    return "kind" in checked ? Promise.resolve(checked) : store(checked);
  }

  /** Everything that is looked at before the inbox: size, signature, first byte. */
  function check(admitted: Admitted, body: Uint8Array): NewDelivery | Refused {
    if (body.length === 0) return refused("body-empty");
    if (body.length > options.maxBodyBytes) return refused("body-too-large");
    const verifier = options.verifier();
    const verdict = verifier.signed ? verifier.verify(body, admitted.headers.signature) : null;
    if (verdict !== null && verdict.kind !== "good") return refused(`signature-${verdict.kind}`);
    const why = faultOfFirstByte(body[0]);
    if (why !== null) return refused(why);
    const ignored = ignoredAtDoor(admitted.event, listed);
    return {
      id: admitted.id,
      source: "webhook",
      event: admitted.event,
      verified: verdict !== null,
      receivedAt: options.now(),
      digest: verdict === null ? digestOf(body) : verdict.digest,
      body: ignored === null ? body : null,
      ignored,
      allowReplay: !options.dedupeBody,
    };
  }

  async function store(delivery: NewDelivery): Promise<Outcome> {
    try {
      return outcomeOf(delivery, await options.inbox.append(delivery));
    } catch (error) {
      if (error instanceof InboxUnavailable) {
        return {
          kind: "refused",
          why: error.code === "LOOP_E_BACKLOG_FULL" ? "backlog-full" : "store-unavailable",
          retryAfterSeconds: error.retryAfterSeconds,
        };
      }
      // Whatever went wrong, the delivery is not known to be durable: no 2xx.
      options.onFault(error);
      return refused("store-unavailable");
    }
  }

  return { admit, deliver };
}

/** A duplicate of an ignored delivery is a duplicate; a new one that is not routed is ignored. */
function outcomeOf(delivery: NewDelivery, acceptance: Acceptance): Outcome {
  if (acceptance.kind === "duplicate") return acceptance;
  return delivery.ignored === null
    ? { kind: "accepted", delivery: delivery.id }
    : { kind: "ignored", why: delivery.ignored };
}

function ignoredAtDoor(event: string, listed: ReadonlySet<string>): IgnoredAtDoor | null {
  if (event === "ping") return "ping";
  if (listed.has(event)) return null;
  return hostEventName(event) === null ? "unknown-event" : "event-not-listed";
}

function faultOfNames(headers: DeliveryHeaders): Refusal | null {
  if (headers.id === null) return "id-missing";
  if (!idGrammar.test(headers.id)) return "id-malformed";
  if (headers.event === null) return "event-missing";
  return eventGrammar.test(headers.event) ? null : "event-malformed";
}

/**
 * A body without a declared type may be JSON; what declares another type is not. Nothing is
 * inflated.
 */
function faultOfType({ contentType, contentEncoding }: DeliveryHeaders): Refusal | null {
  if (contentEncoding !== null && contentEncoding.toLowerCase() !== "identity")
    return "compressed-body";
  if (contentType === null || contentType === "application/json") return null;
  const essence = (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();
  if (
    essence === "application/json" ||
    (essence.startsWith("application/") && essence.endsWith("+json"))
  )
    return null;
  return essence === "application/x-www-form-urlencoded" || essence === "multipart/form-data"
    ? "form-body"
    : "other-type";
}

/**
 * No JSON text begins with these: gzip's first byte, and the p of `payload=` under a JSON content
 * type.
 */
function faultOfFirstByte(first: number | undefined): Refusal | null {
  if (first === gzipMagic) return "compressed-body";
  return first === letterP ? "form-body" : null;
}

function refused(why: Refusal): Refused {
  return { kind: "refused", why };
}
