import { createHash } from "node:crypto";
import { injection, LoopError, parseBlock, type PromptText } from "@loopwork/core/ports";
import { indexPath } from "./learnings-paths.ts";
import type { Places } from "./places.ts";
import { readText } from "./safe-files.ts";

/** What a session is told, and a hash of it. */
export type Notes = { readonly hash: string; readonly text: PromptText };

/**
 * What a session of this repository is told at its start: its index, which alone is read, because
 * the session waits; null where nothing was learned yet, and where the people of the repository did
 * not choose loop. Rejects with `LOOP_E_LEARNINGS_FILE`.
 */
export async function readNotes(root: string, isChosen: Places["isChosen"]): Promise<Notes | null> {
  const text = await readText(root, indexPath);
  if (text === null || !(await isChosen(root))) return null;
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
