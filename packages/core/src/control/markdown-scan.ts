import { beginInline, type InlineState } from "./markdown-spans.ts";
import type { Scannable } from "./scannable.ts";

/** Deeper nesting than this counts as quoted: nobody's own words stand there. It bounds the work on one line. */
export const deepest = 32;
/** Marks a block quote in the stack of containers; other entries are list items with the columns that they take. */
export const quote = -1;

/** What is known while the lines of one text are read, first to last. */
export type BlockScan = {
  readonly text: Scannable;
  readonly inline: InlineState;
  readonly wanted: readonly number[] | null;
  /** Index of the first wanted position that was not passed yet. */
  next: number;
  /** Open containers, outermost first. */
  readonly stack: number[];
  leaf: "none" | "paragraph" | "fence";
  /** Character code and length of the fence that is open. */
  fence: number;
  fenceLength: number;
  /** Bounds of the paragraph that is being collected outside of quotes; -1 when none is. */
  run: number;
  runEnd: number;
  /** The innermost container is a list item that began on the line before and holds nothing yet. */
  emptyItem: boolean;
};

export function beginScan(text: Scannable, wanted: readonly number[] | null): BlockScan {
  return { text, inline: beginInline(), wanted, next: 0, stack: [], leaf: "none", fence: 0, fenceLength: 0, run: -1, runEnd: -1, emptyItem: false };
}
