import type { Learning } from "./learning.ts";

/**
 * The index is read whole into every session; what stands past these is not seen by anybody
 * (docs/specification.md#learnings).
 */
export const mostLines = 199;
export const mostBytes = 24_000;
/**
 * When something has to go, this many lines are left, so that not every new learning moves another
 * one.
 */
export const linesAfterEviction = 180;
const bytesAfterEviction = 21_600;

const dayMs = 24 * 60 * 60 * 1000;
const halfLifeDays = 45;

/**
 * How much a learning is worth its line: severity, how often it was met, and how lately. A pinned
 * one always stays.
 */
export function score(learning: Learning, now: number): number {
  if (learning.pinned) return Number.POSITIVE_INFINITY;
  const severity = learning.severity === "high" ? 3 : learning.severity === "medium" ? 1 : 0;
  return severity + Math.log2(1 + learning.seen) + 2 * freshness(learning.lastSeen, now);
}

function freshness(at: number, now: number): number {
  return 2 ** (-Math.max(0, now - at) / dayMs / halfLifeDays);
}

/** The best first; of two that are equal the one seen later, then the younger one. */
export function byScore(now: number): (one: Learning, other: Learning) => number {
  return (one, other) => {
    const [mine, theirs] = [score(one, now), score(other, now)];
    return mine === theirs ? other.lastSeen - one.lastSeen || other.id - one.id : theirs - mine;
  };
}

/** Size of what would be written. */
export type Size = { readonly lines: number; readonly bytes: number };

/**
 * Which learnings leave the index: none while it fits, else from the lowest score upwards until it
 * is well under the caps. `sizeOf` measures the index with those that stay. Pinned ones stay even
 * where they do not fit; the caller refuses that.
 */
export function evicted(
  active: readonly Learning[],
  now: number,
  sizeOf: (staying: readonly Learning[]) => Size,
): readonly Learning[] {
  const ranked = active.toSorted(byScore(now));
  if (fits(sizeOf(ranked), mostLines, mostBytes)) return [];
  let staying = ranked.length;
  while (
    ranked[staying - 1]?.pinned === false &&
    !fits(sizeOf(ranked.slice(0, staying)), linesAfterEviction, bytesAfterEviction)
  )
    staying -= 1;
  return ranked.slice(staying);
}

export function fits(
  { lines, bytes }: Size,
  lineCap: number = mostLines,
  byteCap: number = mostBytes,
): boolean {
  return lines <= lineCap && bytes <= byteCap;
}

/** Physical lines and bytes in UTF-8 of a text. */
export function sizeOfText(text: string): Size {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x8_00 ? 2 : point < 0x1_00_00 ? 3 : 4;
  }
  return {
    lines: text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0),
    bytes,
  };
}
