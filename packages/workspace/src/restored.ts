import { createHash } from "node:crypto";
import { lstat, readlink } from "node:fs/promises";
import { join } from "node:path";
import { ifAbsent } from "./absent.ts";
import { WorkspaceError } from "./failure.ts";
import { fileAt } from "./names.ts";
import { readPlain } from "./plain-file.ts";
import { writeDurably } from "./put-file.ts";
import { parseJson } from "./registry.ts";

/** What was restored from the base in a checkout: a digest of each file as it was written, null for one that was taken away. */
export type Restored = { readonly base: string; readonly branch: string; readonly files: readonly RestoredFile[] };
export type RestoredFile = { readonly path: string; readonly how: "added" | "replaced" | "removed"; readonly digest: string | null };

const fileName = "loop-restored.json";
/** Room for many thousands of files. */
const mostBytes = 16 * 1024 ** 2;

/** The list that stands beside git's own record of a work tree; null where nothing was ever restored. */
export async function readRestored(record: string): Promise<Restored | null> {
  const bytes = await readPlain(join(record, fileName), mostBytes);
  if (bytes === "none") return null;
  const parsed: unknown = bytes === "odd" ? null : parseJson(bytes.toString());
  // Without it nobody knows which files the session may have changed: restoring again could take its work away.
  if (typeof parsed !== "object" || parsed === null || !("files" in parsed) || !("base" in parsed) || !("branch" in parsed) || !Array.isArray(parsed.files)) throw new WorkspaceError("LOOP_E_WORKSPACE_GIT", `${join(record, fileName)} is not as it was written.`, "Somebody changed it by hand; look at the checkout, then let `loop sessions cleanup` take it away.");
  return { base: String(parsed.base), branch: String(parsed.branch), files: parsed.files.flatMap((file: unknown) => parseFile(file)) };
}

export const writeRestored = (record: string, restored: Restored): Promise<void> => writeDurably(join(record, fileName), JSON.stringify({ version: 1, ...restored }, null, 1));

/** Files of the list that a session has changed since. */
export async function changedSince(checkout: string, restored: Restored): Promise<ReadonlySet<string>> {
  const changed = new Set<string>();
  for (const { path, digest } of restored.files) if ((await digestOf(fileAt(checkout, path))) !== digest) changed.add(path);
  return changed;
}

/** Digest of a file's bytes or of where a link leads, with its right to be run; null when there is none. Links are not followed. */
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
  if (typeof file !== "object" || file === null || !("path" in file) || !("how" in file) || !("digest" in file)) return [];
  const { path, how, digest } = file;
  const known = how === "added" || how === "replaced" || how === "removed";
  return typeof path === "string" && known && (typeof digest === "string" || digest === null) ? [{ path, how, digest }] : [];
}
