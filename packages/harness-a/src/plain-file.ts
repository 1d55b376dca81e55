import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { createInterface } from "node:readline";

// Files that whoever works in a turn can write are opened here and nowhere else in this package,
// which a rule of the repository holds: a pipe, a device, a link or a file of any size may stand
// in their place.
const plainly = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/**
 * Text of a plain file of at most `most` bytes; null where there is none. Rejects for anything
 * else, which is no proof that nothing was written.
 */
export async function readPlainText(file: string, most: number): Promise<string | null> {
  const handle = await openPlain(file);
  if (handle === null) return null;
  try {
    const { size } = await handle.stat();
    if (size > most) throw new Error(`${file} has more than ${most} bytes`);
    const buffer = Buffer.alloc(size);
    const { bytesRead } = await handle.read(buffer, 0, size, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Bytes of a plain file from `offset` on, at most `most`. Rejects where none can be read. */
export async function readPlainFrom(file: string, offset: number, most: number): Promise<Buffer> {
  const handle = await openPlain(file);
  if (handle === null) throw new Error(`${file} is gone`);
  try {
    const { size } = await handle.stat();
    const buffer = Buffer.alloc(Math.min(most, Math.max(0, size - offset)));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** The lines of a plain file. Rejects where there is none, and where one is longer than `most`. */
export async function* plainLines(file: string, most: number): AsyncGenerator<string> {
  const handle = await openPlain(file);
  if (handle === null) throw new Error(`${file} is gone`);
  const input = handle.createReadStream({ encoding: "utf8" });
  let sinceEnd = 0;
  input.on("data", (piece) => {
    const end = piece.lastIndexOf("\n");
    sinceEnd = end < 0 ? sinceEnd + piece.length : piece.length - end;
    if (sinceEnd > most) input.destroy(new Error(`${file} has a line of more than ${most} bytes`));
  });
  yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
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
