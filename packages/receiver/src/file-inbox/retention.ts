import { rmSync } from "node:fs";
import type { Recovered } from "./recover.ts";
import { type Moved, type Retired, retire } from "./retire.ts";
import type { Segment } from "./segment.ts";

export type RetentionOptions = {
  readonly directory: string;
  readonly found: Recovered;
  /** Bytes of segments kept whole after they were handed on. */
  readonly keepBytes: number;
  /** Told when a segment could not be retired: room is not freed, nothing is lost. */
  readonly onWarning: (text: string) => void;
  readonly onMoved: (segment: number, records: readonly Moved[]) => void;
};

/**
 * Knows the finished segments, and lets the oldest bodies go once they were handed on and room is
 * needed.
 */
export type Retention = {
  /** Finished segments in order, and the open one behind them. */
  segments(open: Segment | null): readonly Segment[];
  finished(segment: Segment): void;
  release(seq: number): void;
  backlogBytes(open: Segment | null): number;
  takeSpare(): string | null;
  /** Resolves when nothing is being retired. */
  idle(): Promise<void>;
};

const mostSpares = 4;

export function createRetention(options: RetentionOptions): Retention {
  let finished: readonly Segment[] = options.found.segments;
  let spares: readonly string[] = options.found.spares;
  let released = 0;
  let backlog = finished.reduce((sum, segment) => sum + segment.end, 0);
  let running: Promise<void> | null = null;

  /** One at a time; after an error it is tried again at the next release. */
  async function retireOldest(): Promise<void> {
    for (let next = overdue(); next !== undefined; next = overdue())
      await retire(options.directory, next, replace);
  }

  function overdue(): Segment | undefined {
    const handedOn = finished.filter(
      (segment) => segment.lastSeq <= released && segment.bodyBytes > 0,
    );
    const bytes = handedOn.reduce((sum, segment) => sum + segment.end, 0);
    return bytes > options.keepBytes ? handedOn[0] : undefined;
  }

  function replace({ segment, spare, moved }: Retired): void {
    finished = finished.map((each) => (each.number === segment.number ? segment : each));
    options.onMoved(segment.number, moved);
    if (spares.length < mostSpares) spares = [...spares, spare];
    else rmSync(spare);
  }

  function countBacklog(): void {
    backlog = finished.reduce(
      (sum, segment) => (segment.lastSeq > released ? sum + segment.end : sum),
      0,
    );
  }

  return {
    segments: (open) => (open === null || open.firstSeq === 0 ? finished : [...finished, open]),
    finished: (segment) => {
      if (segment.firstSeq !== 0) finished = [...finished, segment];
      countBacklog();
    },
    release: (seq) => {
      if (seq <= released) return;
      released = seq;
      countBacklog();
      running ??= retireOldest()
        .catch((error: unknown) =>
          options.onWarning(
            `old bodies could not be dropped: ${error instanceof Error ? error.message : String(error)}`,
          ),
        )
        .finally(() => {
          running = null;
        });
    },
    backlogBytes: (open) => backlog + (open !== null && open.lastSeq > released ? open.end : 0),
    takeSpare: () => {
      const [first, ...rest] = spares;
      spares = rest;
      return first ?? null;
    },
    idle: () => running ?? Promise.resolve(),
  };
}
