import { rm } from "node:fs/promises";
import { join } from "node:path";
import { LoopError } from "@loopwork/core/ports";
import { type Journal, readJournal, writeJournal } from "./journal.ts";
import { appendPending, idOf, type PendingFile } from "./pending-queue.ts";
import type { Places } from "./places.ts";
import type { FileEdit } from "./plan-files.ts";
import { putText, readText } from "./safe-files.ts";

/** Rejects with `LOOP_E_LEARNINGS_FILE` where a file is no more what a plan was made on. */
export async function refuseChanged(root: string, edits: readonly FileEdit[]): Promise<void> {
  for (const { path, before } of edits)
    if ((await readText(root, path)) !== before)
      throw new LoopError(
        "LOOP_E_LEARNINGS_FILE",
        `${path} changed in the meantime`,
        "Nothing was written. Consolidate again.",
      );
}

/**
 * Writes the files of a plan, and takes its candidates out of the queue. What they were before is
 * put down first, outside of the repository, so that the whole can be undone, and finished where
 * the machine stopped half-way.
 */
export async function applyFiles(
  root: string,
  edits: readonly FileEdit[],
  { journal, queue }: Pick<Places, "journal" | "queue">,
  consumed: readonly PendingFile[],
): Promise<void> {
  if (edits.length > 0) await writeJournal(journal, { root, edits, consumed, done: false });
  for (const { path, after } of edits) await putText(root, path, after);
  await take(queue, consumed);
  if (edits.length > 0) await writeJournal(journal, { root, edits, consumed, done: true });
}

/**
 * Finishes a consolidation of a checkout that was cut off between two of its files. Where none was
 * written yet, or a file is neither as it was nor as it should be, somebody has taken it back or
 * mended it, and nothing is done. Resolves to the paths that were written.
 */
export async function finishInterrupted(
  root: string,
  { journal, queue }: Pick<Places, "journal" | "queue">,
): Promise<readonly string[]> {
  const cutOff = await readJournal(journal, root);
  if (cutOff === null || cutOff.done) return [];
  const now = await standing(root, cutOff);
  const left = now.filter(({ edit, text }) => text !== edit.after).map(({ edit }) => edit);
  const goesOn =
    left.length < now.length &&
    now.every(({ edit, text }) => text === edit.before || text === edit.after);
  if (goesOn) for (const { path, after } of left) await putText(root, path, after);
  if (goesOn) await take(queue, cutOff.consumed);
  await writeJournal(journal, { ...cutOff, edits: goesOn ? cutOff.edits : [], done: true });
  return goesOn ? left.map(({ path }) => path) : [];
}

/** Whether a consolidation of a checkout was cut off. */
export async function isInterrupted(
  root: string,
  { journal }: Pick<Places, "journal">,
): Promise<boolean> {
  return (await readJournal(journal, root))?.done === false;
}

/** What the last consolidation of a checkout wrote and stands there as it was written. */
export async function lastWritten(
  root: string,
  { journal }: Pick<Places, "journal">,
): Promise<readonly FileEdit[]> {
  const last = await readJournal(journal, root);
  return last === null || !last.done
    ? []
    : (await standing(root, last))
        .filter(({ edit, text }) => text === edit.after)
        .map(({ edit }) => edit);
}

/**
 * Takes the last consolidation of a checkout back. A file that was changed since is left as it is,
 * and nothing else is touched then. The candidates that it took go back into the queue. Resolves to
 * the paths.
 */
export async function undoFiles(
  root: string,
  { journal, queue }: Pick<Places, "journal" | "queue">,
): Promise<readonly string[]> {
  const last = await readJournal(journal, root);
  if (last === null) throw nothingToUndo();
  const now = await standing(root, last);
  const changed = now.find(({ edit, text }) => text !== edit.after && text !== edit.before);
  if (changed !== undefined)
    throw new LoopError(
      "LOOP_E_LEARNINGS_UNDO",
      `${changed.edit.path} was changed since`,
      "Nothing was undone. Revert it with git instead.",
    );
  const undone = now.filter(({ edit, text }) => text !== edit.before).map(({ edit }) => edit);
  if (undone.length === 0) throw nothingToUndo();
  for (const { name, text } of last.consumed) await appendPending(queue, idOf(name), text);
  for (const { path, before } of undone) await putText(root, path, before);
  return undone.map(({ path }) => path);
}

async function standing(
  root: string,
  { edits }: Journal,
): Promise<readonly { readonly edit: FileEdit; readonly text: string | null }[]> {
  return Promise.all(edits.map(async (edit) => ({ edit, text: await readText(root, edit.path) })));
}

async function take(queue: string, consumed: readonly PendingFile[]): Promise<void> {
  for (const { name } of consumed) await rm(join(queue, name), { force: true });
}

function nothingToUndo(): LoopError {
  return new LoopError(
    "LOOP_E_LEARNINGS_UNDO",
    "No consolidation of this checkout to undo",
    "Restore earlier files from git",
  );
}
