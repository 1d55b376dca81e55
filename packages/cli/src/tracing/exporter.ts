import type { Log } from "../output/log.ts";
import { otlpBody, type OtlpSettings } from "./otlp.ts";
import type { Span } from "./span.ts";
import type { TakeSpan } from "./traced.ts";

const gatherMs = 1_000;
const mostInBatch = 512;
/** What waits for a collector that is away; then the oldest go. */
const mostWaiting = 4_096;
const lastFlushMs = 2_000;
const worthAnotherTry: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Spans on their way to the collector. */
export type Exporter = {
  readonly take: TakeSpan;
  /** Sends what waits, for two seconds at most. */ close(): Promise<void>;
};

/**
 * Gathers spans for a second and sends them. A collector that is away is told about once, and costs
 * nothing but the spans.
 */
export function createExporter(
  { url, headers, timeoutMs, resource }: OtlpSettings,
  say: Log["say"],
): Exporter {
  let waiting: Span[] = [];
  let timer: NodeJS.Timeout | null = null;
  let away = false;
  let sending: Promise<void> = Promise.resolve();

  async function send(withinMs: number): Promise<void> {
    const batch = waiting.slice(0, mostInBatch);
    if (batch.length === 0) return;
    const { failure, again } = await post(batch, withinMs);
    // Meanwhile the oldest may have gone to make room: what was sent is taken out by itself, not by
    // its place.
    const done = new Set(again ? [] : batch);
    waiting = waiting.filter((span) => !done.has(span));
    if (failure !== null && !again)
      say(
        "warn",
        `${batch.length} spans are left out of the traces: the collector refused them, ${failure}`,
      );
    if (again && !away)
      say(
        "warn",
        `traces do not reach the collector: ${failure}; the newest ${mostWaiting} spans wait for it`,
      );
    if (!again && away) say("info", "traces reach the collector again");
    away = again;
    if (waiting.length > 0) later();
  }

  /**
   * Which answers are worth another try OpenTelemetry says ("OTLP/HTTP Response", retryable codes);
   * any other would come again and again.
   */
  async function post(
    batch: readonly Span[],
    withinMs: number,
  ): Promise<{ readonly failure: string | null; readonly again: boolean }> {
    try {
      const response = await fetch(url, {
        method: "POST",
        redirect: "error",
        headers: { ...headers, "content-type": "application/json" },
        body: otlpBody(batch, resource),
        signal: AbortSignal.timeout(withinMs),
      });
      await response.body?.cancel();
      return response.ok
        ? { failure: null, again: false }
        : {
            failure: `it answered ${response.status}`,
            again: worthAnotherTry.has(response.status),
          };
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      return { failure: cause instanceof Error ? cause.message : String(cause), again: true };
    }
  }

  function later(): void {
    timer ??= setTimeout(
      () => {
        timer = null;
        sending = sending.then(() => send(timeoutMs));
      },
      away ? gatherMs * 10 : gatherMs,
    ).unref();
  }

  return {
    take(span) {
      waiting.push(span);
      if (waiting.length > mostWaiting) waiting = waiting.slice(-mostWaiting);
      later();
    },
    async close() {
      if (timer !== null) clearTimeout(timer);
      const all = async (): Promise<void> => {
        await sending;
        for (let before = Infinity; waiting.length > 0 && waiting.length < before;) {
          before = waiting.length;
          await send(lastFlushMs);
        }
      };
      await Promise.race([
        all(),
        new Promise((resolve) => setTimeout(resolve, lastFlushMs).unref()),
      ]);
      if (timer !== null) clearTimeout(timer);
    },
  };
}
