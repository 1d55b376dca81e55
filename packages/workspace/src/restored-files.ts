import { createHash } from "node:crypto";
import { lstat, readlink } from "node:fs/promises";
import { join } from "node:path";
import { ifAbsent } from "./if-absent.ts";
import { WorkspaceError } from "./failure.ts";
import { fileAt } from "./names.ts";
import { readNote, removeNote, shownNote, writeNote } from "./checkout-notes.ts";
import { readPlain } from "./plain-file.ts";
import { parseJson } from "./registry.ts";

/**
 * What was restored from the base in a checkout: a digest of each file as it was written, null for
 * one that was taken away.
 */
export type Restored = {
  readonly base: string;
  readonly branch: string;
  readonly files: readonly RestoredFile[];
};
export type RestoredFile = {
  readonly path: string;
  readonly how: "added" | "replaced" | "removed";
  readonly digest: string | null;
};

/** What was restored in a checkout of ours; null where nothing was. */
export async function readRestored(checkout: string): Promise<Restored | null> {
  const note = await readNote("restored", checkout);
  return note === "none" ? null : parseRestored(note, shownNote("restored", checkout));
}

export const writeRestored = (checkout: string, restored: Restored): Promise<void> =>
  writeNote("restored", checkout, restored);

/** Nothing that was restored before is in a checkout that is only being made. */
export const forgetRestored = (checkout: string): Promise<void> => removeNote("restored", checkout);

/**
 * Takes over the list that an earlier version kept in git's record of a checkout that stands, where
 * a session can write it. Returns null where there is none.
 */
export async function adoptRestored(checkout: string, record: string): Promise<Restored | null> {
  const file = join(record, "loop-restored.json");
  const bytes = await readPlain(file, 16 * 1024 ** 2);
  if (bytes === "none") return null;
  const restored = parseRestored(bytes === "odd" ? null : parseJson(bytes.toString()), file);
  await writeRestored(checkout, restored);
  return restored;
}

function parseRestored(parsed: unknown, file: string): Restored {
  // Without it nobody knows which files the session may have changed: restoring again could take
  // its work away.
  if (
    typeof parsed !== "object" ||
    parsed === null ||
    !("files" in parsed) ||
    !("base" in parsed) ||
    !("branch" in parsed) ||
    !Array.isArray(parsed.files)
  )
    throw new WorkspaceError(
      "LOOP_E_WORKSPACE_GIT",
      `${file} is not as it was written.`,
      "Somebody changed it by hand; look at the checkout, then let `loop sessions cleanup` take it away.",
    );
  return {
    base: String(parsed.base),
    branch: String(parsed.branch),
    files: parsed.files.flatMap((each: unknown) => parseFile(each)),
  };
}

/** Files of the list that a session has changed since. */
export async function changedSince(
  checkout: string,
  restored: Restored,
): Promise<ReadonlySet<string>> {
  const changed = new Set<string>();
  for (const { path, digest } of restored.files)
    if ((await digestOf(fileAt(checkout, path))) !== digest) changed.add(path);
  return changed;
}

/**
 * Digest of a file's bytes or of where a link leads, with its right to be run; null when there is
 * none. Links are not followed.
 */
export async function digestOf(file: Buffer): Promise<string | null> {
  const stat = await lstat(file).catch(ifAbsent(null));
  if (stat === null || !(stat.isFile() || stat.isSymbolicLink())) return null;
  const kind = stat.isSymbolicLink() ? "link" : (stat.mode & 0o100) === 0 ? "file" : "program";
  const bytes = stat.isSymbolicLink()
    ? await readlink(file, { encoding: "buffer" })
    : await readPlain(file, Number.MAX_SAFE_INTEGER);
  if (typeof bytes === "string") return null;
  return `${kind}:${createHash("sha256").update(bytes).digest("hex")}`;
}

function parseFile(file: unknown): readonly RestoredFile[] {
  if (
    typeof file !== "object" ||
    file === null ||
    !("path" in file) ||
    !("how" in file) ||
    !("digest" in file)
  )
    return [];
  const { path, how, digest } = file;
  const known = how === "added" || how === "replaced" || how === "removed";
  return typeof path === "string" && known && (typeof digest === "string" || digest === null)
    ? [{ path, how, digest }]
    : [];
}
