import { createHash } from "node:crypto";
import { lstat, mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Book, parseCandidate, rests } from "@loopwork/core/learnings";
import { isPending } from "./journal.ts";
import { appendPending, type PendingFile } from "./pending-queue.ts";
import { putWhole } from "./safe-files.ts";

/** A candidate's file, and what the learning says that it went into: another text where it was known in other words. */
export type CarriedFile = PendingFile & { readonly became?: string };

/**
 * What a consolidation took into a checkout is the team's only once that work is merged. Until then its candidates are kept here: when the
 * checkout is gone and the repository does not have what became of them, they go back into the queue. A file a checkout and time.
 */
export async function keepCarried(dir: string, root: string, files: readonly CarriedFile[]): Promise<void> {
  if (files.length === 0) return;
  await mkdir(dir, { recursive: true });
  const text = JSON.stringify({ root, files });
  await putWhole(join(dir, `${createHash("sha256").update(text).digest("hex").slice(0, 24)}.json`), text);
}

/**
 * Puts back what was carried into checkouts that are gone and is not in `book`, which is the repository's as it was fetched last. A
 * file that cannot be read is kept under another name, because nobody knows what it carries. Resolves to the names of such files.
 */
export async function bringBack(dir: string, queueDir: string, book: Book): Promise<readonly string[]> {
  const damaged: string[] = [];
  for (const name of (await readdir(dir).catch(() => [])).filter((each) => each.endsWith(".json"))) {
    const carried = parseCarried(await readFile(join(dir, name), "utf8"));
    if (carried === null) {
      damaged.push(name);
      await rename(join(dir, name), join(dir, `${name}.damaged`));
    } else if ((await lstat(carried.root).catch(() => null)) === null) {
      for (const each of carried.files) if (!isKnown(each, book)) await appendPending(queueDir, each.name.slice(0, -".yaml".length), each.text);
      await rm(join(dir, name), { force: true });
    }
  }
  return damaged;
}

function isKnown({ text, became }: CarriedFile, { learnings }: Book): boolean {
  const read = parseCandidate(text);
  if (!read.ok) return false;
  const said = [read.candidate, ...(became === undefined ? [] : [{ ...read.candidate, text: became }])];
  return learnings.some((each) => said.some((candidate) => rests(each, candidate)));
}

function parseCarried(text: string): { readonly root: string; readonly files: readonly CarriedFile[] } | null {
  const value: Partial<Readonly<Record<string, unknown>>> = Object(safely(text));
  const files: unknown = value["files"];
  return typeof value["root"] === "string" && Array.isArray(files) && files.every(isCarried) ? { root: value["root"], files } : null;
}

function isCarried(value: unknown): value is CarriedFile {
  return isPending(value) && (!("became" in value) || typeof value.became === "string");
}

function safely(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
