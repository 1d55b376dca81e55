import {
  appendFileSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
} from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

// What stands below `turns/` is opened here and nowhere else, which a rule of the repository holds:
// whoever works in a turn may put a pipe, a device, a link or a file of any size there.

/** Without waiting for somebody to write into a pipe. */
const atOnce = constants.O_RDONLY | constants.O_NONBLOCK;
const plainly = atOnce | constants.O_NOFOLLOW;

/**
 * Bytes of a file that an agent can write; null where it isn't a plain file of at most `most`
 * bytes. It is opened and then looked at, so that it cannot become another one in between. `links`
 * where whoever runs us may have put a link there.
 */
export async function readPlainFile(
  file: string,
  most: number,
  links: "links" | "no-links" = "no-links",
): Promise<Buffer | null> {
  const handle = await open(file, links === "links" ? atOnce : plainly).catch(() => null);
  return handle === null ? null : bytesOf(handle, most);
}

async function bytesOf(handle: FileHandle, most: number): Promise<Buffer | null> {
  try {
    const found = await handle.stat();
    return found.isFile() && found.size <= most ? await handle.readFile() : null;
  } catch {
    return null;
  } finally {
    await handle.close();
  }
}

/** The same at once. Throws what opening it throws where nothing can be opened. */
export function readPlainFileSync(file: string, most: number): Buffer | null {
  const opened = openSync(file, plainly);
  try {
    const found = fstatSync(opened);
    return found.isFile() && found.size <= most ? readFileSync(opened) : null;
  } finally {
    closeSync(opened);
  }
}

/**
 * A plain file's bytes in pieces, each valid until the next one; none where it isn't a plain file
 * of at most `most` bytes.
 */
export function* plainPieces(file: string, most: number): Generator<Buffer> {
  const opened = openPlainFile(file);
  if (opened === null) return;
  try {
    const buffer = Buffer.allocUnsafe(1024 * 1024);
    const { size } = fstatSync(opened);
    for (let at = 0; size <= most && at < size;) {
      const read = readSync(opened, buffer, 0, buffer.length, at);
      if (read === 0) return;
      at += read;
      yield buffer.subarray(0, read);
    }
  } finally {
    closeSync(opened);
  }
}

/** A plain file's descriptor, to `cut` it as well or not; null where anything else stands there. */
export function openPlainFile(file: string, how: "read" | "cut" = "read"): number | null {
  const change = how === "cut" ? constants.O_RDWR : constants.O_RDONLY;
  try {
    return plainOnly(openSync(file, change | constants.O_NONBLOCK | constants.O_NOFOLLOW));
  } catch {
    return null;
  }
}

/**
 * A descriptor that adds to a plain file of one name, made where there is none. A link, pipe,
 * socket, folder or file of two names there is moved beside it: a link would lead elsewhere, and a
 * pipe has no reader. A device is never moved, as programs of the machine may need it: the one that
 * keeps nothing is written to, and another one is an error. Throws what making the file throws.
 */
export function openForOutput(file: string): number {
  const found = existingForOutput(file);
  if (found !== null) return found;
  const standing = lstatSync(file, { throwIfNoEntry: false });
  if (standing?.isCharacterDevice() && standing.rdev === lstatSync("/dev/null").rdev) {
    return openSync(file, constants.O_WRONLY);
  }
  if (standing?.isCharacterDevice() || standing?.isBlockDevice()) {
    throw new Error(`${file} is a device`);
  }
  if (standing !== undefined) renameSync(file, `${file}.${crypto.randomUUID()}.aside`);
  return openSync(file, adding | constants.O_CREAT | constants.O_EXCL, 0o600);
}

const adding =
  constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK | constants.O_NOFOLLOW;

function existingForOutput(file: string): number | null {
  try {
    const opened = plainOnly(openSync(file, adding));
    if (opened === null || fstatSync(opened).nlink === 1) return opened;
    closeSync(opened);
    return null;
  } catch {
    return null;
  }
}

/** Adds text to a plain file, made where there is none. Throws where anything else stands there. */
export function appendToPlainFile(file: string, text: string): void {
  const opened = plainOnly(openSync(file, adding | constants.O_CREAT, 0o600));
  if (opened === null) throw new Error(`${file} is no plain file`);
  try {
    appendFileSync(opened, text);
  } finally {
    closeSync(opened);
  }
}

/** A new file where nothing is, for its owner alone. Rejects where anything stands there. */
export function createPlainFile(file: string): Promise<FileHandle> {
  return open(file, "wx", 0o600);
}

/** The last `bytes` bytes of a plain file as text; empty where there is none. */
export async function tailOfPlainFile(
  file: string,
  bytes: number = 64 * 1024,
  links: "links" | "no-links" = "no-links",
): Promise<string> {
  const handle = await open(file, links === "links" ? atOnce : plainly).catch(() => null);
  if (handle === null) return "";
  try {
    const found = await handle.stat();
    if (!found.isFile()) return "";
    const buffer = Buffer.alloc(Math.min(bytes, found.size));
    const start = found.size - buffer.length;
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, start);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await handle.close();
  }
}

function plainOnly(opened: number): number | null {
  if (fstatSync(opened).isFile()) return opened;
  closeSync(opened);
  return null;
}
