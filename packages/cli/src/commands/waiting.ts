import type { Hold, ItemState, RefText, Turn } from "@loopwork/core";
import { ago } from "../output/time.ts";
import { type Block, line } from "./command.ts";

/** A lane that waits: for whom, why, and what somebody can type; `type` is null for what goes on by itself. */
export type Waiting = { readonly lane: RefText; readonly reason: string; readonly until: number | null; readonly detail: string; readonly type: string | null };

/** Everything that waits in these items, what needs a person first. */
export function waitingOf(items: readonly ItemState[], open: readonly Turn[], resume: string): readonly Waiting[] {
  const held = items.flatMap((item) => item.lanes.flatMap(({ endpoint, hold }) => (hold === null ? [] : [{ lane: endpoint, ...hold, type: remedyOf(hold, turnOf(endpoint, open), resume) }])));
  const deferred = items.flatMap(({ workItem }) => (workItem?.closeDeferred === true ? [{ lane: workItem.ref, reason: "close-deferred", until: null, detail: "closed by somebody who may not release it", type: 'comment "loop cleanup" on it to release it' }] : []));
  return [...held, ...deferred].toSorted((a, b) => Number(a.type === null) - Number(b.type === null));
}

export function waitingBlocks(waiting: readonly Waiting[], now: number): readonly Block[] {
  if (waiting.length === 0) return [];
  return [{ kind: "heading", text: "Waits" }, ...waiting.flatMap((each) => blocksOf(each, now))];
}

function blocksOf({ lane, reason, until, detail, type }: Waiting, now: number): readonly Block[] {
  const what = `${lane}  ${reason}${detail === "" ? "" : `: ${detail}`}`;
  if (type === null) return [line(`· ${what}${until === null ? "" : `, goes on ${until > now ? ago(until, now) : "now"}`}`, "dim")];
  return [line(`! ${what}`, "warn"), line(`    → ${type}`)];
}

/** The turn that a lane with such a hold waits for. */
function turnOf(lane: RefText, open: readonly Turn[]): Turn | undefined {
  return open.findLast((turn) => turn.lane === lane && (turn.state === "uncertain" || turn.state === "failed"));
}

/** What to type for each reason; what passes by itself needs nothing. */
function remedyOf({ reason }: Hold, turn: Turn | undefined, resume: string): string | null {
  const comment = `comment "${resume}" on it`;
  switch (reason) {
    case "uncertain":
      return turn === undefined ? "`loop turns list --state uncertain`" : `\`loop turns retry ${turn.id}\` goes on with it, \`loop turns drop ${turn.id}\` leaves it`;
    case "failed":
      return turn === undefined ? comment : `\`loop turns retry ${turn.id}\` tries again, or ${comment} to go on without it`;
    case "login":
      return `log in to the harness (\`loop doctor\` checks it), then ${comment}`;
    case "billing":
      return `settle the harness's bill, then ${comment}`;
    case "not-installed":
      return `install the harness or set its command (\`loop doctor\` checks it), then ${comment}`;
    case "workspace":
      return `see \`loop events --type lane.held\`, put it right, then ${comment}`;
    case "budget":
      return `${comment}: the same amount is granted again`;
    case "paused":
    case "loop-breaker":
    case "spawn-refused":
    case "attached":
      return comment;
    case "usage-limit":
    case "backoff":
    case "session-busy":
    case "ending":
    case "releasing":
      return null;
  }
}
