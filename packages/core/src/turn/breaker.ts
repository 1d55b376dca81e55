import type { Hold } from "../work-item/records.ts";
import type { BreakerSettings } from "../config/turn-settings.ts";
import type { Turn, TurnInput } from "./turn.ts";
import { isHeard } from "./authored-text.ts";

/**
 * Holds a lane that only machines have talked to: `turns` turns within the window without a human
 * event. `begun` are the lane's turns in order, oldest first; `openedAt` is when the breaker's last
 * hold was lifted, so that it holds once and not again at each turn. Milliseconds since 1970.
 */
export function breakerHold(
  begun: readonly Turn[],
  settings: BreakerSettings,
  now: number,
  openedAt: number | null,
): Hold | null {
  const since = Math.max(now - settings.windowMinutes * 60_000, openedAt ?? 0);
  const count = turnsSinceHuman(begun, since);
  if (count < settings.turns) return null;
  return {
    reason: "loop-breaker",
    until: null,
    detail: `${count} turns within ${settings.windowMinutes} minutes without a word of a person`,
  };
}

/** Turns begun after `since` and after the newest turn that carries a human event. */
function turnsSinceHuman(begun: readonly Turn[], since: number): number {
  let count = 0;
  for (const turn of begun.toReversed()) {
    if ((turn.attempt?.startedAt ?? 0) <= since || turn.inputs.some(isHuman)) break;
    count += 1;
  }
  return count;
}

/** Somebody who may speak here did it: no CI event, no bot, nobody else's doing. */
export function isHuman(input: TurnInput): boolean {
  return (
    isHeard(input.authority) &&
    input.event.kind !== "ci" &&
    input.event.actor !== null &&
    !input.event.actor.bot
  );
}
