import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { ifAbsent } from "./if-absent.ts";

/** Not through a link, and without waiting for somebody to write into a pipe. */
const plainly = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Bytes of the largest small file: one that holds a name, a commit or a path. */
const small = 5_000;

/**
 * Bytes of a plain file. `none` when nothing is there; `odd` for a link, a pipe, a folder, and a
 * file of more than `most` bytes: sessions can put any of these where git and we keep our own
 * files, and some of them would never end.
 */
export async function readPlain(
  file: string | Buffer,
  most: number = small,
): Promise<Buffer | "none" | "odd"> {
  const handle = await open(file, plainly).catch((error: unknown) =>
    isOdd(error) ? ("odd" as const) : ifAbsent("none" as const)(error),
  );
  if (typeof handle === "string") return handle;
  try {
    const stat = await handle.stat();
    return stat.isFile() && stat.size <= most ? await handle.readFile() : "odd";
  } finally {
    await handle.close();
  }
}

/** A small plain file without blanks at its end; null for anything else. */
export async function smallText(file: string): Promise<string | null> {
  const bytes = await readPlain(file);
  return typeof bytes === "string" ? null : bytes.toString().trimEnd();
}

/** What opening a link, a socket or a device without a driver is answered with. */
const isOdd = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  (error.code === "ELOOP" || error.code === "ENXIO" || error.code === "EMLINK");
