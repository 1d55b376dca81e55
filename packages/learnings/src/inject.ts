import { createHash } from "node:crypto";
import { injection } from "@loopwork/core/learnings";
import { readBook } from "./read-book.ts";

/** What a session of this repository is told at its start; null where nothing was learned yet. `now` in milliseconds since 1970. */
export async function readInjection(root: string, now: number): Promise<{ readonly hash: string; readonly text: string } | null> {
  const { book } = await readBook(root);
  return injection(book, now, (text) => createHash("sha256").update(text).digest("hex").slice(0, 12));
}
