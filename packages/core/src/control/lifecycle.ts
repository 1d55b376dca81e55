import type { ControlRecord } from "../work-item/records.ts";
import { type Condition, type Move, rowsOf, type Transition } from "./transitions.ts";

/**
 * The life of a work item, as people steer it (docs/specification.md#lifecycle). This is the prose;
 * the table is transitions.ts.
 *
 *     idle ──start──▶ started ──stop, cleanup──▶ stopped ──start──▶ started
 *       │               │  ▲                        │
 *       └──pause──┐  pause resume             pause ┘      close: from anywhere to closed
 *                 ▼     ▼  │                                reopen: closed, back to what it was
 *                      paused ──resume──▶ what it was before the pause
 *
 * - `idle`: nobody asked for anything; the label alone arms, it does not start.
 * - `started`: input of authorized users and collaborators reaches the session. A start needs the
 *   label on the item and the
 *   item open, and leaves nothing behind where it is refused: labelling later starts nothing.
 * - `paused`: lanes are held. What arrives waits in order. A start is refused, because `resume` is
 *   the way on.
 * - `stopped`: the start is withdrawn. The label may stay; a later start opens a new session in the
 *   kept checkout.
 * - `closed`: the item ended. Reopening leads back to what it was. Where the host shows it as open
 *   although nobody authorized
 *   reopened it, it moves as an idle one does.
 *
 * Closing counts when somebody authorized did it; anybody else's is deferred, leaves the status and
 * waits for a `cleanup`. On an item that has neither a request nor a session there is nothing to
 * end.
 *
 * pause, stop and cleanup are always on record, also before any start, and also where the host
 * shows the item as closed but its closing was deferred: the session is still at work then. Whoever
 * pauses or stops an armed item keeps it from being taken. Only what ended cannot be paused.
 * cleanup is legal even there, and it is the remedy for a deferred closing.
 */

/** What a move depends on beside the status. */
export type Situation = {
  readonly control: ControlRecord;
  /** The host shows the item as open. */
  readonly open: boolean;
  /** The auto-execute label is on it. */
  readonly armed: boolean;
  /** More than a branch name says that the item is meant. */
  readonly confirmed: boolean;
  /** `routing.spawnOnUnmatched` lets sessions be spawned. */
  readonly spawning: boolean;
  /**
   * `held`: a lane waits for a reason that `resume` may lift; `uncertain`: lanes wait only for
   * reasons that it may not.
   */
  readonly lanes: "open" | "held" | "uncertain";
  /** A session is on record, whatever its state. */
  readonly sessions: boolean;
};

/**
 * Where a move leads from a situation, or why it does not: the first row of the table that fits.
 */
export function stepOf(move: Move, situation: Situation): Transition {
  const row = rowsOf(move, situation.control.status).find(({ when }) => holds(when, situation));
  if (row === undefined)
    throw new Error(
      `No row for ${move} from ${situation.control.status}: the last one of a cell holds always`,
    );
  return row;
}

/** Whether the condition of a row holds in the situation. */
function holds(
  when: Condition,
  { control, open, armed, confirmed, spawning, lanes, sessions }: Situation,
): boolean {
  switch (when) {
    case "shown-closed":
      return !open;
    case "unarmed":
      return !armed;
    case "unconfirmed":
      return !confirmed;
    case "spawning-off":
      return !spawning;
    case "lanes-held":
      return lanes === "held";
    case "lanes-uncertain":
      return lanes === "uncertain";
    case "no-session":
      return !sessions;
    case "was-started":
    case "was-paused":
    case "was-stopped":
      return control.before === before[when];
    case "always":
      return true;
  }
}

const before = {
  "was-started": "started",
  "was-paused": "paused",
  "was-stopped": "stopped",
} as const;
