import type {
  Attempt,
  AttemptKind,
  Hold,
  Settled,
  Turn,
  TurnInput,
  TurnState,
} from "@loopwork/core/ports";

/** What changes of a turn over its life; all else is fixed when it is queued. */
export type TurnProgress = Pick<
  Turn,
  "state" | "attempt" | "attempts" | "notBefore" | "next" | "note"
>;

export const queued: TurnProgress = {
  state: "ready",
  attempt: null,
  attempts: 0,
  notBefore: 0,
  next: "first",
  note: null,
};

/**
 * The turn once an attempt is written; null when it is in no state for one, or its lane was held
 * since it was taken. The same attempt again only adds its child.
 */
export function begun(
  turn: TurnProgress,
  attempt: Attempt,
  hold: Hold | null,
): TurnProgress | null {
  if (turn.state !== "ready" && turn.state !== "injecting") return null;
  const known =
    turn.state === "injecting" &&
    turn.attempt?.receipt === attempt.receipt &&
    turn.attempt.startedAt === attempt.startedAt;
  if (hold !== null && !known) return null;
  return { ...turn, state: "injecting", attempt, attempts: turn.attempts + (known ? 0 : 1) };
}

/** The turn once its attempt ended; null when it was dropped meanwhile. */
export function settled(turn: TurnProgress, end: Settled): TurnProgress | null {
  if (turn.state !== "ready" && turn.state !== "injecting") return null;
  const again: { next: AttemptKind; notBefore: number } =
    end.state === "ready"
      ? { next: end.next, notBefore: end.notBefore }
      : { next: turn.next, notBefore: turn.notBefore };
  return { ...turn, ...again, state: end.state, note: end.note };
}

/**
 * The turn once a person decided about it, told to look before it acts where an attempt may have
 * done something; null when there is nothing to decide.
 */
export function resolved(
  turn: TurnProgress,
  how: "retry" | "drop",
  note: string,
): TurnProgress | null {
  const stuck = turn.state === "uncertain" || turn.state === "failed";
  if (how === "retry")
    return stuck
      ? {
          ...turn,
          state: "ready",
          attempts: 0,
          notBefore: 0,
          next: turn.attempt === null ? "first" : "continue",
          note,
        }
      : null;
  return stuck || turn.state === "ready" ? { ...turn, state: "dropped", note } : null;
}

/** The hold of the lane after a person decided about a turn that was in `state`. */
export function holdAfterResolve(
  hold: Hold | null,
  state: TurnState,
  uncertainLeft: boolean,
): Hold | null {
  if (hold?.reason === "uncertain" && !uncertainLeft) return null;
  return hold?.reason === "failed" && state !== "ready" ? null : hold;
}

/** Why a turn was dropped, as its note says it. */
export function dropNote(why: "stopped" | "cleaned-up" | "closed"): string {
  return {
    stopped: "dropped: the session was stopped",
    "cleaned-up": "dropped: the work item was cleaned up",
    closed: "dropped: it was closed on the code host",
  }[why];
}

/** Inputs of the head and of the turns that are folded into it, in the order of the log. */
export function mergedInputs(turns: readonly Turn[]): readonly TurnInput[] {
  return turns.flatMap((turn) => turn.inputs).toSorted((one, other) => one.seq - other.seq);
}
