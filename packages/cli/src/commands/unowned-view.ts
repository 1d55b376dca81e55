import type { UnownedStart } from "../runtime/unowned-starts.ts";
import { ago } from "../output/time.ts";
import { type Block, line } from "./command.ts";

/** Starts that this instance left alone: whoever waits for them learns here that nobody may have taken them. */
export function unownedBlocks(starts: readonly UnownedStart[], instance: string, now: number): readonly Block[] {
  if (starts.length === 0) return [];
  return [{ kind: "heading", text: "Starts that are not for this instance" }, ...starts.flatMap((start) => blocksOf(start, instance, now))];
}

function blocksOf({ workItem, address, by, at, reason }: UnownedStart, instance: string, now: number): readonly Block[] {
  const whose = address === null ? "names no instance" : `is for instance ${address}`;
  const remedy = reason === "scope-locked" ? `list ${workItem} under instance.scope.workItems to work on it here` : `if nobody took it: comment the start again with instance:${instance}`;
  return [line(`· ${workItem}  @${by}'s start, ${ago(at, now)}, ${whose}`), line(`    → ${remedy}`)];
}
