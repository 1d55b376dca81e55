import { isUtf8 } from "node:buffer";
import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

/**
 * Names of files and branches are bytes to git and to the file system, and text to us. A byte that
 * is no UTF-8 stands in the text as a lone surrogate, U+DC80 to U+DCFF, which no valid name
 * contains: so every name comes back as the bytes that it was, is the same text wherever it was
 * read, and survives JSON.
 */
export function decodeName(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString();
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(0, at) < 0 ? bytes.length : bytes.indexOf(0, at) + 1;
    const piece = bytes.subarray(at, end);
    pieces.push(isUtf8(piece) ? piece.toString() : decodeOdd(piece));
    at = end;
  }
  return pieces.join("");
}

/** The bytes of a text: the inverse of `decodeName`. */
export function encodeName(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text);
  return Buffer.concat(
    Array.from(text, (character) =>
      isByte(character) ? Buffer.of(character.charCodeAt(0) - firstByte) : Buffer.from(character),
    ),
  );
}

/** What `fs` is to be given for a name in a folder: its bytes. */
export const fileAt = (folder: string, name: string): Buffer => encodeName(join(folder, name));

/** Entries of a folder, their names as text. */
export async function entriesOf(
  folder: string,
): Promise<readonly { readonly name: string; readonly entry: Dirent<Buffer> }[]> {
  return (await readdir(encodeName(folder), { withFileTypes: true, encoding: "buffer" })).map(
    (entry) => ({ name: decodeName(entry.name), entry }),
  );
}

/**
 * A name as a person is shown it: what does not print is spelled out, `\xe9` for a byte that is no
 * UTF-8.
 */
export function shownName(name: string): string {
  return Array.from(name, (character) =>
    isByte(character)
      ? `\\x${(character.charCodeAt(0) - firstByte).toString(16)}`
      : character === "\\" || hidden.test(character)
        ? spelled(character)
        : character,
  ).join("");
}

/** Where the code points that stand for bytes begin, less the first such byte's value. */
const firstByte = 0xdc00;
const isByte = (character: string): boolean =>
  character.length === 1 && character >= "\udc80" && character <= "\udcff";

/** Controls, line ends, and characters that change how others are shown. */
const hidden = /[\p{C}\p{Zl}\p{Zp}]/u;
const spelled = (character: string): string =>
  character === "\\" ? "\\\\" : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/**
 * Takes the shortest run of bytes that is UTF-8 for a character, and every other byte for itself.
 */
function decodeOdd(bytes: Buffer): string {
  let text = "";
  for (let at = 0; at < bytes.length;) {
    const length = [1, 2, 3, 4].find(
      (each) => at + each <= bytes.length && isUtf8(bytes.subarray(at, at + each)),
    );
    text +=
      length === undefined
        ? String.fromCharCode(firstByte + (bytes[at] ?? 0))
        : bytes.toString("utf8", at, at + length);
    at += length ?? 1;
  }
  return text;
}
