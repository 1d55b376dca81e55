import { readSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { decode, type Entry, frameBytes, isIntact, longestHead } from "./record.ts";

/**
 * A stretch of the log. `end` is the offset behind its last record, `firstSeq` 0 when it has none;
 * `bodyBytes` of all bodies in it.
 */
export type Segment = {
  readonly number: number;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly end: number;
  readonly bodyBytes: number;
};

/** A record with the place of its frame. */
export type Placed = { readonly entry: Entry; readonly offset: number };

export const headerBytes = 16;
/**
 * Follows the last record, so that a clean end differs from a torn one; the next record overwrites
 * it.
 */
export const endMark: Buffer = Buffer.alloc(frameBytes);

const magic = "LOOPINB1";
const suffix = ".log";
const windowBytes = 1024 * 1024;

export function segmentPath(directory: string, number: number): string {
  return join(directory, String(number).padStart(10, "0") + suffix);
}

/** The number in a segment's file name; null for every other file. */
export function segmentNumberOf(name: string): number | null {
  return /^[0-9]{10}\.log$/.test(name) ? Number(name.slice(0, 10)) : null;
}

export function encodeHeader(number: number): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.write(magic, 0, "latin1");
  header.writeUInt32LE(number, 8);
  header.writeUInt32LE(crc32(header.subarray(0, 12)), 12);
  return header;
}

/**
 * How a scan ended: where the intact prefix ends, and whether something that is no record follows
 * it.
 */
export type ScanEnd = { readonly end: number; readonly torn: boolean };

/**
 * Reads the records of a segment in order, from the start or from a record's offset, and stops at
 * the first that is not whole. An entry's body is only valid until the next step. Memory: one
 * window, or the largest record.
 */
export function* scan(
  descriptor: number,
  number: number,
  from: number = 0,
): Generator<Placed, ScanEnd, void> {
  const window = createWindow(descriptor);
  if (from < headerBytes) {
    const header = window.read(0, headerBytes);
    if (header === null) return { end: 0, torn: window.read(0, 1) !== null };
    // The header of another segment: a spare file that was taken and not written yet.
    const named = header.readUInt32LE(8);
    if (named !== number || !header.equals(encodeHeader(number)))
      return { end: 0, torn: !header.equals(encodeHeader(named)) };
  }
  for (let offset = Math.max(from, headerBytes); ;) {
    const frame = window.read(offset, frameBytes);
    if (frame === null) return { end: offset, torn: window.read(offset, 1) !== null };
    const length = frame.readUInt32LE(0);
    const crc = frame.readUInt32LE(4);
    if (length === 0 && crc === 0) return { end: offset, torn: false };
    const payload = window.read(offset + frameBytes, length);
    const entry = payload !== null && isIntact(payload, crc, number) ? decode(payload) : null;
    if (entry === null) return { end: offset, torn: true };
    yield { entry, offset };
    offset += frameBytes + length;
  }
}

/**
 * Reads who the records of an intact segment are, without their bodies: a fraction of the reading.
 * Only for a segment that this process wrote, or scanned when it opened the log.
 */
export function* scanHeads(descriptor: number, segment: Segment): Generator<Placed, void, void> {
  const head = Buffer.allocUnsafe(longestHead);
  for (let offset = headerBytes; offset < segment.end;) {
    const length = readSync(descriptor, head, 0, longestHead, offset);
    const entry = length > frameBytes ? decode(head.subarray(frameBytes, length)) : null;
    if (entry === null)
      throw new Error(`segment ${segment.number} has no record at byte ${offset}`);
    yield { entry, offset };
    offset += frameBytes + head.readUInt32LE(0);
  }
}

/**
 * Reads a file front to back through one buffer. `read` gives null when the file ends before the
 * bytes asked for.
 */
function createWindow(descriptor: number): { read(offset: number, length: number): Buffer | null } {
  let buffer = Buffer.allocUnsafe(windowBytes);
  let start = 0;
  let filled = 0;

  function fill(offset: number, length: number): void {
    if (length > buffer.length) buffer = Buffer.allocUnsafe(length);
    start = offset;
    filled = 0;
    while (filled < buffer.length) {
      const count = readSync(descriptor, buffer, filled, buffer.length - filled, offset + filled);
      if (count === 0) break;
      filled += count;
    }
  }

  return {
    read: (offset, length) => {
      if (offset < start || offset + length > start + filled) {
        // A damaged length may promise gigabytes; nothing is allocated before the file is known to
        // have them.
        if (
          length > windowBytes &&
          readSync(descriptor, Buffer.allocUnsafe(1), 0, 1, offset + length - 1) === 0
        )
          return null;
        fill(offset, length);
      }
      return offset + length > start + filled
        ? null
        : buffer.subarray(offset - start, offset - start + length);
    },
  };
}
