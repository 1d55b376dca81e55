import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { isGone, noneWhereAbsent } from "./is-gone.ts";
import type { PendingFile } from "./pending-queue.ts";
import type { FileEdit } from "./plan-files.ts";
import { putWhole } from "./safe-files.ts";

/**
 * What the last consolidation of a checkout did: its files as they were and as they are, and the
 * candidates that it took.
 *
 *     written with done: false ──▶ files, one by one ──▶ queue ──▶ written with done: true
 */
export type Journal = {
  readonly root: string;
  readonly edits: readonly FileEdit[];
  readonly consumed: readonly PendingFile[];
  readonly done: boolean;
};

/** Puts a checkout's journal down, and takes those of checkouts away that are gone. */
export async function writeJournal(dir: string, journal: Journal): Promise<void> {
  await mkdir(dir, { recursive: true });
  await putWhole(fileOf(dir, journal.root), JSON.stringify(journal));
  for (const name of await readdir(dir)) {
    const other = name.endsWith(".json")
      ? parseJournal(await readFile(join(dir, name), "utf8").catch(() => ""))
      : null;
    if (other !== null && (await isGone(other.root))) await rm(join(dir, name), { force: true });
  }
}

/** The journal of a checkout; null where it has none that can be read. */
export async function readJournal(dir: string, root: string): Promise<Journal | null> {
  const journal = parseJournal(await readFile(fileOf(dir, root), "utf8").catch(() => ""));
  return journal?.root === root ? journal : null;
}

/**
 * Names of candidates that consolidations of other checkouts took and have not finished: they are
 * these checkouts' as long as these stand.
 */
export async function takenElsewhere(dir: string, root: string): Promise<ReadonlySet<string>> {
  const taken = new Set<string>();
  for (const name of (await readdir(dir).catch(noneWhereAbsent)).filter((each) =>
    each.endsWith(".json"),
  )) {
    const other = parseJournal(await readFile(join(dir, name), "utf8").catch(() => ""));
    if (other === null || other.done || other.root === root || (await isGone(other.root))) continue;
    for (const each of other.consumed) taken.add(each.name);
  }
  return taken;
}

function fileOf(dir: string, root: string): string {
  return join(dir, `${createHash("sha256").update(root).digest("hex").slice(0, 24)}.json`);
}

function parseJournal(text: string): Journal | null {
  const value = parsed(text);
  if (!isFields(value)) return null;
  const { root, edits, consumed, done } = value;
  return typeof root === "string" &&
    Array.isArray(edits) &&
    edits.every(isEdit) &&
    Array.isArray(consumed) &&
    consumed.every(isPending)
    ? { root, edits, consumed, done: done === true }
    : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isPending(value: unknown): value is PendingFile {
  return isFields(value) && typeof value["name"] === "string" && typeof value["text"] === "string";
}

function isEdit(value: unknown): value is FileEdit {
  return (
    isFields(value) &&
    typeof value["path"] === "string" &&
    [value["before"], value["after"]].every((text) => text === null || typeof text === "string")
  );
}
