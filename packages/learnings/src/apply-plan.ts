import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LoopError } from "@loopwork/core/errors";
import { appendPending, type PendingFile } from "./pending-queue.ts";
import type { FileEdit } from "./plan-files.ts";
import { putText, readText } from "./safe-files.ts";

const journalName = "last-consolidation.json";

/**
 * Writes the files of a plan. What they were before is put down first, in `journalDir` outside of the repository, so that
 * the whole can be undone, also when the machine stops half-way; with it go the candidates that it takes out of the queue.
 */
export async function applyFiles(root: string, edits: readonly FileEdit[], journalDir: string, consumed: readonly PendingFile[]): Promise<void> {
  for (const { path, before } of edits) if ((await readText(root, path)) !== before) throw new LoopError("LOOP_E_LEARNINGS_FILE", `${path} was changed meanwhile`, "consolidate again; nothing was written");
  if (edits.length === 0) return;
  await mkdir(journalDir, { recursive: true });
  const journal = join(journalDir, journalName);
  await writeFile(`${journal}.tmp`, JSON.stringify({ root, edits, consumed }));
  await rename(`${journal}.tmp`, journal);
  for (const { path, after } of edits) await putText(root, path, after);
}

/** Takes the last consolidation of a repository back. A file that was changed since is left as it is, and nothing else is touched then. The candidates that it took go back into the queue. Resolves to the paths. */
export async function undoFiles(root: string, journalDir: string, queueDir: string): Promise<readonly string[]> {
  const { edits, consumed } = await readJournal(root, journalDir);
  const now = await Promise.all(edits.map(async (edit) => ({ edit, text: await readText(root, edit.path) })));
  const changed = now.find(({ edit, text }) => text !== edit.after && text !== edit.before);
  if (changed !== undefined) throw new LoopError("LOOP_E_LEARNINGS_UNDO", `${changed.edit.path} was changed since`, "take it back with git instead; nothing was undone");
  const undone = now.filter(({ edit, text }) => text !== edit.before).map(({ edit }) => edit);
  if (undone.length === 0) throw nothingToUndo();
  for (const { path, before } of undone) await putText(root, path, before);
  for (const { name, text } of consumed) await appendPending(queueDir, name.slice(0, -".yaml".length), text);
  return undone.map(({ path }) => path);
}

async function readJournal(root: string, journalDir: string): Promise<{ readonly edits: readonly FileEdit[]; readonly consumed: readonly PendingFile[] }> {
  const text = await readFile(join(journalDir, journalName), "utf8").catch(() => null);
  if (text === null) throw nothingToUndo();
  const journal: unknown = JSON.parse(text);
  if (!isFields(journal) || journal["root"] !== root || !Array.isArray(journal["edits"]) || !Array.isArray(journal["consumed"])) throw nothingToUndo();
  return { edits: journal["edits"].filter(isEdit), consumed: journal["consumed"].filter(isPending) };
}

function nothingToUndo(): LoopError {
  return new LoopError("LOOP_E_LEARNINGS_UNDO", "there is no consolidation of this repository to undo", "git knows what stood there before");
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isPending(value: unknown): value is PendingFile {
  return isFields(value) && typeof value["name"] === "string" && typeof value["text"] === "string";
}

function isEdit(value: unknown): value is FileEdit {
  return isFields(value) && typeof value["path"] === "string" && [value["before"], value["after"]].every((text) => text === null || typeof text === "string");
}
