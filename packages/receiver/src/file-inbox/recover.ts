import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import { flushDirectory } from "./disk.ts";
import { type Placed, scan, type Segment, segmentNumberOf, segmentPath } from "./segment.ts";

/** Bytes that were no record: the tail of a write that was cut off, or damage. */
export type Damage = {
  readonly segment: number;
  readonly offset: number;
  readonly why: "torn-tail" | "damaged";
};

/** What was found in a directory. */
export type Recovered = {
  readonly segments: readonly Segment[];
  readonly spares: readonly string[];
  readonly damage: readonly Damage[];
  readonly nextSeq: number;
  readonly nextNumber: number;
};

/**
 * A finished segment whose blocks wait to be used again; it still carries its old number in its
 * name.
 */
export function sparePath(directory: string, number: number): string {
  return join(directory, `spare-${number}`);
}

/** A rewritten segment that has not taken its place yet. */
export function rewritePath(directory: string, number: number): string {
  return join(directory, `rewrite-${number}`);
}

/**
 * Opens the log of a directory: keeps the committed prefix of each segment, cuts the tail of the
 * last one off, and shows `visit` every record in order. What is not a record is reported, never
 * guessed at.
 */
export async function recover(
  directory: string,
  visit: (placed: Placed, segment: number) => void,
): Promise<Recovered> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const spares = tidy(directory);
  const numbers = readdirSync(directory)
    .map(segmentNumberOf)
    .filter((number) => number !== null)
    .toSorted((one, other) => one - other);
  const segments: Segment[] = [];
  const damage: Damage[] = [];
  for (const number of numbers) {
    const last = number === numbers.at(-1);
    const { segment, torn } = readSegment(directory, number, last, visit);
    if (torn)
      damage.push({ segment: number, offset: segment.end, why: last ? "torn-tail" : "damaged" });
    if (segment.firstSeq !== 0) segments.push(segment);
    else if (last || !torn) rmSync(segmentPath(directory, number));
  }
  await flushDirectory(directory);
  return {
    segments,
    spares,
    damage,
    nextSeq: 1 + Math.max(0, ...segments.map((segment) => segment.lastSeq)),
    nextNumber: 1 + (numbers.at(-1) ?? 0),
  };
}

function readSegment(
  directory: string,
  number: number,
  last: boolean,
  visit: (placed: Placed, segment: number) => void,
): { readonly segment: Segment; readonly torn: boolean } {
  const descriptor = openSync(segmentPath(directory, number), last ? "r+" : "r");
  try {
    const records = scan(descriptor, number);
    let firstSeq = 0;
    let lastSeq = 0;
    let bodyBytes = 0;
    for (;;) {
      const step = records.next();
      if (step.done === true) {
        // The next record goes to a new segment, so nothing behind this end can ever be read as one
        // again.
        if (last) cutTail(descriptor, step.value.end);
        return {
          segment: { number, firstSeq, lastSeq, end: step.value.end, bodyBytes },
          torn: step.value.torn,
        };
      }
      lastSeq = step.value.entry.seq;
      if (firstSeq === 0) firstSeq = lastSeq;
      bodyBytes += step.value.entry.body?.length ?? 0;
      visit(step.value, number);
    }
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Makes the kept prefix durable too: it may so far live only in the page cache of the process that
 * was killed.
 */
function cutTail(descriptor: number, end: number): void {
  ftruncateSync(descriptor, end);
  fsyncSync(descriptor);
}

/**
 * Finishes or undoes a retirement that was cut off; see retire.ts for its steps. Returns the spare
 * files.
 */
function tidy(directory: string): readonly string[] {
  const names = readdirSync(directory);
  for (const name of names.filter((each) => each.startsWith("spare-"))) {
    const number = Number(name.slice("spare-".length));
    if (names.includes(`rewrite-${number}`) && !names.includes(segmentPath("", number)))
      renameSync(rewritePath(directory, number), segmentPath(directory, number));
  }
  for (const name of readdirSync(directory))
    if (name.startsWith("rewrite-")) rmSync(join(directory, name));
  return names.filter((name) => name.startsWith("spare-")).map((name) => join(directory, name));
}
