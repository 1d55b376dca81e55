import {
  type ManifestFile,
  manifestPath,
  type ParsedManifest,
  readManifest,
} from "@loopwork/core/config";
import { isMap, isSeq, parseDocument } from "yaml";

/** A manifest that lists itself. */
export function emptyManifest(productVersion: string): string {
  return `# What loop creates, maintains or tracks in this repository. Change it with \`loop manifest add\` and \`loop manifest remove\`.\nversion: 1\nproduct: loop\nproductVersion: ${JSON.stringify(productVersion)}\nfiles:\n  - path: ${manifestPath}\n    role: manifest\n    owner: loop\n`;
}

/**
 * Reads the text of a manifest; every problem at once. A doubled key is refused, and so are
 * aliases: the file is short.
 */
export function parseManifest(text: string): ParsedManifest {
  if (text.length > largestManifest)
    return { ok: false, problems: [`it is longer than ${largestManifest} characters`] };
  const document = parseDocument(text, { uniqueKeys: true });
  if (document.errors.length > 0)
    return {
      ok: false,
      problems: document.errors.map(({ message }) => message.split("\n")[0] ?? ""),
    };
  try {
    return readManifest(document.toJS({ maxAliasCount: 0 }));
  } catch {
    return { ok: false, problems: ["it contains a YAML alias"] };
  }
}

const largestManifest = 262_144;

/**
 * The text with a file added, or changed where it stands there already; comments and the order of
 * the others stay.
 */
export function addFile(text: string, file: ManifestFile): string {
  const { document, files, at } = entryIn(text, file.path);
  if (at < 0) files.add(document.createNode(file));
  else files.set(at, document.createNode(file));
  return document.toString({ lineWidth: 0 });
}

/** The text without the file; the same text where it is not listed. */
export function removeFile(text: string, path: string): string {
  const { document, files, at } = entryIn(text, path);
  if (at < 0) return text;
  files.delete(at);
  return document.toString({ lineWidth: 0 });
}

/** The list in a text that was parsed before, and the place of a path in it. */
function entryIn(text: string, path: string) {
  const document = parseDocument(text);
  const files = document.get("files");
  if (!isSeq(files)) throw new Error("a manifest that was not parsed before");
  return {
    document,
    files,
    at: files.items.findIndex((item) => isMap(item) && item.get("path") === path),
  };
}
