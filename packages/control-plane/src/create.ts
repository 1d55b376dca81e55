import type { IncomingMessage, ServerResponse } from "node:http";
import { type ErrorRequestHandler, type RequestHandler, Router } from "express";
import { LoopError, type Store } from "@loopwork/core/ports";
import { createEventStream, type StreamBounds } from "./http/event-stream.ts";
import {
  createFailedTokens,
  type FailedToken,
  type FailedTokenBounds,
  failedTokenBounds,
  type FailedTokens,
} from "./http/failed-tokens.ts";
import { careful, type Guard, onlyFromHere, onlyWithToken } from "./http/guards.ts";
import { sendJson } from "./http/json.ts";
import { dashboard } from "./http/page.ts";
import { openApiDocument } from "./http/openapi.ts";
import { apiPrefix } from "./operations/paths.ts";
import { fault, problemOf, sendProblem } from "./http/problem.ts";
import { addRoutes } from "./http/rest.ts";
import { rootRoutes } from "./http/root-routes.ts";
import type { Metrics } from "./metrics.ts";
import type { Operation } from "./operations/operation.ts";
import { operations } from "./operations/table.ts";
import type { ControlPlanePorts } from "./ports.ts";

/**
 * A route beside the operations, made of the same table; the SDK behind it is loaded only by who
 * wants it.
 */
export type Endpoint = {
  route(request: IncomingMessage, response: ServerResponse): Promise<void>;
  close(): Promise<void>;
};
export type EndpointParts = Pick<ControlPlaneOptions, "ports" | "version" | "onFault"> & {
  readonly mayWrite: MayWrite;
  readonly operations: readonly Operation[];
};

/** Asked about each write with the request that carries it and the name of the operation. */
export type MayWrite = (request: IncomingMessage, operation: string) => Promise<void>;

export type ControlPlaneOptions = {
  readonly ports: ControlPlanePorts;
  /**
   * Who may ask: whoever shows this bearer token of at least 32 characters, or whom the application
   * around us let through.
   */
  readonly access:
    | { readonly type: "token"; readonly token: string }
    | { readonly type: "application" };
  /** Rejects, before anything is written, who may not; by default whoever has access may write. */
  readonly mayWrite?: MayWrite;
  /** Told about requests that showed another token, at most five in a minute. */
  readonly onFailedToken?: (failed: FailedToken) => void;
  /** How many of them are answered and told, by default 10 an address and 5 in all a minute. */
  readonly failedTokens?: FailedTokenBounds;
  /**
   * Names under which the service may be addressed, such as `loop.example.org`; loopback names
   * always hold.
   */
  readonly allowedHosts?: readonly string[];
  /** `createMcpEndpoint` of `@loopwork/control-plane/mcp`; null or absent serves no `/mcp`. */
  readonly mcp?: ((parts: EndpointParts) => Endpoint) | null;
  /**
   * `createMetrics`, which whoever runs the service tells what happens; null or absent serves no
   * `/metrics`.
   */
  readonly metrics?: { readonly metrics: Metrics; readonly store: Pick<Store, "stats"> } | null;
  /** Bounds of `/api/v1/events/stream`; by default 32 streams. */
  readonly streams?: StreamBounds;
  readonly version: string;
  /** Told about bugs; the asker learns only that there was one. */
  readonly onFault: (error: unknown) => void;
};

/** What Express and its like mount with `app.use()`, under any prefix. */
export type Middleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/** Express's router, as a call to it looks from outside. */
type Edge = {
  route(request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void): void;
};

export type ControlPlane = {
  /** For `app.use()`, under any prefix. It answers 404 for what it does not serve. */
  readonly router: Middleware;
  /** Ends what is still being answered. */
  close(): Promise<void>;
};

/**
 * The control plane as an Express router: the operations under `/api/v1`, `/health` and the OpenAPI
 * document. Throws `TypeError` when the token is too short to be one.
 */
export function createControlPlane(options: ControlPlaneOptions): ControlPlane {
  const { ports, version, onFault, mayWrite = async () => {} } = options;
  const document = openApiDocument(
    operations,
    version,
    rootRoutes.filter(({ path }) => path !== "/metrics" || options.metrics),
  );
  const mcp = options.mcp?.({ operations, ports, version, onFault, mayWrite }) ?? null;
  const { failedTokens = failedTokenBounds, onFailedToken = () => {} } = options;
  const failures = createFailedTokens(ports.clock, failedTokens, onFailedToken);
  const router = Router({ caseSensitive: true, strict: true });
  router.use(careful, onlyFromHere(options.allowedHosts ?? []));
  router.get("/health", (_request, response) => void response.type("text/plain").send("ok"));
  router.get("/api/v1/openapi.json", (_request, response) => sendJson(response, 200, document));
  router.use(dashboard());
  router.use(accessGuard(options.access, failures));
  addRoutes(router, operations, ports, mayWrite);
  const stream = createEventStream(ports, onFault, options.streams);
  router.get(
    `${apiPrefix}/events/stream`,
    (request, response, next) => void stream.route(request, response).catch(next),
  );
  if (options.metrics) router.get("/metrics", metricsRoute(options.metrics));
  if (mcp !== null)
    router.all("/mcp", (request, response, next) => void mcp.route(request, response).catch(next));
  router.use((_request, _response, next) =>
    next(
      new LoopError(
        "LOOP_E_NOT_FOUND",
        "Not found",
        "See /api/v1/openapi.json for the routes. Percent-encode a ref in a path.",
      ),
    ),
  );
  router.use(problems(onFault));
  const edge: Edge = { route: router };
  return {
    router: edge.route,
    async close() {
      failures.close();
      stream.close();
      await mcp?.close();
    },
  };
}

function metricsRoute({
  metrics,
  store,
}: NonNullable<ControlPlaneOptions["metrics"]>): RequestHandler {
  return (_request, response, next) => {
    metrics
      .text(store)
      .then(
        (text) => response.writeHead(200, { "content-type": metrics.contentType }).end(text),
        next,
      );
  };
}

function accessGuard(access: ControlPlaneOptions["access"], failures: FailedTokens): Guard {
  if (access.type === "token") return onlyWithToken(access.token, failures);
  return (_request, _response, next) => next();
}

/**
 * The last handler: whatever was thrown becomes a problem. A body that was left unread must not be
 * taken for the next request.
 */
function problems(onFault: (error: unknown) => void): ErrorRequestHandler {
  return (error, request, response, _next) => {
    const problem = problemOf(error);
    if (problem === null) onFault(error);
    if (response.headersSent) return void response.destroy();
    sendProblem(response, problem ?? fault, request.complete ? {} : { connection: "close" });
  };
}
