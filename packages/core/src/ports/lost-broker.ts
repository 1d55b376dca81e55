import { LoopError } from "./loop-error.ts";
import type { ChildEnd } from "./run-process.ts";

/**
 * Whether nobody knows what came of a question, as the process that was asked ended meanwhile
 * (`LOOP_E_BROKER`). That is no answer: it is asked again.
 */
export function isBrokerLost(error: unknown): boolean {
  return error instanceof LoopError && error.code === "LOOP_E_BROKER";
}

/**
 * The end of a child that we started ourselves. Throws `LOOP_E_BROKER` where nobody saw it, which
 * says nothing about the program; an adopted child's end is always so.
 */
export function knownEnd(end: ChildEnd): ChildEnd {
  if (end.code !== null || end.signal !== null || end.stopped !== null) return end;
  throw new LoopError(
    "LOOP_E_BROKER",
    "the process that starts children ended before it said how one ended",
    "nothing to do: another is started, and the work is taken up again",
  );
}
