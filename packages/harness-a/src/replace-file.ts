import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import {
  access,
  type FileHandle,
  mkdir,
  open,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
  stat,
} from "node:fs/promises";
import path from "node:path";
import type { TrustResult } from "@loopwork/core/ports";
import { withLockFolder } from "./lock-folder.ts";
import type { TrustPatch } from "./trust.ts";

/** Bigger files are left alone: no settings file is. */
const maxBytes = 16 * 1024 * 1024;
const tries = 8;

type Before = {
  readonly bytes: Buffer;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
};

/**
 * Edits a file that other programs write, too: the new text is made beside it, flushed, and renamed
 * over it only if the file still is what was read; otherwise the edit starts again. Links are
 * followed to the file they mean, and its mode and owner stay. `edit` gets null for a missing file.
 */
export async function replaceFile(
  named: string,
  edit: (text: string | null) => TrustPatch,
): Promise<TrustResult> {
  const file = await targetOf(named);
  return withLockFolder(file, () => replace(file, edit));
}

/** Whether `replaceFile` could do that edit, without doing it; null when it could, else why not. */
export async function whyNotReplaceable(
  named: string,
  edit: (text: string | null) => TrustPatch,
): Promise<string | null> {
  const file = await targetOf(named);
  const before = await read(file);
  const patch = edit(before === null ? null : decode(before.bytes));
  if (patch.kind === "refused") return `it does not parse: ${patch.why}`;
  return access(path.dirname(file), constants.W_OK).then(
    () => null,
    (error: unknown) => (isMissing(error) ? null : `${path.dirname(file)} cannot be written`),
  );
}

async function replace(
  file: string,
  edit: (text: string | null) => TrustPatch,
): Promise<TrustResult> {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const before = await read(file);
    const patch = edit(before === null ? null : decode(before.bytes));
    if (patch.kind === "refused")
      return {
        kind: "failed",
        file,
        why: `It is left as it is, because it does not parse: ${patch.why}`,
      };
    if (patch.kind === "already") return patch;
    if ((await swap(file, before, patch.text)) && (await stands(file, edit)))
      return { kind: "written", file, keys: patch.keys };
  }
  return {
    kind: "failed",
    file,
    why: `Another program kept changing it while it was edited ${tries} times.`,
  };
}

/**
 * Between the comparison and the renaming another writer may still slip in; what it took away is
 * put in again.
 */
async function stands(file: string, edit: (text: string | null) => TrustPatch): Promise<boolean> {
  const now = await read(file);
  return now !== null && edit(decode(now.bytes)).kind === "already";
}

/**
 * The file that a path means: the end of its links, also when the last one points to a file that is
 * not there yet.
 */
async function targetOf(named: string): Promise<string> {
  let at = named;
  for (let hops = 0; hops < 40; hops += 1) {
    const link = await readlink(at).catch(() => null);
    if (link === null) {
      const folder = await realpath(path.dirname(at)).catch(() => path.dirname(at));
      return path.join(folder, path.basename(at));
    }
    at = path.resolve(await realpath(path.dirname(at)), link);
  }
  throw new Error("its links lead in a circle");
}

async function read(file: string): Promise<Before | null> {
  // Opened, and then looked at: a pipe that comes in between would be waited for.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch(
    (error: unknown) => (isMissing(error) ? null : Promise.reject(error)),
  );
  if (handle === null) return null;
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new Error("it is no regular file");
    if (found.size > maxBytes) throw new Error(`it is bigger than ${maxBytes} bytes`);
    // Renaming over one name of a hard-linked file would part it from its other names.
    if (found.nlink > 1)
      throw new Error("it has several hard links, which replacing it would part");
    const bytes = Buffer.alloc(found.size);
    const { bytesRead } = await handle.read(bytes, 0, found.size, 0);
    const { mode, uid, gid } = found;
    return { bytes: bytes.subarray(0, bytesRead), mode: mode & 0o7777, uid, gid };
  } finally {
    await handle.close();
  }
}

/** Fatal decoding: bytes that are no UTF-8 would not come back as they were. */
function decode(bytes: Buffer): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

/** Writes beside the file and renames over it; false when the file changed meanwhile. */
async function swap(file: string, before: Before | null, text: string): Promise<boolean> {
  if (before === null) await mkdir(path.dirname(file), { mode: 0o700 }).catch(ignoreExisting);
  await removeLeftovers(file);
  const temporary = path.join(
    path.dirname(file),
    `.${path.basename(file)}.${randomBytes(6).toString("hex")}.tmp`,
  );
  try {
    await writeDurably(temporary, before, text);
    const now = await read(file);
    const same = now === null ? before === null : before !== null && now.bytes.equals(before.bytes);
    if (!same) return false;
    await rename(temporary, file);
    await flushFolder(path.dirname(file));
    return true;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Temporary files of ours that a killed writer left behind more than a minute ago. */
async function removeLeftovers(file: string): Promise<void> {
  const start = `.${path.basename(file)}.`;
  const names = (await readdir(path.dirname(file)).catch(() => [])).filter(
    (name) => name.startsWith(start) && /^[0-9a-f]{12}\.tmp$/.test(name.slice(start.length)),
  );
  for (const name of names) {
    const left = path.join(path.dirname(file), name);
    const found = await stat(left).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > 60_000) await rm(left, { force: true });
  }
}

async function writeDurably(file: string, before: Before | null, text: string): Promise<void> {
  const handle = await open(
    file,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
    0o600,
  );
  try {
    await handle.writeFile(text, "utf8");
    if (before !== null) await keepOwner(handle, before);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function keepOwner(handle: FileHandle, before: Before): Promise<void> {
  const made = await handle.stat();
  if (made.uid !== before.uid || made.gid !== before.gid)
    await handle.chown(before.uid, before.gid);
  await handle.chmod(before.mode);
}

/** Makes the rename durable where the file system can. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY).catch(() => null);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

function isMissing(error: unknown): boolean {
  return codeOf(error) === "ENOENT";
}

function ignoreExisting(error: unknown): void {
  if (codeOf(error) !== "EEXIST") throw error;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : null;
}
