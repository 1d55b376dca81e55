import type { Effect } from "../decide/effect.ts";
import type { Reason } from "../decide/reason.ts";
import type { ControlStatus } from "../work-item/records.ts";

/**
 * The lifecycle of a work item as data: every move from every status, the prose to which is in
 * lifecycle.ts. Of the rows of one move from one status the first whose condition holds is the one
 * that counts, and the last holds always, so that no situation is without an answer.
 */
export type Transition = {
  /** `move/from/when`, by which tests name what they cover. */
  readonly id: string;
  readonly move: Move;
  readonly from: ControlStatus;
  readonly when: Condition;
} & Outcome;

/** A legal move leads to a status; an illegal one has a reason, and leaves everything as it was. */
export type Outcome =
  | { readonly to: ControlStatus; readonly why: null }
  | { readonly to: null; readonly why: Reason };

/**
 * The five keywords that move an item, its closing by somebody authorized, by anybody else
 * (`defer`), and its reopening.
 */
export type Move = "start" | "pause" | "resume" | "stop" | "cleanup" | "close" | "defer" | "reopen";

/**
 * What a row asks of the situation beside the status. `shown-closed`: the host shows the item as
 * closed.
 */
export type Condition =
  | "shown-closed"
  | "unarmed"
  | "unconfirmed"
  | "spawning-off"
  | "lanes-held"
  | "lanes-uncertain"
  | "no-session"
  | "was-started"
  | "was-paused"
  | "was-stopped"
  | "always";

type Row = readonly [Condition, ControlStatus | Illegal];
type Illegal = { readonly why: Reason };

const no = (why: Reason): Illegal => ({ why });
const always = (end: ControlStatus | Illegal): readonly Row[] => [["always", end]];

const start: readonly Row[] = [
  ["shown-closed", no("item-closed")],
  ["unarmed", no("not-armed")],
  ["unconfirmed", no("link-unconfirmed")],
  ["spawning-off", no("spawning-disabled")],
  ["always", "started"],
];
const pauseOfClosed: readonly Row[] = [
  ["shown-closed", no("item-closed")],
  ["always", "paused"],
];
const end: readonly Row[] = [
  ["shown-closed", "closed"],
  ["always", "stopped"],
];
const resumeOfPaused: readonly Row[] = [
  ["was-started", "started"],
  ["was-stopped", "stopped"],
  ["always", "idle"],
];
const resumeOfStarted: readonly Row[] = [
  ["lanes-held", "started"],
  ["lanes-uncertain", no("lane-uncertain")],
  ["always", no("not-paused")],
];
const reopen: readonly Row[] = [
  ["was-started", "started"],
  ["was-paused", "paused"],
  ["was-stopped", "stopped"],
  ["always", "idle"],
];
const closeOfIdle = (to: ControlStatus): readonly Row[] => [
  ["no-session", no("close-without-session")],
  ["always", to],
];

/** An item that was closed and that the host shows as open again moves as an idle one does. */
const moves: Readonly<Record<Move, Readonly<Record<ControlStatus, readonly Row[]>>>> = {
  start: {
    idle: start,
    started: always(no("already-started")),
    paused: always(no("paused-use-resume")),
    stopped: start,
    closed: start,
  },
  pause: {
    idle: always("paused"),
    started: always("paused"),
    paused: always("paused"),
    stopped: always("paused"),
    closed: pauseOfClosed,
  },
  resume: {
    idle: always(no("not-running")),
    started: resumeOfStarted,
    paused: resumeOfPaused,
    stopped: always(no("not-running")),
    closed: [
      ["shown-closed", no("item-closed")],
      ["always", no("not-running")],
    ],
  },
  stop: {
    idle: always("stopped"),
    started: always("stopped"),
    paused: always("stopped"),
    stopped: always("stopped"),
    closed: end,
  },
  cleanup: {
    idle: always("stopped"),
    started: always("stopped"),
    paused: always("stopped"),
    stopped: always("stopped"),
    closed: end,
  },
  close: {
    idle: closeOfIdle("closed"),
    started: always("closed"),
    paused: always("closed"),
    stopped: always("closed"),
    closed: always(no("close-without-session")),
  },
  defer: {
    idle: closeOfIdle("idle"),
    started: always("started"),
    paused: always("paused"),
    stopped: always("stopped"),
    closed: always(no("close-without-session")),
  },
  reopen: {
    idle: always(no("nothing-to-tell")),
    started: always(no("nothing-to-tell")),
    paused: always(no("nothing-to-tell")),
    stopped: always(no("nothing-to-tell")),
    closed: reopen,
  },
};

const names: readonly Move[] = [
  "start",
  "pause",
  "resume",
  "stop",
  "cleanup",
  "close",
  "defer",
  "reopen",
];
const statuses: readonly ControlStatus[] = ["idle", "started", "paused", "stopped", "closed"];

/** Every row of the table. */
export const transitions: readonly Transition[] = names.flatMap((move) =>
  statuses.flatMap((from) => moves[move][from].map(([when, end]) => rowOf(move, from, when, end))),
);

/** The rows of one move from one status, in the order in which they are asked. */
export function rowsOf(move: Move, from: ControlStatus): readonly Transition[] {
  return cells.get(move)?.get(from) ?? [];
}

const cells: ReadonlyMap<Move, ReadonlyMap<ControlStatus, readonly Transition[]>> = new Map(
  names.map((move) => [
    move,
    Map.groupBy(
      transitions.filter((row) => row.move === move),
      ({ from }) => from,
    ),
  ]),
);

/**
 * What a legal move causes beside the new status; each of `drop-turns` and `end-session` once for
 * every endpoint of the item.
 */
export const consequences: Readonly<Record<Move, readonly Effect["kind"][]>> = {
  start: ["turn"],
  pause: [],
  resume: [],
  stop: ["drop-turns", "end-session"],
  cleanup: ["drop-turns", "end-session", "release"],
  close: ["drop-turns", "end-session", "release"],
  defer: [],
  reopen: [],
};

function rowOf(
  move: Move,
  from: ControlStatus,
  when: Condition,
  end: ControlStatus | Illegal,
): Transition {
  const id = `${move}/${from}/${when}`;
  return typeof end === "string"
    ? { id, move, from, when, to: end, why: null }
    : { id, move, from, when, to: null, why: end.why };
}
