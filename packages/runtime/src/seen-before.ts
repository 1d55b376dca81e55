import { type InboundEvent, isRepetition, keyOfNth, maybeAgain } from "@loopwork/core";
import type { DeliveryLog } from "@loopwork/core/ports";

/**
 * Under which delivery an event was decided before, null for a new one; and the key by which it is
 * known, where that is not the event's own.
 */
export type Seen = { readonly seenAs: string | null; readonly key?: string };

/** Looks the event up by its key, and where that may come again, by what was told under it. */
export async function seenBefore(
  event: InboundEvent,
  log: Pick<DeliveryLog, "seenAs" | "decision">,
): Promise<Seen> {
  for (let nth = 1; ; nth += 1) {
    const key = keyOfNth(event, nth);
    const seenAs = await log.seenAs(key);
    if (seenAs === null) return key === event.key ? { seenAs } : { seenAs, key };
    const earlier =
      maybeAgain(event) && key !== keyOfNth(event, nth + 1)
        ? ((await log.decision(seenAs))?.event ?? null)
        : null;
    if (earlier === null || isRepetition(event, earlier)) return { seenAs };
  }
}
