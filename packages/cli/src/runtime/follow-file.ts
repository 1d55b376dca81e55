import { open } from "node:fs/promises";
import { StringDecoder } from "node:string_decoder";
import { setTimeout as sleep } from "node:timers/promises";

/** A line longer than this many characters is cut; no reader of ours needs more. */
const maxLineChars = 4 * 1024 * 1024;
const chunkBytes = 256 * 1024;

/**
 * Yields the complete lines of a file that somebody else appends to, until `finished` says so and the file is read to
 * its end. Invalid UTF-8 becomes U+FFFD. A last line without a newline is yielded at the end.
 */
export async function* followLines(file: string, finished: () => boolean, pollMs: number = 25): AsyncGenerator<string> {
  const handle = await open(file, "r");
  const decoder = new StringDecoder("utf8");
  const buffer = Buffer.allocUnsafe(chunkBytes);
  let rest = "";
  try {
    for (;;) {
      const last = finished();
      const { bytesRead } = await handle.read(buffer, 0, chunkBytes, null);
      if (bytesRead === 0) {
        if (last) break;
        await sleep(pollMs);
        continue;
      }
      const parts = (rest + decoder.write(buffer.subarray(0, bytesRead))).split("\n");
      rest = (parts.pop() ?? "").slice(0, maxLineChars);
      yield* parts;
    }
    rest += decoder.end();
    if (rest !== "") yield rest;
  } finally {
    await handle.close();
  }
}
