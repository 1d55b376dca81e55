import { closeSync, constants, existsSync, openSync, readdirSync, readSync, rmSync } from "node:fs";
import { join } from "node:path";
import { alignedMemory, openSegmentFile, type SegmentFile } from "./segment-file.ts";

const suffix = ".bodies";

/**
 * Numbered files that are written at given places and flushed at once. Every call may fail with an
 * error of the file system.
 */
export type Segments = {
  /**
   * Writes the parts one after the other from `start` on, and flushes them, off the thread; where
   * the next may begin. One call at a time.
   */
  write(number: number, start: number, parts: readonly Uint8Array[]): Promise<number>;
  /** The bytes; null when there is no such file any more. */
  read(number: number, start: number, length: number): Uint8Array | null;
  remove(number: number): void;
  /** Numbers of the files that are there, upwards. */
  list(): readonly number[];
  close(): void;
};

export function createSegments(folder: string): Segments {
  const pathOf = (number: number): string =>
    join(folder, `${String(number).padStart(8, "0")}${suffix}`);
  let memory: Uint8Array | null = null;
  let writing: { readonly number: number; readonly file: SegmentFile } | null = null;

  const close = (): void => {
    writing?.file.close();
    writing = null;
  };

  const fileFor = (number: number): SegmentFile => {
    if (writing?.number === number) return writing.file;
    close();
    // Made by the first large body: most handles never write one.
    memory ??= alignedMemory();
    writing = { number, file: openSegmentFile(pathOf(number), folder, memory) };
    return writing.file;
  };

  return {
    write: async (number, start, parts) => {
      try {
        return await fileFor(number).write(start, parts);
      } catch (error) {
        close();
        throw error;
      }
    },
    read: (number, start, length) => {
      const recalled = writing?.number === number ? writing.file.recall(start, length) : null;
      if (recalled !== null) return recalled;
      const file = openForReading(pathOf(number));
      if (file === null) return null;
      try {
        return readAll(file, start, length);
      } finally {
        closeSync(file);
      }
    },
    remove: (number) => rmSync(pathOf(number), { force: true }),
    list: () =>
      (existsSync(folder)
        ? readdirSync(folder)
            .filter((name) => name.endsWith(suffix))
            .map((name) => Number(name.slice(0, -suffix.length)))
        : []
      ).toSorted((one, other) => one - other),
    close,
  };
}

function openForReading(path: string): number | null {
  try {
    return openSync(path, constants.O_RDONLY);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/** What is shorter than it was written ends in zeros, which its checksum tells. */
function readAll(file: number, start: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let read = 0; read < length;) {
    const more = readSync(file, bytes, read, length - read, start + read);
    if (more === 0) break;
    read += more;
  }
  return bytes;
}
