import { closeSync, constants, existsSync, fdatasync, fsyncSync, mkdirSync, openSync, readdirSync, readSync, rmSync, write, writev } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const suffix = ".bodies";

const writeAt = promisify(write);
const writeAllAt = promisify(writev);
const flush = promisify(fdatasync);

/** Numbered files that are written at given places and flushed at once. Every call may fail with an error of the file system. */
export type Segments = {
  /** Writes the parts one after the other from `start` on, and flushes them, off the thread. One call at a time. */
  write(number: number, start: number, parts: readonly Uint8Array[]): Promise<void>;
  /** The bytes; null when there is no such file any more. */
  read(number: number, start: number, length: number): Uint8Array | null;
  remove(number: number): void;
  /** Numbers of the files that are there, upwards. */
  list(): readonly number[];
  close(): void;
};

export function createSegments(folder: string): Segments {
  const pathOf = (number: number): string => join(folder, `${String(number).padStart(8, "0")}${suffix}`);
  let writing: { readonly number: number; readonly file: number } | null = null;

  const close = (): void => {
    if (writing !== null) closeSync(writing.file);
    writing = null;
  };

  const fileFor = (number: number): number => {
    if (writing?.number === number) return writing.file;
    close();
    writing = { number, file: openForWriting(pathOf(number), folder) };
    return writing.file;
  };

  return {
    write: async (number, start, parts) => {
      try {
        const file = fileFor(number);
        await writeAll(file, start, parts);
        await flush(file);
      } catch (error) {
        close();
        throw error;
      }
    },
    read: (number, start, length) => {
      const file = openForReading(pathOf(number));
      if (file === null) return null;
      try {
        return readAll(file, start, length);
      } finally {
        closeSync(file);
      }
    },
    remove: (number) => rmSync(pathOf(number), { force: true }),
    list: () => (existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(suffix)).map((name) => Number(name.slice(0, -suffix.length))) : []).toSorted((one, other) => one - other),
    close,
  };
}

/** Opens the file, making it and its folder where they are missing; then the folders' entries are flushed as well. */
function openForWriting(path: string, folder: string): number {
  try {
    return openSync(path, constants.O_RDWR);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined) flushFolder(dirname(folder));
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  flushFolder(folder);
  return file;
}

function openForReading(path: string): number | null {
  try {
    return openSync(path, constants.O_RDONLY);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** One call for all parts; a disk that takes only some of it is asked again, so that it says why. */
async function writeAll(file: number, start: number, parts: readonly Uint8Array[]): Promise<void> {
  let { bytesWritten: written } = await writeAllAt(file, parts, start);
  let total = 0;
  for (const part of parts) {
    const end = total + part.length;
    while (written < end) written += (await writeAt(file, part, written - total, end - written, start + written)).bytesWritten;
    total = end;
  }
}

/** What is shorter than it was written ends in zeros, which its checksum tells. */
function readAll(file: number, start: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let read = 0; read < length; ) {
    const more = readSync(file, bytes, read, length - read, start + read);
    if (more === 0) break;
    read += more;
  }
  return bytes;
}

function flushFolder(folder: string): void {
  const file = openSync(folder, constants.O_RDONLY);
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
