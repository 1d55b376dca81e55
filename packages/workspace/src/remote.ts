import { GitLost } from "@loopwork/core/ports";
import { complaintOf, WorkspaceError } from "./failure.ts";

/** An address that may be fetched from, and the transport that git is allowed for it. */
export type Remote = { readonly url: string; readonly protocol: Protocol };
export type Protocol = "https" | "ssh" | "http" | "file";

/**
 * Decides whether a clone address may be used. An address comes from a payload and is believed only
 * as far as the operator's own settings go: `https` and `ssh` to the host whose repository it is;
 * plain `http` or a local path only below `ownBase`, which comes from the configuration alone (ADR
 * 0017). Throws `LOOP_E_WORKSPACE_REMOTE`.
 */
export function remoteOf(cloneUrl: string, host: string, ownBase: string | null): Remote {
  if (!isPlainText(cloneUrl)) throw refused(cloneUrl, "it has characters that no address has");
  const scp = scpHost(cloneUrl);
  if (scp !== null) {
    if (scp !== hostname(host)) throw refused(cloneUrl, `it leads to another host than ${host}`);
    return { url: cloneUrl, protocol: "ssh" };
  }
  const url = URL.canParse(cloneUrl) ? new URL(cloneUrl) : null;
  if (url === null) throw refused(cloneUrl, "it is no address");
  const own = ownProtocol(url, ownBase);
  if (own !== null) return { url: plain(url), protocol: own };
  if (url.protocol !== "https:" && url.protocol !== "ssh:")
    throw refused(cloneUrl, `${url.protocol.replace(":", "")} is not allowed there`);
  if (url.hostname.toLowerCase() !== hostname(host))
    throw refused(cloneUrl, `it leads to another host than ${host}`);
  return url.protocol === "https:"
    ? { url: plain(url), protocol: "https" }
    : { url: url.href, protocol: "ssh" };
}

/** The address of a checkout that was made before: its host was compared then. */
export function recordedRemote(url: string, ownBase: string | null): Remote {
  const host = scpHost(url) ?? (URL.canParse(url) ? new URL(url).hostname : "");
  return remoteOf(url, host, ownBase);
}

/** What is said of a remote that did not answer as it should, whatever `git.run` rejected with. */
export function notFetched({ url }: Remote, error: unknown): Error {
  if (error instanceof GitLost) return error;
  return new WorkspaceError(
    "LOOP_E_WORKSPACE_FETCH",
    `${url} could not be fetched: ${complaintOf(error instanceof Error ? error.cause : error)}`,
    `Try it by hand: git ls-remote ${url}. Logins are your own git's.`,
  );
}

/**
 * Base of clone addresses on a host whose API the operator configured with plain http; null for
 * every other.
 */
export function ownBaseOf(apiBaseUrl: string | null): string | null {
  if (apiBaseUrl === null || !URL.canParse(apiBaseUrl)) return null;
  const url = new URL(apiBaseUrl);
  return url.protocol === "http:" ? `${url.origin}/` : null;
}

/**
 * `http` or `file` when the address lies below the operator's own base. URL parsing has resolved
 * `..` by then.
 */
function ownProtocol(url: URL, ownBase: string | null): Protocol | null {
  if (ownBase === null || !URL.canParse(ownBase)) return null;
  const base = new URL(ownBase.endsWith("/") ? ownBase : `${ownBase}/`);
  if (
    url.protocol !== base.protocol ||
    url.host !== base.host ||
    !url.pathname.startsWith(base.pathname)
  )
    return null;
  if (url.pathname.toLowerCase().includes("%2e") || url.pathname.toLowerCase().includes("%2f"))
    return null;
  return base.protocol === "http:" ? "http" : base.protocol === "file:" ? "file" : null;
}

/** Without user name and password: credentials are the user's own, never a payload's. */
function plain(url: URL): string {
  const copy = new URL(url);
  copy.username = "";
  copy.password = "";
  return copy.href;
}

/** Host of `user@host:path`, the short form of ssh addresses; null for every other text. */
function scpHost(text: string): string | null {
  const colon = text.indexOf(":");
  if (text.includes("://") || colon < 1) return null;
  const before = text.slice(0, colon);
  const name = before.slice(before.lastIndexOf("@") + 1).toLowerCase();
  const named =
    before.length > 1 &&
    !before.startsWith("-") &&
    !name.startsWith("-") &&
    !text.slice(colon + 1).startsWith(":") &&
    !text.slice(colon + 1).startsWith("-");
  return named && !before.includes("/") ? name : null;
}

const hostname = (host: string): string => (host.split(":")[0] ?? "").toLowerCase();

function isPlainText(text: string): boolean {
  if (text.length === 0 || text.length > 1_000 || text.startsWith("-")) return false;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code <= 32 || code >= 127) return false;
  }
  return true;
}

function refused(cloneUrl: string, why: string): WorkspaceError {
  const shown = URL.canParse(cloneUrl) ? plain(new URL(cloneUrl)) : cloneUrl;
  return new WorkspaceError(
    "LOOP_E_WORKSPACE_REMOTE",
    `The clone address ${JSON.stringify(shown.slice(0, 120))} is not used: ${why}.`,
    "Https and ssh addresses on the work item's own host are; for a host without https set integrations.codeHost.apiBaseUrl to its http address.",
  );
}
