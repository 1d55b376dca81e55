import { randomBytes, randomUUID } from "node:crypto";
import { chmod, link, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { LoopError } from "@loopwork/core/ports";
import { createMarks, type Marks } from "./marker.ts";

const keyBytes = 32;

/**
 * Markers with the key in this file, which is made on first use and readable by its owner alone.
 */
export async function openMarks(file: string): Promise<Marks> {
  return createMarks(await openKey(file));
}

/**
 * Two processes that start at once get the same key: it is written aside and linked into place,
 * which only one can.
 */
async function openKey(file: string): Promise<Buffer> {
  const known = await readKey(file);
  if (known !== null) return known;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const aside = `${file}.${randomUUID()}`;
  await writeFile(aside, randomBytes(keyBytes).toString("hex"), { mode: 0o600, flag: "wx" });
  try {
    await chmod(aside, 0o600);
    await link(aside, file).catch((error: unknown) => {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    });
  } finally {
    await rm(aside, { force: true });
  }
  const made = await readKey(file);
  if (made === null) throw broken(file, "it vanished while it was made");
  return made;
}

async function readKey(file: string): Promise<Buffer | null> {
  const found = await stat(file).catch(() => null);
  if (found === null) return null;
  if ((found.mode & 0o077) !== 0)
    throw broken(
      file,
      "others may read or change it",
      `chmod 600 ${file}; if somebody may have read it, remove it, and a new one is made.`,
    );
  const text = (await readFile(file, "utf8")).trim();
  if (!/^[0-9a-f]{64}$/.test(text)) throw broken(file, "it holds no key");
  return Buffer.from(text, "hex");
}

function broken(
  file: string,
  why: string,
  hint = `Remove ${file}; a new one is made. Comments posted before are then read as plain text.`,
): LoopError {
  return new LoopError(
    "LOOP_E_MARKER_KEY",
    `The key of our markers, ${file}, cannot be used: ${why}.`,
    hint,
  );
}
