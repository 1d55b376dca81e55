import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Book, parseCandidate, restsOn } from "@loopwork/core/learnings";
import { isGone, noneWhereAbsent } from "./is-gone.ts";
import { isPending } from "./journal.ts";
import { appendPending, idOf, type PendingFile } from "./pending-queue.ts";
import { putWhole } from "./safe-files.ts";

/**
 * What a consolidation took into a checkout is the team's only once that work is merged. Until then
 * its candidates are kept here: when the checkout is gone and the repository does not have what
 * became of them, they go back into the queue. A file a checkout and time.
 */
export async function keepCarried(
  dir: string,
  root: string,
  files: readonly PendingFile[],
): Promise<void> {
  if (files.length === 0) return;
  await mkdir(dir, { recursive: true });
  const text = JSON.stringify({ root, files });
  await putWhole(
    join(dir, `${createHash("sha256").update(text).digest("hex").slice(0, 24)}.json`),
    text,
  );
}

/**
 * Puts back what was carried into checkouts that are gone and is not in `book`, which is the
 * repository's as it was fetched last. A file that cannot be read is kept under another name,
 * because nobody knows what it carries. Resolves to the names of such files.
 */
export async function bringBack(
  dir: string,
  queueDir: string,
  book: Book,
): Promise<readonly string[]> {
  const damaged: string[] = [];
  for (const name of (await readdir(dir).catch(noneWhereAbsent)).filter((each) =>
    each.endsWith(".json"),
  )) {
    const carried = parseCarried(await readFile(join(dir, name), "utf8"));
    if (carried === null) {
      damaged.push(name);
      await rename(join(dir, name), join(dir, `${name}.damaged`));
    } else if (await isGone(carried.root)) {
      for (const { name: file, text } of carried.files)
        if (!isKnown(text, book)) await appendPending(queueDir, idOf(file), text);
      await rm(join(dir, name), { force: true });
    }
  }
  return damaged;
}

function isKnown(text: string, { learnings }: Book): boolean {
  const read = parseCandidate(text);
  return read.ok && learnings.some((each) => restsOn(each, read.candidate));
}

function parseCarried(
  text: string,
): { readonly root: string; readonly files: readonly PendingFile[] } | null {
  const value: Partial<Readonly<Record<string, unknown>>> = Object(safely(text));
  const files: unknown = value["files"];
  return typeof value["root"] === "string" && Array.isArray(files) && files.every(isPending)
    ? { root: value["root"], files }
    : null;
}

function safely(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
