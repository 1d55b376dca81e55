import {
  allLinks,
  type Canary,
  canaryBody,
  canaryEvent,
  canaryId,
  canaryLinks,
  canaryPurpose,
  canaryWords,
  clockReport,
  instantOf,
  type LinkReport,
  parseLinkReport,
} from "@loopwork/core";
import { LoopError, type Store, type StoredDelivery, type StoredEvent } from "@loopwork/core/ports";
import { foundWithin } from "../steer/poll-until.ts";
import type { LoadedConfig } from "../configuration/load-config.ts";
import type { Ports } from "../ports/command-ports.ts";
import { diskReport } from "./inspect.ts";
import { type Sent, sendCanary } from "./send.ts";
import { sha256 } from "@loopwork/runtime/sha256";

/**
 * How a canary fared: a report for each link, and whether its delivery reached the store. The same
 * keys whatever happened.
 */
export type Flight = {
  readonly delivery: string;
  readonly stored: boolean;
  readonly links: readonly LinkReport[];
};

/** A dispatcher looks every two seconds; asking a harness for its login takes seconds, too. */
const decidedWithinMs = 10_000;
const answeredWithinMs = 30_000;

/**
 * Sends a synthetic delivery through all that a real one goes through (delivery → verify → store →
 * decide), and gathers what was seen on the way: by the receiver's answer, in the store, and by the
 * service itself.
 */
export async function flyCanary(
  ports: Ports,
  loaded: LoadedConfig,
  url: URL | null,
): Promise<Flight> {
  const canary: Canary = { nonce: ports.ids.uuid(), sentAt: ports.clock.now() };
  const delivery = canaryId(canary);
  const body = canaryBody(await ports.mark(canaryWords(canary), canaryPurpose));
  const sent =
    url === null
      ? await enter(delivery, body, ports)
      : await sendCanary(url, {
          id: delivery,
          body,
          secret: loaded.env[loaded.config.webhooks.hostWebhook.secretEnv] || null,
          secretEnv: loaded.config.webhooks.hostWebhook.secretEnv,
        });
  if (sent.outcome === "unavailable")
    return {
      delivery,
      stored: false,
      links: allLinks([...sent.reports, await whyUnavailable(loaded)]),
    };
  if (sent.outcome === "unanswered") return whyUnanswered(delivery, body, ports, loaded);
  if (sent.outcome === "kept-back")
    return { delivery, stored: false, links: allLinks(sent.reports) };
  const seen = await lookAfter(delivery, canary, ports).catch(
    (error: unknown): readonly LinkReport[] => [storeReport(error)],
  );
  return {
    delivery,
    stored: seen.some(({ link, state }) => link === "store" && state === "good"),
    links: allLinks([...sent.reports, ...seen]),
  };
}

/** Where no receiver is enabled the chain begins with the store. */
async function enter(id: string, text: string, ports: Ports): Promise<Sent> {
  const notNeeded = (["secret", "port", "path"] as const).map((link): LinkReport => ({
    link,
    state: "good",
    found: "not needed (webhooks are off)",
    todo: null,
  }));
  const body = new TextEncoder().encode(text);
  try {
    await (
      await ports.store()
    ).append({
      id,
      source: "cli",
      event: canaryEvent,
      verified: false,
      receivedAt: ports.clock.now(),
      digest: sha256(body),
      body,
      ignored: null,
      allowReplay: true,
    });
    await ports.wake();
    return { outcome: "stored", reports: notNeeded };
  } catch {
    return { outcome: "unavailable", reports: notNeeded };
  }
}

/** The receiver said 503: the disk under the store, or the store itself. */
async function whyUnavailable({ paths }: LoadedConfig): Promise<LinkReport> {
  const disk = await diskReport(paths.stateRoot);
  return disk.state === "broken"
    ? disk
    : {
        link: "store",
        state: "broken",
        found: "the delivery couldn't be stored, although the disk is writable",
        todo: "Run `loop logs` to see why, and check whether another program has locked the database",
      };
}

/**
 * A service that waits for its store takes connections and says nothing. So the delivery is stored
 * from here, under its own id, which tells that from all else.
 */
