import { lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { LoopError } from "@loopwork/core/ports";
import { manifestPath } from "@loopwork/core/config";
import { readPlainFileSync } from "../files/plain-file.ts";

/** Bytes of the longest manifest that is read. */
const longestManifest = 1024 * 1024;

/**
 * The text of a repository's manifest; null where there is none. Throws `LOOP_E_MANIFEST` where it
 * or its folder is a link, which a repository may bring along and which leads anywhere, and where
 * it is no plain file of a manifest's size.
 */
export function readManifestFile(root: string): string | null {
  refuseLinks(root);
  const file = join(root, manifestPath);
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return null;
  if (!found.isFile()) throw unusable("is not a regular file");
  const bytes = readPlainFileSync(file, longestManifest);
  if (bytes === null) throw unusable(`has more than ${longestManifest} bytes`);
  return bytes.toString("utf8");
}

/** Puts the manifest in place as a whole, and through no link. Throws `LOOP_E_MANIFEST`. */
export function writeManifestFile(root: string, text: string): void {
  refuseLinks(root);
  const file = join(root, manifestPath);
  mkdirSync(dirname(file), { recursive: true });
  const next = `${file}.${crypto.randomUUID()}`;
  try {
    writeFileSync(next, text, { flag: "wx" });
    renameSync(next, file);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
}

function refuseLinks(root: string): void {
  for (const path of [dirname(manifestPath), manifestPath]) {
    const found = lstatSync(join(root, path), { throwIfNoEntry: false });
    if (found?.isSymbolicLink() === true) throw unusable("is a symbolic link", path);
  }
}

function unusable(why: string, path: string = manifestPath): LoopError {
  const hint = "Replace it with a regular file, or remove it";
  return new LoopError("LOOP_E_MANIFEST", `${path} ${why}`, hint);
}
