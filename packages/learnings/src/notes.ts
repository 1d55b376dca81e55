import { createHash } from "node:crypto";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { LoopError } from "@loopwork/core/errors";
import { injection, parseBlock } from "@loopwork/core/notes";
import { indexPath } from "./learnings-paths.ts";
import { readText } from "./safe-files.ts";

/** What a session is told, and a hash of it. */
export type Notes = { readonly hash: string; readonly text: string };

/**
 * What a session of this repository is told at its start: its index, which alone is read, because
 * the session waits; null where nothing was learned yet, and where the repository did not choose
 * loop. Rejects with `LOOP_E_LEARNINGS_FILE`.
 */
export async function readNotes(root: string): Promise<Notes | null> {
  const chosen = await lstat(join(root, ".loop")).catch(() => null);
  const text = chosen?.isDirectory() === true ? await readText(root, indexPath) : null;
  if (text === null) return null;
  const read = parseBlock(text);
  if (!read.ok)
    throw new LoopError(
      "LOOP_E_LEARNINGS_FILE",
      `${indexPath}:${read.line}: ${read.problem}`,
      "Fix the file by hand, or restore it from git",
    );
  return injection(read.file, (body) =>
    createHash("sha256").update(body).digest("hex").slice(0, 12),
  );
}
