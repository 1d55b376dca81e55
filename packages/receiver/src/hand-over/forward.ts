import { setTimeout as sleep } from "node:timers/promises";
import type { Handed, Sink } from "./hand-over.ts";

export type ForwardOptions = {
  readonly url: string;
  /** Told about each attempt that failed, and about a delivery that was given up. */
  readonly onWarning: (text: string) => void;
  /** First pause after a failure, in milliseconds; doubles up to `longestPauseMs`. */
  readonly firstPauseMs?: number;
  readonly longestPauseMs?: number;
  /** Longest time for one attempt, in milliseconds. */
  readonly timeoutMs?: number;
};

type Attempt =
  | { readonly kind: "taken" }
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "later"; readonly why: string; readonly afterMs: number };

/**
 * Answers that speak about this delivery and will not change: trying again would block all behind
 * it for good.
 */
const refusals: readonly number[] = [400, 413, 415, 422];

/**
 * Posts each delivery on, with its id, event and signature, so that the next receiver can verify it
 * and tell a repeated one. Anything but a 2xx is tried again, in order, except answers that refuse
 * this delivery.
 */
export function createForwardSink(options: ForwardOptions): Sink {
  const {
    url,
    onWarning,
    firstPauseMs = 500,
    longestPauseMs = 60_000,
    timeoutMs = 30_000,
  } = options;
  return async (delivery, signal) => {
    for (let pause = firstPauseMs; !signal.aborted; pause = Math.min(pause * 2, longestPauseMs)) {
      const attempt = await post(
        url,
        delivery,
        AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      );
      if (attempt.kind === "taken") return;
      if (attempt.kind === "refused")
        return onWarning(
          `delivery ${delivery.id} was refused for good (${attempt.why}) and is passed over; its body stays in the inbox until room is needed`,
        );
      if (signal.aborted) return;
      const waitMs = Math.min(Math.max(pause, attempt.afterMs), longestPauseMs);
      onWarning(
        `delivery ${delivery.id} could not be forwarded (${attempt.why}); next attempt in ${waitMs} ms`,
      );
      await sleep(waitMs, undefined, { signal }).catch(() => {});
    }
  };
}

async function post(url: string, delivery: Handed, signal: AbortSignal): Promise<Attempt> {
  try {
    // The body's memory is used again for the next delivery, and a redirect must not take a signed
    // body elsewhere.
    const response = await fetch(url, {
      method: "POST",
      body: Buffer.from(delivery.body),
      headers: headersOf(delivery),
      redirect: "manual",
      signal,
    });
    await response.body?.cancel();
    if (response.ok) return { kind: "taken" };
    if (refusals.includes(response.status))
      return { kind: "refused", why: `status ${response.status}` };
    return {
      kind: "later",
      why: `status ${response.status}`,
      afterMs: 1000 * (Number(response.headers.get("retry-after")) || 0),
    };
  } catch (error) {
    return { kind: "later", why: describe(error), afterMs: 0 };
  }
}

function headersOf({ id, event, verified, digest }: Handed): Record<string, string> {
  const headers = {
    "content-type": "application/json",
    "x-host-delivery": id,
    "x-host-event": event,
  };
  return verified ? { ...headers, "x-host-signature-256": `sha256=${digest}` } : headers;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
