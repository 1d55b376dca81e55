import { write } from "node:fs";
import type { Handed, Sink } from "./hand-over.ts";

/** One line a delivery. The body is base64 of the raw bytes: it may be no JSON at all, and its signature still holds. */
export function formatLine({ id, event, source, verified, receivedAt, body }: Handed): string {
  return `${JSON.stringify({ id, event, source, verified, receivedAt, bodyBase64: body.toString("base64") })}\n`;
}

/**
 * Writes lines to a file descriptor, each handed on when the kernel took it whole. Not through a stream: standard output is
 * written synchronously when it is a pipe, and a slow reader would stop the server. Rejects when the reader is gone.
 */
export function createNdjsonSink(descriptor: number): Sink {
  return async (delivery, signal) => {
    let rest = Buffer.from(formatLine(delivery));
    while (rest.length > 0 && !signal.aborted) rest = rest.subarray(await writeSome(descriptor, rest, signal));
  };
}

/** Resolves with the bytes written; with 0 when `signal` fires while the reader is not reading. */
function writeSome(descriptor: number, bytes: Buffer, signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const interrupt = (): void => resolve(0);
    signal.addEventListener("abort", interrupt, { once: true });
    write(descriptor, bytes, (error, written) => {
      signal.removeEventListener("abort", interrupt);
      if (error !== null) reject(error);
      else resolve(written);
    });
  });
}
