import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { Inbox } from "@loopwork/core/ports";
import { createAccept, defaultEvents } from "./accept.ts";
import type { Dialect } from "./headers.ts";
import { type Outcome, refusals } from "./outcome.ts";
import { createBodyReader } from "./raw-body.ts";
import { createListener, createRouter, type Middleware, type RouterOptions } from "./router.ts";
import { createServer, defaultLimits, type ServerLimits } from "./server.ts";
import { misuse } from "./misuse.ts";
import { createVerifier } from "./signature.ts";
import { startWarnings } from "./warnings.ts";

export type ReceiverOptions = {
  /** Where accepted deliveries go. Its owner opens and closes it. */
  readonly inbox: Inbox;
  /**
   * Every secret that is valid now. Empty: nothing is verified, deliveries are marked so, and only
   * requests from this machine that no proxy forwarded are accepted unless `allowUnsigned` is true.
   */
  readonly secrets: readonly string[];
  /** Default `/host-webhook`. */
  readonly path?: string;
  /** Event names that are kept whole; of others only id and reason. Empty means the default set. */
  readonly events?: readonly string[];
  /** Default 26214400. */
  readonly maxBodyBytes?: number;
  /**
   * Bytes that all bodies being received may hold together. Default 268435456, and never under two
   * bodies.
   */
  readonly maxBufferedBytes?: number;
  readonly dialect?: Dialect;
  /** False: an equal body under another id is a delivery of its own. Default true. */
  readonly dedupeBody?: boolean;
  /**
   * True: without a secret, listen beyond loopback and accept requests that come from other
   * machines.
   */
  readonly allowUnsigned?: boolean;
  /** Name of the variable that holds the secret, for warnings. */
  readonly secretName?: string;
  readonly limits?: Partial<ServerLimits>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Told how each request for the webhook ended, after its answer. */
  readonly onEvent?: (event: ReceiverEvent) => void;
  /**
   * Told about bugs: an inbox that fails otherwise than by `InboxUnavailable`, an `onEvent` that
   * throws. Default: standard error.
   */
  readonly onFault?: (error: unknown) => void;
};

/**
 * One line for a log. `reason` is a problem code, `id` or `replay`, or why the delivery was
 * ignored.
 */
export type ReceiverEvent = {
  readonly kind: Outcome["kind"];
  readonly delivery: string | null;
  readonly event: string | null;
  readonly reason: string | null;
};

export type Receiver = {
  /**
   * For `app.use()` in an application of one's own; mount it before any body parser, or behind
   * `express.raw()`.
   */
  readonly router: Middleware;
  /** For `http.createServer()`: the same routes, and 404 for all else. */
  readonly handler: RequestListener;
  /**
   * The secrets that are valid from now on: both while one is rotated.
   * @throws {LoopError} `LOOP_E_RECEIVER_OPTIONS` for a secret that cannot be one, and for none at
   * all unless `allowUnsigned`.
   */
  useSecrets(secrets: readonly string[]): void;
  /**
   * Serves plain HTTP. Resolves once connections are taken, with warnings for a person. Port 0
   * takes a free one.
   * @throws {LoopError} `LOOP_E_UNSIGNED_BIND`, `LOOP_E_LISTEN`.
   */
  listen(
    port?: number,
    host?: string,
  ): Promise<{ readonly address: AddressInfo; readonly warnings: readonly string[] }>;
  /** Lets requests in flight end, then closes. Never leaves a timer or a socket behind. */
  stop(): Promise<void>;
};

const pathGrammar = /^\/[A-Za-z0-9/_.~-]{0,255}$/;

/**
 * A webhook receiver: verifies, hands each delivery to the inbox, answers when it is durable.
 * @throws {LoopError} `LOOP_E_RECEIVER_OPTIONS` when an option makes no sense.
 */
export function createReceiver(options: ReceiverOptions): Receiver {
  const settings = settle(options);
  let verifier = createVerifier(options.secrets);
  const parts = assemble(options, settings, () => verifier);
  const handler = createListener(parts);
  const server = createServer(handler, settings.limits, faultOf(options));
  return {
    router: createRouter(parts),
    handler,
    useSecrets: (secrets) => {
      if (secrets.length === 0 && options.allowUnsigned !== true)
        throw misuse(
          "Verification cannot be switched off while the receiver runs.",
          "Pass at least one secret.",
        );
      verifier = createVerifier(secrets);
    },
    listen: async (port = 8787, host = "127.0.0.1") => {
      const warnings = startWarnings({
        host,
        signed: verifier.signed,
        short: verifier.short,
        allowUnsigned: options.allowUnsigned ?? false,
        events: settings.events,
        secretName: options.secretName ?? "secrets",
      });
      return { address: await server.listen(port, host), warnings };
    },
    stop: () => server.stop(),
  };
}

type Settings = {
  readonly path: string;
  readonly events: readonly string[];
  readonly maxBodyBytes: number;
  readonly limits: ServerLimits;
};

/** Fills in defaults and refuses what cannot work. */
function settle(options: ReceiverOptions): Settings {
  const path = options.path ?? "/host-webhook";
  if (!pathGrammar.test(path) || path === "/health")
    throw misuse(
      `The path ${JSON.stringify(path)} cannot be served.`,
      "Use / and letters, digits, . _ ~ -; /health is taken.",
    );
  const maxBodyBytes = options.maxBodyBytes ?? 26_214_400;
  if (!Number.isSafeInteger(maxBodyBytes) || maxBodyBytes < 1)
    throw misuse("maxBodyBytes must be a whole number over 0.", "The default is 26214400.");
  const events =
    options.events === undefined || options.events.length === 0 ? defaultEvents : options.events;
  return { path, events, maxBodyBytes, limits: { ...defaultLimits, ...options.limits } };
}

function assemble(
  options: ReceiverOptions,
  settings: Settings,
  verifier: () => ReturnType<typeof createVerifier>,
): RouterOptions {
  const { events, maxBodyBytes, limits, path } = settings;
  const accept = createAccept({
    inbox: options.inbox,
    verifier,
    events,
    maxBodyBytes,
    dialect: options.dialect ?? "auto",
    dedupeBody: options.dedupeBody ?? true,
    allowUnsigned: options.allowUnsigned ?? false,
    now: options.now ?? Date.now,
    onFault: faultOf(options),
  });
  const bodies = createBodyReader({
    maxBytes: maxBodyBytes,
    deadlineMs: limits.requestTimeoutMs,
    maxBufferedBytes: Math.max(options.maxBufferedBytes ?? 268_435_456, 2 * maxBodyBytes),
  });
  return { accept, bodies, path, onOutcome: reporterOf(options), onFault: faultOf(options) };
}

/** The answer is out when this is called: a logger that throws must not undo it. */
function reporterOf(options: ReceiverOptions): RouterOptions["onOutcome"] {
  const { onEvent } = options;
  if (onEvent === undefined) return () => {};
  return (outcome, { id, event }) => {
    try {
      onEvent({ kind: outcome.kind, delivery: id, event, reason: reasonOf(outcome) });
    } catch (error) {
      faultOf(options)(error);
    }
  };
}

/** Where bugs are told: the caller's place, else standard error, since nothing may vanish. */
function faultOf(options: ReceiverOptions): (error: unknown) => void {
  return options.onFault ?? ((error) => console.error("loop receiver:", error));
}

function reasonOf(outcome: Outcome): string | null {
  if (outcome.kind === "accepted") return null;
  return outcome.kind === "refused" ? refusals[outcome.why].code : outcome.why;
}
