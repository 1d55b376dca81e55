import type { Waiting } from "@loopwork/core";
import { ago } from "../output/time.ts";
import { type Block, line } from "../output/result.ts";

export function waitingBlocks(waiting: readonly Waiting[], now: number): readonly Block[] {
  if (waiting.length === 0) return [];
  return [{ kind: "heading", text: "Waiting" }, ...waiting.flatMap((each) => blocksOf(each, now))];
}

function blocksOf({ lane, reason, until, detail, type }: Waiting, now: number): readonly Block[] {
  const what = `${lane}  ${reason}${detail === "" ? "" : `: ${detail}`}`;
  if (type === null)
    return [
      line(
        `· ${what}${until === null || reason === "attached" ? "" : `, retrying ${until > now ? ago(until, now) : "now"}`}`,
        "dim",
      ),
    ];
  return [line(`! ${what}`, "warn"), line(`    → ${type}`)];
}
