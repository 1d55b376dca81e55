import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import express, { type Router } from "express";
import type { Accept, Refused } from "./accept.ts";
import { answerTo, closesConnection, type Outcome } from "./outcome.ts";
import { bodyReadBefore, type BodyReader } from "./raw-body.ts";

export type RouterOptions = {
  readonly accept: Accept;
  readonly bodies: BodyReader;
  /** Path of the webhook; matched exactly, byte for byte. */
  readonly path: string;
  /** Told about an error that no route expected. */
  readonly onFault: (error: unknown) => void;
  /** Told how each request for the webhook ended, after the answer. */
  readonly onOutcome: (
    outcome: Outcome,
    request: { readonly id: string | null; readonly event: string | null },
  ) => void;
};

/**
 * What Express, Connect and their like mount with `app.use()`. Whoever mounts it needs no types of
 * ours or of Express.
 */
export type Middleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/** A router as its routes see it: they use nothing that Express adds to a request or a response. */
type Edge = {
  route(request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void): void;
};

/**
 * Bytes of an unread body that are let pass so that the connection can go on; more, and it is
 * closed.
 */
const passableBytes = 64 * 1024;
/**
 * How much, and for how long, a closing connection is still drained so that the sender can read the
 * answer.
 */
const lingerBytes = 1024 * 1024;
const lingerMs = 1000;
const unnamed = { id: null, event: null } as const;

/** A router to mount in an application; what it does not serve goes on to the next handler. */
export function createRouter(options: RouterOptions): Middleware {
  const router = express.Router({ caseSensitive: true, strict: true });
  addRoutes(router, options);
  const edge: Edge = { route: router };
  return edge.route;
}

/**
 * The routes as a listener for `http.createServer()`, and 404 for everything else. The router runs
 * without an application around it, which would give every request and response another prototype:
 * a cost for methods that are not used here.
 */
export function createListener(options: RouterOptions): RequestListener {
  const route = createRouter(options);
  return (request, response) =>
    route(request, response, (error) => {
      if (error === undefined)
        return send(request, response, { kind: "refused", why: "not-found" });
      options.onFault(error);
      if (!response.headersSent)
        send(request, response, { kind: "refused", why: "store-unavailable" });
    });
}

/** Express does the routing and nothing else: no body parser, no `res.json`, no tags. */
function addRoutes(target: Router, options: RouterOptions): void {
  const { path, onOutcome } = options;

  target.post(path, (request, response, next) => {
    // Express matches what follows `?` and `#` apart; the contract is the exact target.
    if (request.url !== path) return next();
    return receive(options, request, response);
  });
  target.all(path, (request, response, next) => {
    if (request.url !== path) return next();
    const outcome: Refused = { kind: "refused", why: "method-not-allowed" };
    send(request, response, outcome, ["allow", "POST"]);
    onOutcome(outcome, unnamed);
  });
  target.get("/health", (request, response, next) => {
    if (request.url !== "/health") return next();
    response
      .writeHead(200, ["content-type", "text/plain; charset=utf-8", "content-length", "2"])
      .end("ok");
  });
  target.all("/health", (request, response, next) => {
    if (request.url !== "/health") return next();
    send(request, response, { kind: "refused", why: "method-not-allowed" }, ["allow", "GET, HEAD"]);
  });
}

/** One delivery over HTTP. The answer waits for the inbox and for nothing else. */
async function receive(
  { accept, bodies, onOutcome }: RouterOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const admitted = accept.admit(request.rawHeaders, {
    remoteAddress: request.socket.remoteAddress,
    httpVersion: request.httpVersion,
  });
  if (admitted.kind === "refused") {
    send(request, response, admitted);
    return onOutcome(admitted, unnamed);
  }
  const before = bodyReadBefore(request);
  const body = before === "consumed" ? "body-consumed" : (before ?? (await bodies.read(request)));
  if (body === "gone") return;
  const outcome: Outcome =
    typeof body === "string"
      ? { kind: "refused", why: body }
      : await accept.deliver(admitted, body);
  send(request, response, outcome);
  onOutcome(outcome, admitted);
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  outcome: Outcome,
  extra: readonly string[] = [],
): void {
  const answer = answerTo(outcome);
  if (
    request.complete ||
    (outcome.kind === "refused" && !closesConnection(outcome.why) && isPassable(request))
  ) {
    response.writeHead(answer.status, [...answer.headers, ...extra]).end(answer.body);
  } else {
    response
      .writeHead(answer.status, [...answer.headers, ...extra, "connection", "close"])
      .write(answer.body);
    linger(request, response);
  }
}

/** True when what is left of the body is small by its declared length. */
function isPassable(request: IncomingMessage): boolean {
  if (request.headers["transfer-encoding"] !== undefined) return false;
  return Number(request.headers["content-length"] ?? 0) <= passableBytes;
}

/**
 * Ends a connection whose sender may still be sending. Closing at once would reset it, and the
 * answer that is under way would be lost; so a bounded amount is read and dropped first.
 */
function linger(request: IncomingMessage, response: ServerResponse): void {
  let dropped = 0;
  let isClosing = false;
  const timer = setTimeout(close, lingerMs);
  request.on("data", drop).once("end", close).once("close", close);
  request.resume();

  function drop(chunk: Buffer): void {
    dropped += chunk.length;
    if (dropped > lingerBytes) close();
  }

  /** Once: each `destroySoon()` leaves a listener, and pieces may come by the thousand. */
  function close(): void {
    if (isClosing) return;
    isClosing = true;
    clearTimeout(timer);
    request.off("data", drop).off("end", close).off("close", close);
    response.end();
    request.socket.destroySoon();
  }
}
