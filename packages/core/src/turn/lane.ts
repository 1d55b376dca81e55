import type { Turn } from "./turn.ts";

/**
 * A lane is the FIFO of one endpoint's turns.
 *
 *     open ──hold──▶ held(reason, until?) ──time, resume, somebody acts──▶ open
 *
 * One turn at a time; the head is the oldest turn that has not ended, and nothing overtakes it.
 */

/**
 * The turn that runs next or runs now; null when nothing waits. `turns` in the order of the lane.
 */
export function headOf(turns: readonly Turn[]): Turn | null {
  return (
    turns.find(
      (turn) => turn.state === "ready" || turn.state === "injecting" || turn.state === "uncertain",
    ) ?? null
  );
}
