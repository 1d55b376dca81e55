import type { Writable } from "node:stream";
import type { Handed, Sink } from "./hand-over.ts";

/** One line a delivery. The body is base64 of the raw bytes: it may be no JSON at all, and its signature still holds. */
export function formatLine({ id, event, source, verified, receivedAt, body }: Handed): string {
  return `${JSON.stringify({ id, event, source, verified, receivedAt, bodyBase64: body.toString("base64") })}\n`;
}

/** Writes lines to a stream, each handed on when the stream took it. Rejects when the stream fails: its reader is gone. */
export function createNdjsonSink(stream: Writable): Sink {
  return (delivery) =>
    new Promise((resolve, reject) => {
      stream.write(formatLine(delivery), (error) => (error === null || error === undefined ? resolve() : reject(error)));
    });
}
