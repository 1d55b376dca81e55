import { constants } from "node:fs";
import { type FileHandle, open, rm, writeFile } from "node:fs/promises";
import { StringDecoder } from "node:string_decoder";

// Files that whoever works in a turn can write are opened here and nowhere else in this package,
// which a rule of the repository holds: a pipe, a device, a link or a file of any size may stand
// in their place.
const plainly = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/** Bytes of the longest line that is read: rows of transcripts hold pictures. */
const longestLine = 64 * 1024 * 1024;
const pieceBytes = 1024 * 1024;

/**
 * Bytes of a plain file of at most `most` bytes; null where there is none. Rejects for anything
 * else, which is no proof that nothing was written.
 */
export async function readPlainFile(file: string, most: number): Promise<Buffer | null> {
  const handle = await openPlain(file);
  if (handle === null) return null;
  try {
    const { size } = await handle.stat();
    if (size > most) throw new Error(`${file} has more than ${most} bytes`);
    const buffer = Buffer.alloc(size);
    const { bytesRead } = await handle.read(buffer, 0, size, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** The same as text; empty for whatever can't be read. */
export async function plainTextIfAny(file: string, most: number): Promise<string> {
  const bytes = await readPlainFile(file, most).catch(() => null);
  return bytes?.toString("utf8") ?? "";
}

/** How far a file was read, and the line that had no end yet. */
export type LinesRead = { offset: number; rest: string; readonly decoder: StringDecoder };

export function nothingRead(): LinesRead {
  return { offset: 0, rest: "", decoder: new StringDecoder("utf8") };
}

/**
 * The whole lines of a plain file that were added since `read`, which is brought up to date.
 * Rejects where no plain file is, and where one of its lines is too long to be one of a harness.
 */
export async function* newPlainLines(file: string, read: LinesRead): AsyncGenerator<string> {
  const handle = await openPlain(file);
  if (handle === null) throw new Error(`${file} is gone`);
  const buffer = Buffer.allocUnsafe(pieceBytes);
  try {
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, pieceBytes, read.offset);
      if (bytesRead === 0) return;
      read.offset += bytesRead;
      const [first = "", ...more] = read.decoder.write(buffer.subarray(0, bytesRead)).split("\n");
      const next = more.pop();
      const line = read.rest + first;
      if (line.length > longestLine)
        throw new Error(`${file} has a line of more than ${longestLine} bytes`);
      read.rest = next ?? line;
      if (next === undefined) continue;
      yield line;
      yield* more;
    }
  } finally {
    await handle.close();
  }
}

/** All lines of a plain file, the last one also without its end. */
export async function* plainLines(file: string): AsyncGenerator<string> {
  const read = nothingRead();
  yield* newPlainLines(file, read);
  if (read.rest !== "") yield read.rest;
}

/** Writes a file of ours anew in the place of whatever is there, and through no link. */
export async function writePlainFile(
  file: string,
  content: string | Buffer,
  mode = 0o600,
): Promise<void> {
  await rm(file, { recursive: true, force: true });
  await writeFile(file, content, { mode, flag: "wx" });
}

/** Null where nothing is there. Rejects where anything but a plain file is. */
async function openPlain(file: string): Promise<FileHandle | null> {
  const handle = await open(file, plainly).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  });
  if (handle === null || (await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new Error(`${file} is no plain file`);
}
