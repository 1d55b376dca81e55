import type { NewDelivery } from "../event/delivery.ts";

/** A receipt time, milliseconds since 1970. */
export const noon: number = 1_750_000_000_000;

/** A good delivery; what is not given is filled so that only the id makes it unique. */
export function deliveryOf(id: string, over: Partial<NewDelivery> = {}): NewDelivery {
  const body = over.body === undefined ? bytesOf(`{"id":"${id}"}`) : over.body;
  return {
    id,
    source: "webhook",
    event: "issues",
    verified: true,
    receivedAt: noon,
    digest: over.digest ?? digestOf(body, id),
    ignored: null,
    ...over,
    body,
  };
}

/** The bytes of an ASCII text. */
export function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/**
 * 64 hex digits that are equal for equal bodies: a stand-in for a signature, good enough to tell
 * test bodies apart.
 */
export function digestOf(body: Uint8Array | null, salt: string): string {
  const seed = body ?? bytesOf(salt);
  let digits = "";
  for (let lane = 1; lane <= 8; lane += 1) {
    let hash = Math.imul(lane, 0x9e3779b1) ^ seed.length;
    for (const byte of seed) hash = Math.imul(hash ^ byte, 0x01000193);
    digits += (hash >>> 0).toString(16).padStart(8, "0");
  }
  return digits;
}
