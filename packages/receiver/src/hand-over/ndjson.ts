import type { Writable } from "node:stream";
import type { Handed, Sink } from "./hand-over.ts";

/**
 * One line a delivery. The body is base64 of the raw bytes: it may be no JSON at all, and its
 * signature still holds.
 */
export function formatLine({ id, event, source, verified, receivedAt, body }: Handed): string {
  return `${JSON.stringify({ id, event, source, verified, receivedAt, bodyBase64: body.toString("base64") })}\n`;
}

/**
 * Writes lines to a stream, each handed on when the stream took it whole. A slow reader holds back
 * the hand-over and nothing else. Rejects when the reader is gone.
 */
export function createNdjsonSink(stream: Writable): Sink {
  // A failed write tells its callback; the event it also causes would end the process.
  stream.on("error", () => {});
  return (delivery, signal) =>
    new Promise((resolve, reject) => {
      const interrupt = (): void => resolve();
      signal.addEventListener("abort", interrupt, { once: true });
      stream.write(formatLine(delivery), (error) => {
        signal.removeEventListener("abort", interrupt);
        if (error === null || error === undefined) resolve();
        else reject(error);
      });
    });
}
