import { closeSync, fstatSync, ftruncateSync, read } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { openPlainFile } from "./plain-file.ts";

/** A line longer than this many characters is cut; no reader of ours needs more. */
const maxLineChars = 4 * 1024 * 1024;
const chunkBytes = 256 * 1024;
const pollMs = 25;
const readFrom = promisify(read);

/**
 * The file that a child prints to, as it was when it was opened: what anybody puts in its place
 * later is neither read nor cut. A place without a plain file has no lines.
 */
export type OutputFile = {
  /** The complete lines, until `finished` says so and the file is read to its end. */
  lines(finished: () => boolean): AsyncGenerator<string>;
  /** Keeps the file at its bound; whether it was over it. */
  cutBack(mostBytes: number): boolean;
  /** Closes the file once nobody reads it any more. Who asks for lines later opens it anew. */
  close(): void;
};

/**
 * States: open ──close──▶ closing ──the last reader ends──▶ closed ──lines──▶ closing, opened anew.
 */
export function openOutputFile(file: string): OutputFile {
  let opened = openPlainFile(file, "cut") ?? openPlainFile(file);
  let readers = 0;
  let closing = false;
  const release = (): void => {
    if (opened === null || readers > 0 || !closing) return;
    closeSync(opened);
    opened = null;
  };
  return {
    async *lines(finished) {
      if (closing) opened ??= openPlainFile(file);
      if (opened === null) return;
      readers += 1;
      try {
        yield* linesOf(opened, finished);
      } finally {
        readers -= 1;
        release();
      }
    },
    cutBack(mostBytes) {
      if (opened === null || fstatSync(opened).size <= mostBytes) return false;
      ftruncateSync(opened, mostBytes);
      return true;
    },
    close() {
      closing = true;
      release();
    },
  };
}

/** The lines of a file that nobody writes any more, of its first `mostBytes` bytes. */
export async function* linesOfFile(file: string, mostBytes: number): AsyncGenerator<string> {
  const opened = openPlainFile(file);
  if (opened === null) return;
  try {
    yield* linesOf(opened, () => true, mostBytes);
  } finally {
    closeSync(opened);
  }
}

/**
 * Invalid UTF-8 becomes U+FFFD. A last line without a newline is yielded at the end. Memory and
 * work stay bounded for a line of any length.
 */
async function* linesOf(
  opened: number,
  finished: () => boolean,
  mostBytes = Number.POSITIVE_INFINITY,
): AsyncGenerator<string> {
  const decoder = new StringDecoder("utf8");
  const buffer = Buffer.allocUnsafe(chunkBytes);
  let rest = "";
  let at = 0;
  while (at < mostBytes) {
    const last = finished();
    const { bytesRead } = await readFrom(opened, buffer, 0, chunkBytes, at);
    if (bytesRead === 0) {
      if (last) break;
      await sleep(pollMs);
      continue;
    }
    at += bytesRead;
    const [first = "", ...more] = decoder.write(buffer.subarray(0, bytesRead)).split("\n");
    if (rest.length < maxLineChars) rest = (rest + first).slice(0, maxLineChars);
    const next = more.pop();
    if (next === undefined) continue;
    yield rest;
    yield* more;
    rest = next;
  }
  rest += decoder.end();
  if (rest !== "") yield rest;
}
