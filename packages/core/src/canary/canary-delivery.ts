import { type PostText, verbatimPost } from "../message/post.ts";
import { parsePayload } from "../event/parse-payload.ts";
import type { StoredDelivery } from "../event/delivery.ts";

/** The event name of a canary; no code host sends one. */
export const canaryEvent = "loop_canary";

/**
 * What the keyed marker of a canary is bound to, so that no other text of ours can be sent as one.
 */
export const canaryPurpose = "canary";

/**
 * A delivery that `loop canary` makes to see whether one gets through; `sentAt` is milliseconds
 * since 1970 by the sender's clock.
 */
export type Canary = { readonly nonce: string; readonly sentAt: number };

/** The first line of what is signed. */
const grammar =
  /^loop canary ([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}) (\d{1,16})(?:\n|$)/;

/** The words that are signed with the key of this state root. */
export function canaryWords({ nonce, sentAt }: Canary): PostText {
  return verbatimPost(`loop canary ${nonce} ${sentAt}`);
}

/** A canary's delivery id: one nonce is one delivery, so that a copy of it is a duplicate. */
export function canaryId({ nonce }: Pick<Canary, "nonce">): string {
  return `canary-${nonce}`;
}

export function canaryBody(signed: string): string {
  return JSON.stringify({ canary: signed });
}

/**
 * Reads a delivery as a canary; null when it is none. `signed` is the text whose marker has to be
 * checked before it counts: whoever knows the webhook's secret alone can make no canary.
 */
export function parseCanary(
  { id, event }: Pick<StoredDelivery, "id" | "event">,
  text: string,
): (Canary & { readonly signed: string }) | null {
  if (event !== canaryEvent) return null;
  const parsed = parsePayload(text);
  const signed = parsed.ok ? parsed.payload["canary"] : null;
  if (typeof signed !== "string") return null;
  const words = grammar.exec(signed);
  if (words === null) return null;
  const canary = { nonce: String(words[1]), sentAt: Number(words[2]) };
  return id === canaryId(canary) ? { ...canary, signed } : null;
}
