import { describe, expect, it } from "vitest";
import { type Move, type Situation, stepOf } from "../../src/control/lifecycle.ts";
import { type ControlStatus, idleControl } from "../../src/work-item/records.ts";

const situation = (status: ControlStatus, over: Partial<Situation> & { readonly before?: ControlStatus } = {}): Situation => {
  const { before = null, ...rest } = over;
  return { control: { ...idleControl, status, before }, open: status !== "closed", armed: true, confirmed: true, spawning: true, lanes: "open", ...rest };
};

/** The status a move leads to, or the reason why it does not, in brackets. */
const lead = (move: Move, given: Situation): string => {
  const step = stepOf(move, given);
  return step.legal ? step.to : `(${step.why})`;
};

const statuses = ["idle", "started", "paused", "stopped", "closed"] as const;

/** Every move from every status of an armed item, with nothing held. */
const table: Readonly<Record<Move, readonly [idle: string, started: string, paused: string, stopped: string, closed: string]>> = {
  start: ["started", "(already-started)", "(paused-use-resume)", "started", "(item-closed)"],
  pause: ["paused", "paused", "paused", "paused", "(item-closed)"],
  resume: ["(not-running)", "(not-paused)", "started", "(not-running)", "(item-closed)"],
  stop: ["stopped", "stopped", "stopped", "stopped", "closed"],
  cleanup: ["stopped", "stopped", "stopped", "stopped", "closed"],
  close: ["closed", "closed", "closed", "closed", "(close-without-session)"],
  reopen: ["(nothing-to-tell)", "(nothing-to-tell)", "(nothing-to-tell)", "(nothing-to-tell)", "started"],
};

describe("the lifecycle of a work item (service.md 3.1)", () => {
  const rows = Object.entries(table).flatMap(([move, cells]) => statuses.map((status, n) => ({ move: move as Move, status, leads: cells[n] })));
  it.each(rows)("$move from $status leads to $leads", ({ move, status, leads }) => {
    expect(lead(move, situation(status, { before: "started" }))).toBe(leads);
  });

  it.each([
    ["an unlabelled item", { armed: false }, "(not-armed)"],
    ["a closed one, labelled or not", { open: false, armed: false }, "(item-closed)"],
    ["one that only a branch name points to", { confirmed: false }, "(link-unconfirmed)"],
    ["one where spawning is switched off", { spawning: false }, "(spawning-disabled)"],
  ])("start is refused on %s", (_what, over, leads) => {
    expect([lead("start", situation("idle", over)), lead("start", situation("stopped", over))]).toEqual([leads, leads]);
  });

  it.each(["idle", "started", "stopped"] as const)("resume leads back to what was paused: %s", (before) => {
    expect(lead("resume", situation("paused", { before }))).toBe(before);
  });

  it("resume of a started item lifts holds, and says why it cannot", () => {
    expect(lead("resume", situation("started", { lanes: "held" }))).toBe("started");
    expect(lead("resume", situation("started", { lanes: "uncertain" }))).toBe("(lane-uncertain)");
  });

  it("reopening leads back to what was closed, and to no start that nobody asked for", () => {
    expect((["idle", "started", "paused", "stopped"] as const).map((before) => lead("reopen", situation("closed", { before })))).toEqual(["idle", "started", "paused", "stopped"]);
    expect(lead("reopen", situation("closed"))).toBe("idle");
  });

  it("an item that the host shows as open again may be started, paused and stopped", () => {
    const open = situation("closed", { open: true });
    expect((["start", "pause", "stop", "cleanup", "resume", "close"] as const).map((move) => lead(move, open))).toEqual(["started", "paused", "stopped", "stopped", "(not-running)", "(close-without-session)"]);
  });

  it("pausing needs an open item", () => {
    expect(lead("pause", situation("started", { open: false }))).toBe("(item-closed)");
  });
});
