import { createHash } from "node:crypto";
import { CodeHostError, type Inbox, type NewDelivery } from "@loopwork/core/ports";
import type { MissedDelivery } from "@loopwork/core";
import type { Client } from "../client.ts";
import { at } from "../fields.ts";
import { isObject } from "../poller/subjects.ts";

/**
 * What became of a delivery that was missing. `fetched`: its payload was read from the host and
 * stored. `asked-again`: the host sends it once more. `lost`: the host has the payload no more and
 * does not send it again, or may not be asked.
 */
export type Recovery = "fetched" | "asked-again" | "lost";

/**
 * Fetches the payload and stores it under the delivery's own id, so that it counts once, however
 * else it may still come. Reading needs less of the token than asking again, and works while nobody
 * reaches the receiver, so it goes first.
 */
export async function recover(
  gap: MissedDelivery,
  hook: string,
  client: Client,
  base: string,
  inbox: Inbox,
  now: number,
): Promise<Recovery> {
  const path = `${base}/hooks/${hook}/deliveries/${gap.attempt}`;
  // Not by the reading that remembers: a payload is read once, and may be large.
  const shown = await client
    .getIfChanged("reading a delivery", path, null)
    .catch(nullUnlessPassing);
  const payload = at(shown, "data", "request", "payload");
  if (isObject(payload)) {
    await inbox.append(deliveryOf(gap, payload, now));
    return "fetched";
  }
  const asked = await client
    .post("asking for a delivery again", `${path}/attempts`, {})
    .catch(nullUnlessPassing);
  return asked === null ? "lost" : "asked-again";
}

/**
 * No signature stands over these bytes: the host was asked with our token, which is why they are
 * believed.
 */
function deliveryOf(
  { delivery, event }: MissedDelivery,
  payload: object,
  now: number,
): NewDelivery {
  const body = Buffer.from(JSON.stringify(payload));
  return {
    id: delivery,
    source: "poll",
    event,
    verified: false,
    receivedAt: now,
    digest: createHash("sha256").update(body).digest("hex"),
    body,
    ignored: null,
    allowReplay: true,
  };
}

/**
 * What passes ends the audit, which goes on from here another time; what is final leaves another
 * way to try.
 */
function nullUnlessPassing(error: unknown): null {
  if (error instanceof CodeHostError && !error.passing) return null;
  throw error;
}