async function whyUnanswered(
  delivery: string,
  body: string,
  ports: Ports,
  loaded: LoadedConfig,
): Promise<Flight> {
  if ((await enter(delivery, body, ports)).outcome === "unavailable")
    return { delivery, stored: false, links: allLinks([await whyUnavailable(loaded)]) };
  const port: LinkReport = {
    link: "port",
    state: "broken",
    found: "accepts connections, but doesn't answer",
    todo: "Run `loop status` to see whether the receiver is running and where, and `loop logs` for what it is waiting for",
  };
  return { delivery, stored: true, links: allLinks([port]) };
}

function storeReport(error: unknown): LinkReport {
  const known = error instanceof LoopError;
  return {
    link: "store",
    state: "broken",
    found: known || error instanceof Error ? error.message : String(error),
    todo: known ? error.hint : "Run `loop logs` for details",
  };
}

/** What became of the delivery, as the store of this configuration shows it. */
async function lookAfter(id: string, canary: Canary, ports: Ports): Promise<readonly LinkReport[]> {
  const store = await ports.store();
  const stored = await store.log.find(id);
  if (stored === null)
    return [
      {
        link: "store",
        state: "broken",
        found: "the receiver accepted the delivery, but it isn't in the store configured here",
        todo: "The service runs with a different configuration. Run `loop restart` to use this one.",
      },
    ];
  const reports: LinkReport[] = [
    { link: "store", state: "good", found: `stored as number ${stored.seq}`, todo: null },
  ];
  const secret = (await ports.config()).env[
    (await ports.config()).config.webhooks.hostWebhook.secretEnv
  ];
  if (stored.source === "webhook" && !stored.verified && secret)
    reports.push({
      link: "secret",
      state: "broken",
      found: "the running service doesn't verify signatures, although the secret is set here",
      todo: "Run `loop restart` to apply the secret",
    });
  const decision = await foundWithin(
    async () => (await store.log.decision(id))?.decision ?? null,
    decidedWithinMs,
  );
  if (decision === null)
    return [
      ...reports,
      {
        link: "routing",
        state: "broken",
        found: "stored, but not decided",
        todo: "Run `loop status` to see whether a service is running, and `loop logs` for its output",
      },
    ];
  if (decision.reason !== "canary")
    return [
      ...reports,
      {
        link: "routing",
        state: "broken",
        found: `the service didn't recognize the test delivery (${decision.reason}): it has another state root or version`,
        todo: "Run `loop restart`",
      },
    ];
  const answered = await foundWithin(
    async () =>
      (await store.events.list({ delivery: id, kind: "canary.answered", limit: 1 }))[0] ?? null,
    answeredWithinMs,
  );
  if (answered === null)
    return [
      ...reports,
      {
        link: "routing",
        state: "broken",
        found: "decided, but the service didn't report its checks",
        todo: "Run `loop logs` for details",
      },
    ];
  return [
    ...reports,
    ...reportsIn(answered),
    await clockOf(canary, stored, answered, store, ports),
  ];
}

function reportsIn({ fields }: StoredEvent): readonly LinkReport[] {
  return canaryLinks.flatMap((link) => parseLinkReport(link, fields[link]) ?? []);
}

async function clockOf(
  { sentAt }: Canary,
  stored: StoredDelivery,
  answered: StoredEvent,
  store: Store,
  ports: Ports,
): Promise<LinkReport> {
  const answeredAt = ports.clock.now();
  const before = (
    await store.log.list({ beforeSeq: stored.seq, limit: 20, newestFirst: true })
  ).filter(({ event }) => event !== canaryEvent);
  const newest = before.find(({ source }) => source === "webhook");
  const happened =
    newest === undefined
      ? null
      : instantOf((await store.log.decision(newest.id))?.event?.at ?? null);
  const newestBefore =
    before.length === 0 ? null : Math.max(...before.map(({ receivedAt }) => receivedAt));
  return clockReport({
    sentAt,
    receivedAt: answered.time,
    answeredAt,
    newestBefore,
    behindHost: newest === undefined || happened === null ? null : happened - newest.receivedAt,
  });
}
