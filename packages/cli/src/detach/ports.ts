import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { LoopError } from "@loopwork/core/ports";

/** Where a daemon takes connections, as its configuration says. */
export type Place = { readonly host: string; readonly port: number };

const wildcards: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

/**
 * Proves that what is about to start can listen where it wants to, so that nothing is ended for
 * something that cannot come up. What our own daemons have (`held`) they will give away. Rejects
 * with `LOOP_E_LISTEN`.
 */
export async function requirePorts(
  wanted: readonly Place[],
  held: readonly Place[],
): Promise<void> {
  const ours = await Promise.all(held.map(resolved));
  for (const each of wanted)
    for (const place of placesToTry(await resolved(each), ours)) await tryToListen(place);
}

/**
 * A port that we have at one address alone, and want at all of them, somebody else may have at the
 * others.
 */
function placesToTry(wanted: Place, held: readonly Place[]): readonly Place[] {
  const ours = held.filter(({ port }) => port === wanted.port).map(({ host }) => host);
  if (ours.some((host) => host === wanted.host || wildcards.has(host))) return [];
  if (ours.length === 0 || !wildcards.has(wanted.host)) return [wanted];
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const here = all
    .filter(({ family, scopeid }) => (wanted.host === "::" || family === "IPv4") && !scopeid)
    .map(({ address }) => address);
  return here.filter((host) => !ours.includes(host)).map((host) => ({ host, port: wanted.port }));
}

async function tryToListen({ host, port }: Place): Promise<void> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, "listening");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new LoopError(
      "LOOP_E_LISTEN",
      `Can't listen on ${host}:${port}: ${why}`,
      "Running services continue unchanged. Free the port or set another address, then run `loop restart`.",
    );
  } finally {
    server.close();
  }
}

/** By its address; a name that has none is left to who listens. */
async function resolved({ host, port }: Place): Promise<Place> {
  const { address } = await lookup(host).catch(() => ({ address: host }));
  return { host: address, port };
}
