import type { IncomingMessage } from "node:http";

/** Bounds of reading bodies. */
export type BodyLimits = {
  /** Largest body, in bytes. */
  readonly maxBytes: number;
  /** Longest time from the headers to the last byte, in milliseconds. */
  readonly deadlineMs: number;
  /** Bytes that all bodies being read may hold together; one more ends the costliest of them. */
  readonly maxBufferedBytes: number;
  /**
   * A body that brings less than `stallBytes` in a span of this many milliseconds ends; default
   * 3000.
   */
  readonly stallMs?: number;
  /** Default 4096. */
  readonly stallBytes?: number;
  /** Milliseconds of a clock that only goes forward. */
  readonly now?: () => number;
};

/** The whole body, or why there is none. `gone`: the sender closed the connection. */
export type BodyRead = Buffer | "body-too-large" | "body-late" | "too-busy" | "gone";

/** Reads bodies and counts what they hold together. */
export type BodyReader = {
  read(request: IncomingMessage): Promise<BodyRead>;
  /** Bytes held by bodies that are being read now. */
  buffered(): number;
};

/** A body that is being read. `seen`: its size when it was last looked at, null before that. */
type Unfinished = {
  size: number;
  seen: number | null;
  readonly since: number;
  readonly end: (why: "too-busy" | "body-late") => void;
};

/**
 * Reads raw bodies within bounds. Memory follows what has arrived, never what was promised: a
 * declared length is only compared. What is over a bound is dropped at once; answering and closing
 * is the caller's.
 *
 *     reading ──last byte──▶ read
 *        ├── its own bound ────────────────────────────▶ body-too-large
 *        ├── its time, or a span without progress ─────▶ body-late
 *        └── the bound of all, and it is the costliest ▶ too-busy
 *
 * Anybody may open a body without knowing the secret, so refusing the newcomer would let a few
 * senders that stall keep everybody else out. Cost is bytes held times how long: a delivery that
 * comes in one go costs next to nothing.
 */
export function createBodyReader(limits: BodyLimits): BodyReader {
  const { stallMs = 3000, stallBytes = 4096, now = () => performance.now() } = limits;
  const unfinished = new Set<Unfinished>();
  let buffered = 0;
  let watch: NodeJS.Timeout | null = null;

  function read(request: IncomingMessage): Promise<BodyRead> {
    return new Promise((resolve) => {
      const chunks: Buffer[] = [];
      let isOver = false;
      const body: Unfinished = { size: 0, seen: null, since: now(), end: finish };
      const deadline = setTimeout(() => finish("body-late"), limits.deadlineMs);
      unfinished.add(body);
      // A busy process runs timers before it reads what has arrived meanwhile, hence the look after
      // that.
      watch ??= setInterval(() => setImmediate(endStalled), stallMs).unref();

      function take(chunk: Buffer): void {
        if (isOver) return;
        body.size += chunk.length;
        buffered += chunk.length;
        chunks.push(chunk);
        if (body.size > limits.maxBytes) finish("body-too-large");
        while (buffered > limits.maxBufferedBytes) costliest(unfinished, now())?.end("too-busy");
      }

      // Listeners stay until the request goes: taking four of them off would cost every body more
      // than this look.
      function finish(result: BodyRead): void {
        if (isOver) return;
        isOver = true;
        clearTimeout(deadline);
        unfinished.delete(body);
        buffered -= body.size;
        chunks.length = 0; // The listeners would keep them until the connection goes.
        resolve(result);
      }

      function end(): void {
        if (!isOver)
          finish(
            chunks.length === 1 && chunks[0] !== undefined
              ? chunks[0]
              : Buffer.concat(chunks, body.size),
          );
      }

      function gone(): void {
        finish("gone");
      }

      request.on("data", take).on("end", end).on("error", gone).on("close", gone);
    });
  }

  function endStalled(): void {
    if (unfinished.size === 0 && watch !== null) {
      clearInterval(watch);
      watch = null;
    }
    for (const body of unfinished) {
      if (body.seen !== null && body.size - body.seen < stallBytes) body.end("body-late");
      body.seen = body.size;
    }
  }

  return { read, buffered: () => buffered };
}

/** Of several of one cost the larger, then the oldest. */
function costliest(unfinished: ReadonlySet<Unfinished>, at: number): Unfinished | null {
  let worst: Unfinished | null = null;
  for (const body of unfinished) if (worst === null || isCostlier(body, worst, at)) worst = body;
  return worst;
}

function isCostlier(body: Unfinished, than: Unfinished, at: number): boolean {
  const [cost, other] = [body.size * (at - body.since), than.size * (at - than.since)];
  return cost > other || (cost === other && body.size > than.size);
}

/**
 * A body that was read before us: its bytes when they are raw, "consumed" when a parser kept only
 * its own view of them.
 */
export function bodyReadBefore(
  request: IncomingMessage & { readonly body?: unknown },
): Buffer | "consumed" | null {
  const { body } = request;
  if (Buffer.isBuffer(body)) return body;
  return request.readableDidRead || (request.complete && request.readableEnded) ? "consumed" : null;
}
