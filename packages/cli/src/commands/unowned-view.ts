import type { UnownedStart } from "@loopwork/core";
import { ago } from "../output/time.ts";
import { type Block, line } from "./command.ts";

/**
 * Starts that this instance left alone: whoever waits for them learns here that nobody may have
 * taken them.
 */
export function unownedBlocks(starts: readonly UnownedStart[], now: number): readonly Block[] {
  if (starts.length === 0) return [];
  return [
    { kind: "heading", text: "Starts that are not for this instance" },
    ...starts.flatMap(({ workItem, by, at, words, type }) => [
      line(`· ${workItem}  @${by}'s start, ${ago(at, now)}, ${words}`),
      line(`    → ${type}`),
    ]),
  ];
}
