import type { Scannable } from "../../src/text/markdown/scannable.ts";

/**
 * Runs `scan` on a text that counts the characters that are read of it: a measure of time that no
 * machine disturbs.
 */
export function countReads(text: string, scan: (text: Scannable) => unknown): number {
  let reads = 0;
  scan({
    length: text.length,
    charCodeAt(index: number) {
      reads += 1;
      return text.charCodeAt(index);
    },
    indexOf(what: string, from = 0) {
      const found = text.indexOf(what, from);
      reads += Math.max(1, (found === -1 ? text.length : found) - from);
      return found;
    },
    startsWith(what: string, from = 0) {
      reads += 1;
      return text.startsWith(what, from);
    },
  });
  return reads;
}
