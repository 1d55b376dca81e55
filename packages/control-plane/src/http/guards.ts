import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { LoopError } from "@loopwork/core/errors";

export type Guard = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;

const loopbackNames = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Lets through what was addressed to this service, and was not sent by another page (A01, A02): `Host` is a loopback name or
 * listed, `Origin` is the page's own, and a browser that says where a request comes from says that it comes from here.
 * `allowedHosts` are names; one without a port holds for every port.
 */
export function onlyFromHere(allowedHosts: readonly string[]): Guard {
  const listed = new Set(allowedHosts.map((host) => host.toLowerCase()));
  return (request, _response, next) => {
    const { host, origin } = request.headers;
    const site = isVisit(request) ? "none" : request.headers["sec-fetch-site"];
    if (!isKnown(host?.toLowerCase(), listed) || !isNamedOnce(request)) next(new LoopError("LOOP_E_FOREIGN_HOST", "this service is not to be addressed under this name", "use the loopback address, or list the name in `service.allowedHosts`"));
    else if (!isOwnPage(origin, host ?? "", listed) || (site !== undefined && site !== "same-origin" && site !== "none")) next(new LoopError("LOOP_E_FOREIGN_PAGE", "another page sent this request", "open the address of the service itself; programs send no Origin"));
    else next();
  };
}

/** Somebody follows a link to the page, which holds no data and can be put in no frame: where the link stood does not matter. */
function isVisit({ method, url, headers }: IncomingMessage): boolean {
  return method === "GET" && url === "/" && headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";
}

/** By one `Host` and nothing else: of two each program on the way may believe another one, and an address in the request line outdoes both. */
function isNamedOnce({ rawHeaders, url = "/" }: IncomingMessage): boolean {
  return (url.startsWith("/") || url === "*") && rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host").length === 1;
}

function isKnown(host: string | undefined, listed: ReadonlySet<string>): boolean {
  if (host === undefined) return false;
  const name = host.replace(/:\d{1,5}$/, "");
  return listed.has(host) || listed.has(name) || loopbackNames.has(name);
}

/** A page of the same host and port. Behind a proxy that rewrites `Host`, one of the listed names. */
function isOwnPage(origin: string | undefined, host: string, listed: ReadonlySet<string>): boolean {
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  return from.host === host.toLowerCase() || listed.has(from.host) || listed.has(from.hostname);
}

/** Lets through who shows the token, in the header alone; compared in constant time (A03). Throws for a token too short to be one. */
export function onlyWithToken(token: string): Guard {
  if (token.length < 32) throw new TypeError("the token of the control plane needs at least 32 characters");
  const expected = digest(`Bearer ${token}`);
  return (request, response, next) => {
    if (timingSafeEqual(digest(request.headers.authorization ?? ""), expected)) return next();
    response.setHeader("www-authenticate", "Bearer");
    next(new LoopError("LOOP_E_TOKEN", "a bearer token is needed in the Authorization header", "it stands in `<state.root>/control-plane.token`"));
  };
}

/** Nothing that is answered is kept by a cache, guessed at by a browser, or put in a frame. */
export const careful: Guard = (_request, response, next) => {
  response.setHeader("cache-control", "no-store");
  response.setHeader("x-content-type-options", "nosniff");
  response.setHeader("content-security-policy", "default-src 'none'; frame-ancestors 'none'");
  next();
};

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
