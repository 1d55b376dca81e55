import { CodeHostError, type OutboxEntry } from "@loopwork/core/ports";
import { eventLine } from "../event-line.ts";
import type { RuntimeParts } from "../parts.ts";
import type { Carried } from "./index.ts";

const firstWaitMs = 2_000;
const longestWaitMs = 15 * 60_000;
/** Nearly four hours of them. */
const mostAttempts = 24;

/**
 * A host that is away is asked again, ever more slowly and never before it wants to be; one that
 * refuses is not, and the log says why.
 */
export function hostFailure(error: unknown, entry: OutboxEntry, parts: RuntimeParts): Carried {
  if (!(error instanceof CodeHostError)) throw error;
  if (error.passing && entry.attempts + 1 < mostAttempts) {
    const wait = Math.max(
      error.retryAfterMs ?? 0,
      Math.min(longestWaitMs, firstWaitMs * 2 ** entry.attempts),
    );
    return { kind: "again", notBefore: parts.clock.now() + wait, note: error.message };
  }
  const line = eventLine(parts, "host.failed", {
    level: "warn",
    workItem: entry.workItem,
    delivery: entry.deliveryId,
    reason: error.code,
    fields: { effect: entry.effect.kind, detail: error.message },
  });
  return { kind: "failed", note: error.message, lines: [line] };
}
