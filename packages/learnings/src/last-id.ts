import { mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { putWhole } from "./safe-files.ts";

/**
 * The highest id that was given in any checkout of a repository on this machine; 0 before the
 * first.
 */
export async function readLastId(file: string): Promise<number> {
  const text = await readFile(file, "utf8").catch(() => "0");
  return /^\d{1,9}$/u.test(text.trim()) ? Number(text) : 0;
}

/** Keeps ids as given before they are written anywhere. */
export async function keepLastId(file: string, ids: readonly number[]): Promise<void> {
  const last = await readLastId(file);
  const highest = Math.max(last, ...ids);
  if (highest === last) return;
  await mkdir(dirname(file), { recursive: true });
  await putWhole(file, `${highest}\n`);
}
