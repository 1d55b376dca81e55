import { rm } from "node:fs/promises";
import { join, sep } from "node:path";
import { workItemsName, worktreesName } from "./layout.ts";
import { readPlain } from "./plain-file.ts";
import { writeDurably } from "./put-file.ts";
import { inFolder } from "./no-follow-folder.ts";
import { parseJson } from "./registry.ts";

/**
 * Where we note what a checkout was made of: beside all checkouts and clones, not in one, since
 * what is in one a session can change.
 */
const notesName = ".records";

/** A note about a checkout, or one about its repository. */
export type NoteKind = "restored" | "fetched";

type Place = { readonly root: string; readonly folder: readonly string[]; readonly file: string };

/** Follows from where the checkout stands; null for a folder that is no checkout of ours. */
function placeOfNote(kind: NoteKind, checkout: string): Place | null {
  const parts = checkout.split(sep);
  const [top, ...names] = parts.slice(-5);
  if ((top !== worktreesName && top !== workItemsName) || names.length !== 4) return null;
  const repository = top === workItemsName ? names.slice(1) : names.slice(0, 3);
  const slug = top === workItemsName ? names[0] : names[3];
  const folder = [notesName, kind, ...repository];
  const root = parts.slice(0, -5).join(sep) || sep;
  if (kind === "restored") return { root, folder, file: `${slug ?? ""}.json` };
  return { root, folder: folder.slice(0, -1), file: `${folder.at(-1) ?? ""}.json` };
}

/** Whether a folder stands where checkouts of ours do. */
export const isCheckout = (folder: string): boolean => placeOfNote("fetched", folder) !== null;

/** Room for what is noted of many thousands of files. */
const mostBytes = 16 * 1024 ** 2;

/** What was noted, as JSON says it; `none` where nothing was, and null where it can't be read. */
export async function readNote(kind: NoteKind, checkout: string): Promise<unknown> {
  const place = placeOfNote(kind, checkout);
  if (place === null) return "none";
  const bytes = await inFolder(place.root, place.folder, (folder) =>
    readPlain(join(folder, place.file), mostBytes),
  );
  if (bytes === null || bytes === "none") return "none";
  return bytes === "odd" ? null : parseJson(bytes.toString());
}

export async function writeNote(kind: NoteKind, checkout: string, note: object): Promise<void> {
  const place = placeOfNote(kind, checkout);
  if (place === null) throw new Error(`${checkout} is no checkout of ours`);
  const text = JSON.stringify({ version: 1, ...note }, null, 1);
  await inFolder(
    place.root,
    place.folder,
    (folder) => writeDurably(join(folder, place.file), text),
    { make: 0o700 },
  );
}

export async function removeNote(kind: NoteKind, checkout: string): Promise<void> {
  const place = placeOfNote(kind, checkout);
  if (place === null) return;
  await inFolder(place.root, place.folder, (folder) =>
    rm(join(folder, place.file), { recursive: true, force: true }),
  );
}

/** How a person finds it. */
export function shownNote(kind: NoteKind, checkout: string): string {
  const place = placeOfNote(kind, checkout);
  return place === null ? checkout : join(place.root, ...place.folder, place.file);
}
