import {
  closeSync,
  constants,
  existsSync,
  fdatasync,
  fsyncSync,
  mkdirSync,
  openSync,
  write,
  writev,
} from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";

const writeAt = promisify(write);
const writeAllAt = promisify(writev);
const flush = promisify(fdatasync);

/**
 * What the kernel takes without a copy begins and ends at such a place, in memory and in the file.
 */
const blockBytes = 4_096;

/**
 * Bytes that one write takes past the page cache, and that are recalled without reading; larger
 * ones go through it.
 */
const memoryBytes = 4 * 1024 * 1024;

/** A segment that is being written. */
export type SegmentFile = {
  /**
   * Writes the parts one after the other from `start` on and flushes them, off the thread; where
   * the next may begin. One call at a time.
   */
  write(start: number, parts: readonly Uint8Array[]): Promise<number>;
  /** A copy of what was written last, as long as it is in memory; null otherwise. */
  recall(start: number, length: number): Uint8Array | null;
  close(): void;
};

/**
 * Memory that begins at the edge of a page: the kernel is asked for one that could grow in its own
 * place as a mapping.
 */
export function alignedMemory(): Uint8Array {
  return new Uint8Array(new ArrayBuffer(memoryBytes, { maxByteLength: memoryBytes }));
}

/**
 * Opens a segment, making it and its folder where they are missing. Where the file system can,
 * bodies go past the page cache and are durable when the one call returns: filling fresh pages of
 * the cache, only to flush them, costs several times what it takes to receive and verify the same
 * bytes. Whatever that way does not take whole goes through the cache.
 */
export function openSegmentFile(path: string, folder: string, memory: Uint8Array): SegmentFile {
  const cached = openForWriting(path, folder);
  let direct = openDirect(path);
  // The memory holds the bytes of the file from `base` to `end`.
  let base = 0;
  let end = 0;

  /**
   * Where in the memory the bytes from `start` on go: behind what is there, else at its beginning.
   */
  const placeFor = (start: number, bytes: number): number => {
    if (start < end || start - base + bytes > memory.length) base = start;
    end = start;
    return start - base;
  };

  /** False when the file system does not take it like that, or not all of it. */
  const writeDirect = async (
    file: number,
    start: number,
    parts: readonly Uint8Array[],
    bytes: number,
  ): Promise<boolean> => {
    const from = placeFor(start, bytes);
    fill(memory.subarray(from, from + bytes), parts);
    try {
      const { bytesWritten } = await writeAt(file, memory, from, bytes, start);
      if (bytesWritten !== bytes) return false;
    } catch (error) {
      if (!isCode(error, "EINVAL")) throw error;
      closeSync(file);
      direct = null;
      return false;
    }
    end = start + bytes;
    return true;
  };

  return {
    write: async (start, parts) => {
      const length = parts.reduce((sum, part) => sum + part.length, 0);
      const bytes = Math.ceil(length / blockBytes) * blockBytes;
      if (
        direct !== null &&
        bytes <= memory.length &&
        (await writeDirect(direct, start, parts, bytes))
      )
        return start + bytes;
      await writeAll(cached, start, parts);
      await flush(cached);
      return start + (direct === null ? length : bytes);
    },
    recall: (start, length) =>
      start >= base && start + length <= end
        ? memory.slice(start - base, start - base + length)
        : null,
    close: () => {
      closeSync(cached);
      if (direct !== null) closeSync(direct);
      direct = null;
    },
  };
}

/** The parts one after the other, and zeros behind them. */
function fill(target: Uint8Array, parts: readonly Uint8Array[]): void {
  let at = 0;
  for (const part of parts) {
    target.set(part, at);
    at += part.length;
  }
  target.fill(0, at);
}

/** A file that is new is an entry of its folder, which is flushed as well. */
function openForWriting(path: string, folder: string): number {
  if (existsSync(path)) return openSync(path, constants.O_RDWR);
  if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined)
    flushFolder(dirname(folder));
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  flushFolder(folder);
  return file;
}

/** Null where the system or the file system knows no writing past its cache. */
function openDirect(path: string): number | null {
  if (process.platform !== "linux") return null;
  try {
    return openSync(path, constants.O_RDWR | constants.O_DIRECT | constants.O_DSYNC);
  } catch (error) {
    if (isCode(error, "EINVAL")) return null;
    throw error;
  }
}

/**
 * One call for all parts; a disk that takes only some of it is asked again, so that it says why.
 */
async function writeAll(file: number, start: number, parts: readonly Uint8Array[]): Promise<void> {
  let { bytesWritten: written } = await writeAllAt(file, parts, start);
  let total = 0;
  for (const part of parts) {
    const end = total + part.length;
    while (written < end)
      written += (await writeAt(file, part, written - total, end - written, start + written))
        .bytesWritten;
    total = end;
  }
}

function flushFolder(folder: string): void {
  const file = openSync(folder, constants.O_RDONLY);
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
