import { settleForgotten, settleRejected } from "@loopwork/core";
import type { StoredDelivery } from "@loopwork/core/ports";
import { eventLine } from "./event-line.ts";
import type { RuntimeParts } from "./parts.ts";

const dayMs = 86_400_000;

/**
 * An error that is not plainly a bug may pass; after so many failures of the same delivery in a row
 * it does not.
 */
const mostFailures = 3;

/** Whether a delivery at which deciding failed so many times in a row would fail for ever. */
export function isForGood(error: unknown, times: number): error is Error {
  return isBug(error) || (isOurs(error) && times >= mostFailures);
}

function isBug(error: unknown): error is TypeError | RangeError {
  return error instanceof TypeError || error instanceof RangeError;
}

/**
 * What the store, the inbox, the code host, SQLite and the file system throw carries a code: the
 * event is as good as it was and waits until they work again. A plain error comes of our own code
 * and this very delivery.
 */
function isOurs(error: unknown): error is Error {
  return error instanceof Error && !("code" in error) && !("errcode" in error);
}

/** So that it never blocks the ones behind it. */
export async function setAside(
  delivery: StoredDelivery,
  error: Error,
  parts: RuntimeParts,
): Promise<void> {
  parts.log(
    "error",
    `deciding ${delivery.id} failed, it is set aside: ${error.stack ?? error.message}`,
  );
  await parts.store.log.decide(delivery.seq, null, () =>
    settleRejected(delivery, "shape", parts.settings().policy, parts.clock.now()),
  );
}

/**
 * Of a delivery that has no body. One that is older than bodies are kept says nothing to an
 * instance that joined late. Else a body that was accepted cannot be read any more: damage to the
 * disk, told as loudly as can be. What is behind it goes on.
 */
export async function passOver(delivery: StoredDelivery, parts: RuntimeParts): Promise<void> {
  const { policy, config } = parts.settings();
  const now = parts.clock.now();
  if (delivery.receivedAt < now - config.retention.bodiesDays * dayMs)
    return void (await parts.store.log.decide(delivery.seq, null, () =>
      settleForgotten(delivery, policy, now),
    ));
  const detail = `the body of delivery ${delivery.id} was accepted and cannot be read any more; let the host send it again under a new id`;
  parts.log("error", detail);
  const line = eventLine(parts, "daemon.warning", {
    level: "error",
    delivery: delivery.id,
    reason: "body-unreadable",
    fields: { detail },
  });
  await parts.store.log.decide(delivery.seq, null, () => {
    const decided = settleRejected(delivery, "not-json", policy, now);
    return { ...decided, lines: [...decided.lines, line] };
  });
}
