import { randomUUID } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";

/**
 * Puts a file in place as a whole. What stood there goes, and isn't written through: a session can
 * put links, pipes and folders where we keep our own files. Its folder has to be one.
 */
export async function putFile(file: string, text: string | Buffer): Promise<void> {
  await put(file, text, async () => {});
}

/** The same, so that a reader finds the old text or the new one also after a crash. */
export async function writeDurably(file: string, text: string | Buffer): Promise<void> {
  await put(file, text, (handle) => handle.sync());
}

async function put(
  file: string,
  text: string | Buffer,
  finish: (handle: FileHandle) => Promise<void>,
): Promise<void> {
  // A name that nobody can know beforehand, and only where nothing is.
  const next = `${file}.${randomUUID()}.next`;
  try {
    const handle = await open(next, "wx", 0o600);
    try {
      await handle.writeFile(text);
      await finish(handle);
    } finally {
      await handle.close();
    }
    await rename(next, file).catch(async (error: unknown) => {
      if (!isFolder(error)) throw error;
      await rm(file, { recursive: true, force: true });
      await rename(next, file);
    });
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
}

function isFolder(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EISDIR";
}
