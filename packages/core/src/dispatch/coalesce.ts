import type { MergeTurns } from "../ports/lanes.ts";
import { excerptSize } from "./excerpt.ts";
import type { CoalesceSettings } from "./settings.ts";
import type { Turn } from "./turn.ts";

/**
 * Which waiting turns go together (docs/specification.md#queues). `merge` names the turns behind
 * the head that are folded into it, in order and without gaps. A turn waits until its newest event
 * is `quietSeconds` old or its oldest `maxSeconds`, and no longer than it can still grow. Turns
 * that were tried before go alone, as they went: their receipt names their text.
 */
export function mergeTurns(settings: CoalesceSettings): MergeTurns {
  return (waiting, now) => {
    const [head, ...behind] = waiting;
    if (head === undefined) return { kind: "go", merge: [] };
    if (head.notBefore > now) return { kind: "wait", until: head.notBefore };
    if (!untried(head)) return { kind: "go", merge: [] };
    const joining = joiners(head, behind, settings.maxPromptChars, now);
    const full = joining.length < behind.length;
    const until = full ? now : quietAt([head, ...joining], settings, now);
    return until > now
      ? { kind: "wait", until }
      : { kind: "go", merge: joining.map((turn) => turn.id) };
  };
}

/**
 * Turns directly behind the head that fit into it; the first that does not fit ends the row, and so
 * does a control verb between two of them: what people said before and after it must not be told in
 * one breath. What came before the session stood is a spawn by name and belongs to the spawn before
 * it; behind a turn for a standing session a spawn begins anew.
 */
function joiners(
  head: Turn,
  behind: readonly Turn[],
  maxChars: number,
  now: number,
): readonly Turn[] {
  const joining: Turn[] = [];
  let chars = charsOf(head, head.mode === "spawn");
  for (const turn of behind) {
    chars += charsOf(turn, false);
    if (
      steeredBefore(turn) !== steeredBefore(head) ||
      (turn.mode === "spawn" && head.mode !== "spawn") ||
      !untried(turn) ||
      turn.notBefore > now ||
      chars > maxChars
    )
      break;
    joining.push(turn);
  }
  return joining;
}

const steeredBefore = (turn: Turn): string | null => turn.inputs[0]?.steered ?? null;

const untried = (turn: Turn): boolean =>
  turn.attempts === 0 && turn.attempt === null && turn.next === "first";

const charsOf = (turn: Turn, starting: boolean): number =>
  turn.inputs.reduce((sum, input, i) => sum + excerptSize(input, starting && i === 0), 0);

/**
 * When the group may go. An arrival that lies in the future (the clock was set back) does not hold
 * a lane.
 */
function quietAt(turns: readonly Turn[], settings: CoalesceSettings, now: number): number {
  const arrivals = turns.flatMap((turn) => turn.inputs.map((input) => input.receivedAt));
  const newest = Math.max(...arrivals);
  const oldest = Math.min(...arrivals);
  const longest = settings.maxSeconds * 1000;
  const until = Math.min(newest + settings.quietSeconds * 1000, oldest + longest);
  return until - now > Math.max(longest, settings.quietSeconds * 1000) ? now : until;
}
