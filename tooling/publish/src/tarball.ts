import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** A file in a packed package: its path below `package/`, and its bytes. */
export type PackedFile = { readonly path: string; readonly bytes: Uint8Array };

const block = 512;

/**
 * Regular files of a `.tgz` as npm and pnpm write it: plain headers, and extended ones for long
 * paths.
 */
export function readTarball(file: string): readonly PackedFile[] {
  const tar = gunzipSync(readFileSync(file));
  const files: PackedFile[] = [];
  let longPath: string | null = null;
  for (let at = 0; at + block <= tar.length && tar[at] !== 0;) {
    const size = Number.parseInt(textAt(tar, at + 124, 12), 8);
    const body = tar.subarray(at + block, at + block + size);
    const kind = String.fromCodePoint(tar[at + 156] ?? 0);
    if (kind === "x")
      longPath = /(?:^|\n)\d{1,9} path=([^\n]{1,4096})\n/.exec(body.toString("utf8"))?.[1] ?? null;
    else {
      if (kind === "0" || kind === "\0")
        files.push({
          path: (longPath ?? plainPath(tar, at)).replace(/^package\//, ""),
          bytes: body,
        });
      longPath = null;
    }
    at += block + Math.ceil(size / block) * block;
  }
  return files;
}

function plainPath(tar: Buffer, at: number): string {
  const prefix = textAt(tar, at + 345, 155);
  const name = textAt(tar, at, 100);
  return prefix === "" ? name : `${prefix}/${name}`;
}

function textAt(tar: Buffer, from: number, length: number): string {
  return tar.toString("utf8", from, from + length).split("\0")[0] ?? "";
}
