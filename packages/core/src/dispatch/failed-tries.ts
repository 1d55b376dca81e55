import type { EventLine } from "../audit/event-kinds.ts";

/**
 * Tries of a turn that failed by themselves so far. Crashes of ours and sleeps at a usage limit are
 * attempts too, and do not count; nor does what was before a person's `loop turns retry`. `lines`
 * are the `turn.retried` lines of the work item, newest first.
 */
export function failedTries(turn: number, lines: readonly EventLine[]): number {
  const own = lines.filter((line) => line.fields["turn"] === turn);
  const byPerson = own.findIndex((line) => line.fields["counted"] === undefined);
  return (byPerson === -1 ? own : own.slice(0, byPerson)).filter(
    (line) => line.fields["counted"] === true,
  ).length;
}
