import type { UnownedStart } from "@loopwork/core";
import { ago } from "../output/time.ts";
import { type Block, line } from "../output/result.ts";

/**
 * Starts that this instance left alone: whoever waits for them learns here that nobody may have
 * taken them.
 */
export function unownedBlocks(starts: readonly UnownedStart[], now: number): readonly Block[] {
  if (starts.length === 0) return [];
  return [
    { kind: "heading", text: "Started on other instances" },
    ...starts.flatMap(({ workItem, by, at, words, type }) => [
      line(`· ${workItem}  started by @${by} ${ago(at, now)}, ${words}`),
      line(`    → ${type}`),
    ]),
  ];
}
