import { chmod, lstat, rm } from "node:fs/promises";
import { encodeName, entriesOf } from "./names.ts";

/**
 * Removes a folder with everything in it. Links are removed, never followed. Read-only folders are
 * made writable first.
 */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 2 });
  } catch {
    await makeWritable(path);
    await rm(path, { recursive: true, force: true, maxRetries: 2 });
  }
}

async function makeWritable(path: string): Promise<void> {
  const stat = await lstat(encodeName(path)).catch(() => null);
  if (stat === null || !stat.isDirectory()) return;
  await chmod(encodeName(path), 0o700);
  for (const { name } of await entriesOf(path)) await makeWritable(`${path}/${name}`);
}
