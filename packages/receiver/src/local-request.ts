import { isLoopback } from "@loopwork/core/ports";

/** The connection that a request came by, as Node tells of it. */
export type Sender = { readonly remoteAddress: string | undefined; readonly httpVersion: string };

/**
 * What senders on this machine put on a delivery, in lower case; Node's own `fetch` is why
 * `sec-fetch-mode` is here.
 */
const local: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "sec-fetch-mode",
  "transfer-encoding",
  "user-agent",
]);
const ofHosts: readonly string[] = [
  "x-host-",
  "x-github-",
  "x-hub-",
  "x-gitea-",
  "x-forgejo-",
  "x-gogs-",
];

/**
 * Whether a request may have begun on another machine: by the other end of its connection, by the
 * host it was addressed to, or by anything on it that no sender on this machine sends, as what
 * proxies, tunnels and browsers add. Proxies often speak HTTP/1.0. Without a secret nothing else
 * tells the code host from anyone on the internet. A proxy that hides all of it is not recognised;
 * `webhooks.hostWebhook.publicUrl` is for that.
 */
export function cameFromElsewhere(
  rawHeaders: readonly string[],
  { remoteAddress, httpVersion }: Sender,
): boolean {
  if (
    httpVersion !== "1.1" ||
    remoteAddress === undefined ||
    !isLoopback(remoteAddress.replace(/^::ffff:/, ""))
  )
    return true;
  let isNamed = false;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? "").toLowerCase();
    if (!local.has(name) && !ofHosts.some((prefix) => name.startsWith(prefix))) return true;
    if (name !== "host") continue;
    isNamed = true;
    if (!isLoopback(hostName(rawHeaders[at + 1] ?? ""))) return true;
  }
  return !isNamed;
}

/** The host without its port; `[::1]:8787` keeps its brackets. */
function hostName(host: string): string {
  const port = /:[0-9]{1,5}$/.exec(host);
  return port === null || host.endsWith("]") ? host : host.slice(0, port.index);
}
