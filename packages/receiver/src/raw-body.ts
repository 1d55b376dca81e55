import type { IncomingMessage } from "node:http";

/** Bounds of reading bodies. */
export type BodyLimits = {
  /** Largest body, in bytes. */
  readonly maxBytes: number;
  /** Longest time from the headers to the last byte, in milliseconds. */
  readonly deadlineMs: number;
  /** Bytes that all bodies being read may hold together; one more and the newest is refused. */
  readonly maxBufferedBytes: number;
};

/** The whole body, or why there is none. `gone`: the sender closed the connection. */
export type BodyRead = Buffer | "body-too-large" | "body-late" | "too-busy" | "gone";

/** Reads bodies and counts what they hold together. */
export type BodyReader = {
  read(request: IncomingMessage): Promise<BodyRead>;
  /** Bytes held by bodies that are being read now. */
  buffered(): number;
};

/**
 * Reads raw bodies within bounds. Memory follows what has arrived, never what was promised: a declared length is only
 * compared (R07). What is over a bound is dropped at once; answering and closing is the caller's.
 */
export function createBodyReader(limits: BodyLimits): BodyReader {
  let buffered = 0;

  function read(request: IncomingMessage): Promise<BodyRead> {
    return new Promise((resolve) => {
      const chunks: Buffer[] = [];
      let size = 0;
      let isOver = false;
      const deadline = setTimeout(() => finish("body-late"), limits.deadlineMs);

      function take(chunk: Buffer): void {
        if (isOver) return;
        size += chunk.length;
        buffered += chunk.length;
        chunks.push(chunk);
        if (size > limits.maxBytes) finish("body-too-large");
        else if (buffered > limits.maxBufferedBytes) finish("too-busy");
      }

      // Listeners stay until the request goes: taking four of them off would cost every body more than this look.
      function finish(result: BodyRead): void {
        if (isOver) return;
        isOver = true;
        clearTimeout(deadline);
        buffered -= size;
        resolve(result);
      }

      function end(): void {
        if (!isOver) finish(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size));
      }

      function gone(): void {
        finish("gone");
      }

      request.on("data", take).on("end", end).on("error", gone).on("close", gone);
    });
  }

  return { read, buffered: () => buffered };
}

/** A body that was read before us: its bytes when they are raw, "consumed" when a parser kept only its own view of them. */
export function bodyReadBefore(request: IncomingMessage & { readonly body?: unknown }): Buffer | "consumed" | null {
  const { body } = request;
  if (Buffer.isBuffer(body)) return body;
  return request.readableDidRead || request.complete && request.readableEnded ? "consumed" : null;
}
