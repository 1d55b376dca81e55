import type { Answer } from "./client.ts";

/**
 * Answers to reads with their tags, the newest few: asked again with its tag, what has not changed
 * comes without content and counts against no limit. Long lists and texts are not kept: pages of
 * comments and diffs could fill the memory.
 */
export type Remembered = {
  readonly tagOf: (address: string) => string | null;
  /** The answer kept for the address; null when there is none. */
  readonly recall: (address: string) => Answer | null;
  readonly keep: (address: string, tag: string | null, answer: Answer) => void;
};

export function createRemembered(most = 200): Remembered {
  const kept = new Map<string, { readonly tag: string; readonly answer: Answer }>();
  return {
    tagOf: (address) => kept.get(address)?.tag ?? null,
    recall: (address) => kept.get(address)?.answer ?? null,
    keep(address, tag, answer) {
      // Written anew at the end: the first of a map is the one that was least lately changed.
      kept.delete(address);
      if (tag !== null && !isLong(answer.data)) kept.set(address, { tag, answer });
      const [oldest] = kept.size > most ? kept.keys() : [];
      if (oldest !== undefined) kept.delete(oldest);
    },
  };
}

const isLong = (data: unknown): boolean =>
  typeof data === "string" || (Array.isArray(data) && data.length > 10);
