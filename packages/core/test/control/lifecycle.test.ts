import { describe, expect, it } from "vitest";
import { type Situation, stepOf } from "../../src/control/lifecycle.ts";
import { type Move, transitions } from "../../src/control/transitions.ts";
import { type ControlStatus, idleControl } from "../../src/work-item/records.ts";

const situation = (
  status: ControlStatus,
  over: Partial<Situation> & { readonly before?: ControlStatus } = {},
): Situation => {
  const { before = null, ...rest } = over;
  return {
    control: { ...idleControl, status, before },
    open: status !== "closed",
    armed: true,
    confirmed: true,
    spawning: true,
    lanes: "open",
    sessions: true,
    ...rest,
  };
};

/** The status a move leads to, or the reason why it does not, in brackets. */
const lead = (move: Move, given: Situation): string => {
  const step = stepOf(move, given);
  return step.to ?? `(${step.why})`;
};

const statuses = ["idle", "started", "paused", "stopped", "closed"] as const;

/** Every move from every status of an armed item, with nothing held. */
const table: Readonly<
  Record<
    Move,
    readonly [idle: string, started: string, paused: string, stopped: string, closed: string]
  >
> = {
  start: ["started", "(already-started)", "(paused-use-resume)", "started", "(item-closed)"],
  pause: ["paused", "paused", "paused", "paused", "(item-closed)"],
  resume: ["(not-running)", "(not-paused)", "started", "(not-running)", "(item-closed)"],
  stop: ["stopped", "stopped", "stopped", "stopped", "closed"],
  cleanup: ["stopped", "stopped", "stopped", "stopped", "closed"],
  close: ["closed", "closed", "closed", "closed", "(close-without-session)"],
  defer: ["idle", "started", "paused", "stopped", "(close-without-session)"],
  reopen: [
    "(nothing-to-tell)",
    "(nothing-to-tell)",
    "(nothing-to-tell)",
    "(nothing-to-tell)",
    "started",
  ],
};

describe("the lifecycle of a work item", () => {
  const rows = Object.entries(table).flatMap(([move, cells]) =>
    statuses.map((status, n) => ({ move: move as Move, status, leads: cells[n] })),
  );
  it.each(rows)("$move from $status leads to $leads", ({ move, status, leads }) => {
    expect(lead(move, situation(status, { before: "started" }))).toBe(leads);
  });

  it.each([
    ["an unlabelled item", { armed: false }, "(not-armed)"],
    ["a closed one, labelled or not", { open: false, armed: false }, "(item-closed)"],
    ["one that only a branch name points to", { confirmed: false }, "(link-unconfirmed)"],
    ["one where spawning is switched off", { spawning: false }, "(spawning-disabled)"],
  ])("start is refused on %s", (_what, over, leads) => {
    expect([
      lead("start", situation("idle", over)),
      lead("start", situation("stopped", over)),
    ]).toEqual([leads, leads]);
  });

  it.each(["idle", "started", "stopped"] as const)(
    "resume leads back to what was paused: %s",
    (before) => {
      expect(lead("resume", situation("paused", { before }))).toBe(before);
    },
  );

  it("resume of a started item lifts holds, and says why it cannot", () => {
    expect(lead("resume", situation("started", { lanes: "held" }))).toBe("started");
    expect(lead("resume", situation("started", { lanes: "uncertain" }))).toBe("(lane-uncertain)");
  });

  it("reopening leads back to what was closed, and to no start that nobody asked for", () => {
    expect(
      (["idle", "started", "paused", "stopped"] as const).map((before) =>
        lead("reopen", situation("closed", { before })),
      ),
    ).toEqual(["idle", "started", "paused", "stopped"]);
    expect(lead("reopen", situation("closed"))).toBe("idle");
  });

  it("an item that the host shows as open again may be started, paused and stopped", () => {
    const open = situation("closed", { open: true });
    expect(
      (["start", "pause", "stop", "cleanup", "resume", "close"] as const).map((move) =>
        lead(move, open),
      ),
    ).toEqual([
      "started",
      "paused",
      "stopped",
      "stopped",
      "(not-running)",
      "(close-without-session)",
    ]);
  });

  it("closing what has neither a request nor a session ends nothing", () => {
    expect(
      (["close", "defer"] as const).map((move) =>
        lead(move, situation("idle", { sessions: false })),
      ),
    ).toEqual(["(close-without-session)", "(close-without-session)"]);
  });

  it("pause is recorded also where the host shows the item as closed, and only what ended is not paused", () => {
    expect(statuses.map((status) => lead("pause", situation(status, { open: false })))).toEqual([
      "paused",
      "paused",
      "paused",
      "paused",
      "(item-closed)",
    ]);
  });
});

describe("the table", () => {
  const each = <T>(...values: readonly T[]): readonly T[] => values;
  const situations: readonly Situation[] = statuses.flatMap((status) =>
    each(null, ...statuses).flatMap((before) =>
      each(true, false).flatMap((open) =>
        each(true, false).flatMap((armed) =>
          each(true, false).flatMap((confirmed) =>
            each(true, false).flatMap((spawning) =>
              each("open" as const, "held" as const, "uncertain" as const).flatMap((lanes) =>
                each(true, false).map((sessions) => ({
                  control: { ...idleControl, status, before },
                  open,
                  armed,
                  confirmed,
                  spawning,
                  lanes,
                  sessions,
                })),
              ),
            ),
          ),
        ),
      ),
    ),
  );
  const moves = Object.keys(table) as Move[];

  it("answers every move in every situation, and every row is the answer to one", () => {
    const reached = new Set(
      situations.flatMap((given) => moves.map((move) => stepOf(move, given).id)),
    );
    expect(reached).toEqual(new Set(transitions.map(({ id }) => id)));
    expect(situations.length * moves.length).toBe(23_040);
  });

  it("leads only a start, a resume or a reopening to `started`, and only a start to it from a status in which nobody works", () => {
    const starts = transitions.filter(({ to, move }) => to === "started" && move !== "defer");
    expect(new Set(starts.map(({ move }) => move))).toEqual(new Set(["start", "resume", "reopen"]));
    expect(
      new Set(
        starts.filter(({ from }) => from === "idle" || from === "stopped").map(({ move }) => move),
      ),
    ).toEqual(new Set(["start"]));
  });
});
