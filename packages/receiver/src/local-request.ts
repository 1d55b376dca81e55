import { isLoopback } from "@loopwork/core/receiving";

/** What proxies, tunnels and browsers add to a request, in lower case. Nothing on this machine that talks to the port itself sends them. */
const forwarded: ReadonlySet<string> = new Set(["forwarded", "via", "x-real-ip", "x-client-ip", "x-original-host", "true-client-ip", "cf-connecting-ip", "cf-ray", "fly-client-ip", "origin", "sec-fetch-site"]);

/**
 * Whether a request may have begun on another machine: by the other end of its connection, by the host it was addressed to, or by
 * what a proxy adds. Without a secret nothing else tells the code host from anyone on the internet. A proxy that hides all of it is
 * not recognised; `webhooks.hostWebhook.publicUrl` is for that.
 */
export function cameFromElsewhere(rawHeaders: readonly string[], remoteAddress: string | undefined): boolean {
  if (remoteAddress === undefined || !isLoopback(remoteAddress.replace(/^::ffff:/, ""))) return true;
  let isNamed = false;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? "").toLowerCase();
    if (forwarded.has(name) || name.startsWith("x-forwarded-")) return true;
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
