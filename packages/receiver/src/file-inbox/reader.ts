import { closeSync, openSync } from "node:fs";
import type { Entry } from "./record.ts";
import { type Placed, scan, type Segment, segmentPath } from "./segment.ts";

/** What readers see of the log. */
export type LogView = {
  readonly directory: string;
  /** Finished segments and the durable part of the open one, in order. */
  segments(): readonly Segment[];
  /** Resolves when there is more, or when the log is closed. */
  grown(): Promise<void>;
  isClosed(): boolean;
};

/** Reads the log in order and remembers where it is. */
export type Reader = {
  /**
   * What the log holds now and this reader has not read; ignored deliveries included. A body is
   * valid until the next entry is asked for.
   */
  entries(): Generator<Entry, void, void>;
  /**
   * Resolves with true when there is something to read, with false when the log was closed or
   * `signal` fired.
   */
  more(signal: AbortSignal): Promise<boolean>;
};

/** A reader of everything after a `seq`. */
export function createReader(log: LogView, after: number): Reader {
  let seq = after;
  let place = { segment: 0, offset: 0 };

  function next(): Segment | undefined {
    return log.segments().find((segment) => segment.lastSeq > seq);
  }

  return {
    *entries() {
      for (let segment = next(); segment !== undefined; segment = next()) {
        for (const { entry, offset } of readDurable(
          log.directory,
          segment,
          place.segment === segment.number ? place.offset : 0,
        )) {
          if (entry.seq <= seq) continue;
          place = { segment: segment.number, offset };
          seq = entry.seq;
          yield entry;
        }
        // Damage within a segment was reported when the log was opened; what follows the segment is
        // read on.
        seq = Math.max(seq, segment.lastSeq);
      }
    },
    more: async (signal) => {
      const fired = new Promise<void>((resolve) =>
        signal.addEventListener("abort", () => resolve(), { once: true }),
      );
      while (!signal.aborted && !log.isClosed()) {
        if (next() !== undefined) return true;
        await Promise.race([log.grown(), fired]);
      }
      return false;
    },
  };
}

function* readDurable(
  directory: string,
  segment: Segment,
  from: number,
): Generator<Placed, void, void> {
  const descriptor = openSync(segmentPath(directory, segment.number), "r");
  try {
    for (const placed of scan(descriptor, segment.number, from)) {
      // Behind the end there may be a write that is not flushed yet.
      if (placed.offset >= segment.end) return;
      yield placed;
    }
  } finally {
    closeSync(descriptor);
  }
}
