import { createHash, timingSafeEqual } from "node:crypto";
import { type RequestHandler, Router } from "express";

/** What `GET /api/v1/health` answers (decisions.md 8). Times are milliseconds since 1970. */
export type Health = {
  readonly status: "ok" | "degraded";
  readonly version: string;
  readonly configFile: string | null;
  readonly stateRoot: string;
  readonly services: readonly { readonly name: string; readonly enabled: boolean; readonly running: boolean; readonly detail: string }[];
};

export type HealthOptions = {
  /** Bearer token of every route but the root `/health`; at least 32 characters. */
  readonly token: string;
  /** Names under which the service may be addressed, with port, in lower case; loopback names always hold. */
  readonly allowedHosts?: readonly string[];
  readonly health: () => Promise<Health>;
};

/**
 * The first routes of the control plane: `/health` for probes, `/api/v1/health` for people and programs with the token.
 * A foreign `Host` or `Origin` is refused before anything else (A01, A02). Throws when the token is too short to be one.
 */
export function createHealthRouter(options: HealthOptions): Router {
  if (options.token.length < 32) throw new TypeError("the token of the control plane needs at least 32 characters");
  const router = Router();
  router.use(onlyKnownHosts(options.allowedHosts ?? []));
  router.get("/health", (_request, response) => void response.type("text/plain").send("ok"));
  router.get("/api/v1/health", onlyWithToken(options.token), (_request, response, next) => {
    options.health().then((health) => response.json(health), next);
  });
  return router;
}

const loopbackNames = new Set(["localhost", "127.0.0.1", "[::1]"]);

function onlyKnownHosts(allowed: readonly string[]): RequestHandler {
  const known = (host: string | undefined): boolean => host !== undefined && (allowed.includes(host.toLowerCase()) || loopbackNames.has(host.toLowerCase().replace(/:\d{1,5}$/, "")));
  return (request, response, next) => {
    const origin = request.headers.origin;
    const originHost = origin === undefined ? undefined : URL.canParse(origin) ? new URL(origin).host : "null";
    if (known(request.headers.host) && (originHost === undefined || known(originHost))) next();
    else problem(response, 403, "LOOP_E_FOREIGN_HOST", "This address may not be used here.");
  };
}

function onlyWithToken(token: string): RequestHandler {
  const expected = digest(`Bearer ${token}`);
  return (request, response, next) => {
    if (timingSafeEqual(digest(request.headers.authorization ?? ""), expected)) next();
    else problem(response, 401, "LOOP_E_TOKEN", "A bearer token in the Authorization header is needed.");
  };
}

/** RFC 9457. */
function problem(response: Parameters<RequestHandler>[1], status: number, code: string, detail: string): void {
  response.status(status).type("application/problem+json").send(JSON.stringify({ status, code, detail }));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
