import { createHash } from "node:crypto";

/** A line that was said; it may turn out to say nothing that anybody wants to read. */
export type Said = { drop(): void };

/**
 * What happened in one run, line by line. The same seed must tell the same story to the last byte.
 */
export type Trace = {
  /**
   * `detail` is for eyes alone: it is asked for, and kept, only when somebody wants to read the
   * trace.
   */
  say(what: string, detail?: () => string): Said;
  /** What is worth reading: looks that found nothing are left out. */
  lines(): readonly string[];
  hash(): string;
};

export function createTrace(now: () => number, detailed: boolean): Trace {
  const lines: { readonly text: string; dropped: boolean }[] = [];
  const hash = createHash("sha256");
  return {
    say(what, detail) {
      const line = `${String(now()).padStart(9)} ${what}`;
      hash.update(line).update("\n");
      if (!detailed) return nothing;
      const entry = {
        text: detail === undefined ? line : `${line} ${detail().slice(0, 400)}`,
        dropped: false,
      };
      lines.push(entry);
      return { drop: () => void (entry.dropped = true) };
    },
    lines: () => lines.filter(({ dropped }) => !dropped).map(({ text }) => text),
    hash: () => hash.copy().digest("hex"),
  };
}

const nothing: Said = { drop: () => {} };
