import { readNotes } from "@loopwork/learnings/notes";
import { repositoryAround } from "../manifest/repository-around.ts";
import type { Injection, Ports } from "../ports/command-ports.ts";

/**
 * What a session that works in a folder is told of its repository; null where there is nothing to
 * tell.
 */
export async function notesFor(
  folder: string,
  { hasChosenLoop }: Ports["checkouts"],
): Promise<Injection | null> {
  const root = repositoryAround(folder);
  return root === null ? null : readNotes(root, hasChosenLoop);
}
