import type { Reason } from "../decide/reason.ts";
import type { ControlRecord, ControlStatus } from "../work-item/records.ts";

/**
 * The life of a work item, as people steer it (service.md 3.1, decisions.md 5).
 *
 *     idle ──start──▶ started ──stop, cleanup──▶ stopped ──start──▶ started
 *       │               │  ▲                        │
 *       └──pause──┐  pause resume             pause ┘      close: from anywhere to closed
 *                 ▼     ▼  │                                reopen: closed, back to what it was
 *                      paused ──resume──▶ what it was before the pause
 *
 * - `idle`: nobody asked for anything; the label alone arms, it does not start.
 * - `started`: input of authorized users and collaborators reaches the session. A start needs the label on the item and the
 *   item open, and leaves nothing behind where it is refused: labelling later starts nothing.
 * - `paused`: lanes are held. What arrives waits in order. A start is refused, because `resume` is the way on.
 * - `stopped`: the start is withdrawn. The label may stay; a later start opens a new session in the kept checkout.
 * - `closed`: the item ended. Only reopening it, or a start on an item that the host shows as open, leads on.
 *
 * pause, stop and cleanup are legal wherever the item is open, so that they are always on record, also before any start:
 * whoever pauses or stops an armed item keeps it from being taken. cleanup is legal even on what is closed, because it is the remedy
 * for a closing that was deferred.
 */
export type Move = "start" | "stop" | "pause" | "resume" | "cleanup" | "close" | "reopen";

/** What a move depends on beside the status. */
export type Situation = {
  readonly control: ControlRecord;
  /** The host shows the item as open. */
  readonly open: boolean;
  /** The auto-execute label is on it. */
  readonly armed: boolean;
  /** More than a branch name says that the item is meant (decisions.md 5, Work item of an event). */
  readonly confirmed: boolean;
  /** `routing.spawnOnUnmatched` lets sessions be spawned. */
  readonly spawning: boolean;
  /** `held`: a lane waits for a reason that `resume` may lift; `uncertain`: lanes wait only for reasons that it may not. */
  readonly lanes: "open" | "held" | "uncertain";
};

/** A legal move leads to a status, an illegal one has a reason; nothing else differs. */
export type Step = { readonly legal: true; readonly to: ControlStatus } | { readonly legal: false; readonly why: Reason };

/** Where a move leads from a situation, or why it does not. */
export function stepOf(move: Move, situation: Situation): Step {
  const { control, open } = situation;
  const cell = moves[move][control.status === "closed" && open && move !== "reopen" && move !== "close" ? "idle" : control.status];
  switch (cell) {
    case "start":
      return startOf(situation);
    case "resume":
      return resumeOf(situation);
    case "pause":
      return open ? legal("paused") : illegal("item-closed");
    case "reopen":
      return legal(reopenedTo(control.before));
    default:
      return isStatus(cell) ? legal(cell) : illegal(cell);
  }
}

type Cell = ControlStatus | "start" | "resume" | "pause" | "reopen" | Reason;

/** Every move from every status: where it leads, the rule that decides, or why it is refused. */
const moves: Readonly<Record<Move, Readonly<Record<ControlStatus, Cell>>>> = {
  start: { idle: "start", started: "already-started", paused: "paused-use-resume", stopped: "start", closed: "item-closed" },
  pause: { idle: "pause", started: "pause", paused: "pause", stopped: "pause", closed: "item-closed" },
  resume: { idle: "not-running", started: "resume", paused: "resume", stopped: "not-running", closed: "item-closed" },
  stop: { idle: "stopped", started: "stopped", paused: "stopped", stopped: "stopped", closed: "closed" },
  cleanup: { idle: "stopped", started: "stopped", paused: "stopped", stopped: "stopped", closed: "closed" },
  close: { idle: "closed", started: "closed", paused: "closed", stopped: "closed", closed: "close-without-session" },
  reopen: { idle: "nothing-to-tell", started: "nothing-to-tell", paused: "nothing-to-tell", stopped: "nothing-to-tell", closed: "reopen" },
};

/** A start needs an open, labelled item that is surely the one, and that spawning is not switched off. */
function startOf({ open, armed, confirmed, spawning }: Situation): Step {
  if (!open) return illegal("item-closed");
  if (!armed) return illegal("not-armed");
  if (!confirmed) return illegal("link-unconfirmed");
  return spawning ? legal("started") : illegal("spawning-disabled");
}

/** Resume ends a pause, and lifts holds of a started item. A turn whose end nobody knows needs a decision first. */
function resumeOf({ control, lanes }: Situation): Step {
  if (control.status === "paused") return legal(control.before ?? "idle");
  if (lanes === "held") return legal("started");
  return illegal(lanes === "uncertain" ? "lane-uncertain" : "not-paused");
}

/** An item that is open again is what it was, except that what was stopped or closed needs a new start. */
function reopenedTo(before: ControlStatus | null): ControlStatus {
  return before === null || before === "closed" ? "idle" : before;
}

function isStatus(cell: ControlStatus | Reason): cell is ControlStatus {
  return cell === "idle" || cell === "started" || cell === "paused" || cell === "stopped" || cell === "closed";
}

function legal(to: ControlStatus): Step {
  return { legal: true, to };
}

function illegal(why: Reason): Step {
  return { legal: false, why };
}
