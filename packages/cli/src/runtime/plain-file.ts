import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

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
