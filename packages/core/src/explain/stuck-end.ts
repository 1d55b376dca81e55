import { ago } from "../text/ago.ts";
import type { PendingEffect } from "../turn/outbox-entry.ts";
import { isEndingEffect, isStuck } from "../turn/ends.ts";

/**
 * How the end that a lane waits for is doing: what to say of it, and what to type where somebody
 * should look; `type` is null else.
 */
export type EndView = {
  readonly words: string;
  readonly detail: string;
  readonly until: number | null;
  readonly type: string | null;
};

/** Null where nothing has gone wrong with it. */
export function endView(pending: PendingEffect, now: number): EndView | null {
  const { id, effect, attempts, notBefore, note, createdAt } = pending;
  if (!isEndingEffect(effect)) return null;
  const stuck = isStuck(pending, now);
  if (attempts === 0 && !stuck) return null;
  const { words, dropped } = ends[effect.kind];
  const why = note ?? "nobody has looked at it yet";
  if (!stuck) return { words, detail: why, until: notBefore, type: null };
  const left = `\`loop effects drop ${id}\` ${dropped}`;
  if (attempts === 0)
    return {
      words,
      detail: `${why}; asked for ${ago(createdAt, now)}`,
      until: null,
      type: `\`loop start\` where no service runs, else ${left}`,
    };
  const next = notBefore > now ? ago(notBefore, now) : "now";
  return {
    words,
    detail: `${why}; tried ${attempts} times, again ${next}`,
    until: null,
    type: `put that right, then \`loop effects retry ${id}\` tries at once; ${left}`,
  };
}

const ends = {
  "end-session": {
    words: "its session could not be ended",
    dropped: "counts the session as closed",
  },
  release: {
    words: "its checkout could not be released",
    dropped: "leaves the checkout where it is",
  },
} as const;
