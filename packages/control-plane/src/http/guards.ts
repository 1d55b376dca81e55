import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { LoopError } from "@loopwork/core/ports";
import type { FailedTokens } from "./failed-tokens.ts";

export type Guard = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

const loopbackNames = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Lets through what was addressed to this service, and was not sent by another page: `Host` is a
 * loopback name or listed, `Origin` is the page's own, and a browser that says where a request
 * comes from says that it comes from here. `allowedHosts` are names; one without a port holds for
 * every port of `Host`, and for the usual port of an `Origin`.
 */
export function onlyFromHere(allowedHosts: readonly string[]): Guard {
  const listed = new Set(allowedHosts.map((host) => host.toLowerCase()));
  const pagesOf = (host: string) => [originOf("https", host), originOf("http", host)];
  const listedPages = new Set([...listed].flatMap(pagesOf));
  return (request, _response, next) => {
    const { origin } = request.headers;
    const host = request.headers.host?.toLowerCase() ?? "";
    const isOwn =
      origin === undefined ||
      listedPages.has(origin) ||
      ownPages(request, host, listed).includes(origin);
    const site = isVisit(request) ? "none" : request.headers["sec-fetch-site"];
    if (!isKnown(host, listed) || !isNamedOnce(request))
      next(
        new LoopError(
          "LOOP_E_FOREIGN_HOST",
          "Host name not allowed",
          "Use the loopback address, or add the name to `service.allowedHosts`",
        ),
      );
    else if (!isOwn || (site !== undefined && site !== "same-origin" && site !== "none"))
      next(
        new LoopError(
          "LOOP_E_FOREIGN_PAGE",
          "Cross-origin request rejected",
          "Open the service's own address. Programs send no Origin header.",
        ),
      );
    else next();
  };
}

/**
 * Somebody follows a link to the page, which holds no data and can be put in no frame: where the
 * link stood does not matter.
 */
function isVisit({ method, url, headers }: IncomingMessage): boolean {
  return (
    method === "GET" &&
    url === "/" &&
    headers["sec-fetch-mode"] === "navigate" &&
    headers["sec-fetch-dest"] === "document"
  );
}

/**
 * By one `Host` and nothing else: of two each program on the way may believe another one, and an
 * address in the request line outdoes both.
 */
function isNamedOnce({ rawHeaders, url = "/" }: IncomingMessage): boolean {
  return (
    (url.startsWith("/") || url === "*") &&
    rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host").length === 1
  );
}

function isKnown(host: string, listed: ReadonlySet<string>): boolean {
  return isListed(host, listed) || loopbackNames.has(withoutPort(host));
}

function isListed(host: string, listed: ReadonlySet<string>): boolean {
  return listed.has(host) || listed.has(withoutPort(host));
}

function withoutPort(host: string): string {
  return host.replace(/:\d{1,5}$/, "");
}

/**
 * Origins of the pages of `host`: by the scheme in which it was asked, and by https where the name
 * is listed, as something with TLS may stand before us then. On loopback names nothing does: what
 * answers to https there is another program.
 */
function ownPages(
  { socket }: IncomingMessage,
  host: string,
  listed: ReadonlySet<string>,
): readonly (string | null)[] {
  const isEncrypted = "encrypted" in socket && socket.encrypted === true;
  const own = originOf(isEncrypted ? "https" : "http", host);
  return isListed(host, listed) ? [own, originOf("https", host)] : [own];
}

/** As a browser writes it, to be compared letter by letter; null for what is no host. */
function originOf(scheme: "http" | "https", host: string): string | null {
  const address = `${scheme}://${host}`;
  return URL.canParse(address) ? new URL(address).origin : null;
}

/**
 * Lets through who shows the token, in the header alone; compared in constant time. Who shows
 * another one too often is asked to wait, and the right token passes even then. Throws for a token
 * too short to be one.
 */
export function onlyWithToken(token: string, failures: FailedTokens): Guard {
  if (token.length < 32)
    throw new TypeError("the token of the control plane needs at least 32 characters");
  const expected = digest(`Bearer ${token}`);
  return ({ headers, socket }, response, next) => {
    const shown = headers.authorization;
    if (timingSafeEqual(digest(shown ?? ""), expected)) return next();
    const address = socket.remoteAddress ?? "an unknown address";
    const waitSeconds = shown === undefined ? null : failures.count(address);
    if (waitSeconds === null) {
      response.setHeader("www-authenticate", "Bearer");
      const needed = "a bearer token is needed in the Authorization header";
      return next(new LoopError("LOOP_E_TOKEN", needed, tokenPlace));
    }
    response.setHeader("retry-after", String(waitSeconds));
    const hint = `show the right one, which is taken at any time: ${tokenPlace}`;
    next(new LoopError("LOOP_E_TOKEN_LIMIT", "Too many wrong tokens from this address", hint));
  };
}

const tokenPlace = "it stands in `<state.root>/control-plane.token`";

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
