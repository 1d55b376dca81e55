import { closeSync, openSync } from "node:fs";
import type { Entry } from "./record.ts";
import { scan, type Segment, segmentPath } from "./segment.ts";

/** What a reader sees of the log: finished segments and the durable part of the open one. */
export type LogView = {
  readonly directory: string;
  /** In order; only what is durable. */
  segments(): readonly Segment[];
  /** Resolves when there is more, or when the log is closed. */
  grown(): Promise<void>;
  isClosed(): boolean;
};

export type EntriesOptions = {
  /** Entries after this `seq`; 0 for all. */
  readonly after: number;
  /** True: waits for more at the end, until the log is closed or `signal` fires. */
  readonly follow?: boolean;
  readonly signal?: AbortSignal;
};

/** Reads the log in order. An entry's body is valid until the next entry is asked for. */
export async function* readEntries(log: LogView, { after, follow = false, signal }: EntriesOptions): AsyncGenerator<Entry, void, void> {
  const stop = watch(signal);
  let seq = after;
  let place = { segment: 0, offset: 0 };
  while (!stop.fired()) {
    const segment = log.segments().find((each) => each.lastSeq > seq);
    if (segment === undefined) {
      if (!follow || log.isClosed()) return;
      await Promise.race([log.grown(), stop.promise]);
      continue;
    }
    for (const { entry, offset } of readDurable(log.directory, segment, place.segment === segment.number ? place.offset : 0)) {
      if (entry.seq <= seq) continue;
      place = { segment: segment.number, offset };
      seq = entry.seq;
      yield entry;
      if (stop.fired()) return;
    }
    // Damage within a segment was reported when the log was opened; what follows the segment is read on.
    seq = Math.max(seq, segment.lastSeq);
  }
}

function* readDurable(directory: string, segment: Segment, from: number): Generator<{ readonly entry: Entry; readonly offset: number }, void, void> {
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

/** One listener for the whole reading, however often it waits. */
function watch(signal: AbortSignal | undefined): { readonly promise: Promise<void>; fired(): boolean } {
  const promise = new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve(), { once: true }));
  return { promise, fired: () => signal?.aborted === true };
}
