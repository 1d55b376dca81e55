import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultWords } from "../../src/control/reason-sentences.ts";
import { standingSentences } from "../../src/explain/item-status.ts";
import { issueRef, itemOf, laneOf, pullRef, sessionOf } from "../../src/testing/build-state.ts";
import { emptyItemState, type ItemState } from "../../src/work-item/records.ts";
import { itemStates } from "../decide/arbitraries.ts";

const releasing = laneOf(issueRef, { reason: "releasing", until: null, detail: "" });
const active = [sessionOf()];
const closing = [sessionOf({ status: "closing" })];

describe("how a work item stands", () => {
  it.each<[string, ItemState, string]>([
    ["unknown", emptyItemState, "Nothing is known about it yet."],
    [
      "a session that somebody registered",
      { ...emptyItemState, sessions: active },
      "Nobody started it, but a session was registered for it, which hears what people say.",
    ],
    [
      "idle, with such a session",
      itemOf("idle", { sessions: active }),
      "Nobody started it, but a session was registered for it, which hears what people say.",
    ],
    [
      "idle, armed",
      itemOf("idle"),
      "It carries the label `loop: auto-execute` and nobody has started it: `loop start` begins.",
    ],
    [
      "idle, not armed",
      itemOf("idle", { workItem: { armed: false } }),
      "It does not carry the label `loop: auto-execute`, so nothing works on it.",
    ],
    [
      "idle, its session over",
      itemOf("idle", { sessions: [sessionOf({ status: "closed" })] }),
      "It carries the label `loop: auto-execute` and nobody has started it: `loop start` begins.",
    ],
    [
      "idle, closed",
      itemOf("idle", { workItem: { open: false } }),
      "It is closed, and nobody had started it.",
    ],
    [
      "started",
      itemOf("started", { sessions: active }),
      "It was started by @alice: its session hears what people say.",
    ],
    [
      "started, with two sessions",
      itemOf("started", { sessions: [...active, ...active] }),
      "It was started by @alice: its 2 sessions hear what people say.",
    ],
    [
      "started, before its session",
      itemOf("started", { control: { source: "cli" } }),
      "It was started on the command line: its session has not begun yet.",
    ],
    [
      "started, its session lost",
      itemOf("started", { sessions: [sessionOf({ status: "lost" })] }),
      "It was started by @alice: its session was lost, and the next message begins a new one.",
    ],
    [
      "started again, its session of before over",
      itemOf("started", { sessions: [sessionOf({ status: "closed" })] }),
      "It was started by @alice: its session has not begun yet.",
    ],
    [
      "started, on its way through a graph",
      itemOf("started", {
        sessions: active,
        workItem: { graph: { graph: "feature", node: "design", signals: [] } },
      }),
      "It was started by @alice: its session hears what people say. It is at the node design of its process graph.",
    ],
    [
      "started, its label gone",
      itemOf("started", { sessions: active, workItem: { armed: false } }),
      "It was started by @alice: its session hears what people say. The label `loop: auto-execute` is gone, which stops nothing.",
    ],
    [
      "started, closed by a stranger",
      itemOf("started", { sessions: active, workItem: { open: false, closeDeferred: true } }),
      "It was started by @alice: its session hears what people say. It was closed by somebody who may not end it, so the work goes on.",
    ],
    [
      "started, shown closed",
      itemOf("started", { sessions: active, workItem: { open: false } }),
      "It was started by @alice: its session hears what people say. The code host shows it closed, and nothing has ended the work.",
    ],
    [
      "paused",
      itemOf("paused", { sessions: active, control: { source: "api" } }),
      "It was paused through the API: what comes for it is kept in order and told after `loop resume`.",
    ],
    [
      "paused before a start",
      itemOf("paused", { control: { before: "idle" } }),
      "It was paused by @alice: nobody had started it, and nobody can before `loop resume`.",
    ],
    [
      "paused, shown closed",
      itemOf("paused", { workItem: { open: false } }),
      "It was paused by @alice: what comes for it is kept in order and told after `loop resume`; the code host shows it closed.",
    ],
    [
      "stopped",
      itemOf("stopped", { sessions: [sessionOf({ status: "closed" })] }),
      "It was stopped by @alice: nothing works on it; `loop start` begins anew.",
    ],
    [
      "stopped, not armed",
      itemOf("stopped", { workItem: { armed: false } }),
      "It was stopped by @alice: nothing works on it; the label `loop: auto-execute` and then `loop start` begin anew.",
    ],
    [
      "stopped, closed",
      itemOf("stopped", { workItem: { open: false } }),
      "It was stopped by @alice: nothing works on it, and it is closed.",
    ],
    [
      "stopped, its session ending",
      itemOf("stopped", { sessions: closing }),
      "It was stopped by @alice: its session is ending.",
    ],
    [
      "cleaned up, under way",
      itemOf("stopped", { lanes: [releasing] }),
      "It was stopped by @alice: its checkout is being released.",
    ],
    [
      "cleaned up, under way beside a lane that opened anew",
      itemOf("stopped", { lanes: [releasing, laneOf(pullRef)] }),
      "It was stopped by @alice: its checkout is being released.",
    ],
    [
      "closed",
      itemOf("closed"),
      "It was closed by @alice: its work has ended and nothing works on it.",
    ],
    [
      "closed, under way",
      itemOf("closed", { sessions: closing, lanes: [releasing] }),
      "It was closed by @alice: its session is ending, then its checkout goes.",
    ],
    [
      "closed by nobody that is known",
      itemOf("closed", { control: { requestedBy: null, source: "activity" } }),
      "It was closed: its work has ended and nothing works on it.",
    ],
    [
      "closed, reopened by a stranger",
      itemOf("closed", { workItem: { open: true } }),
      "It was closed and is open again, but nobody who may steer reopened it: nothing works on it before `loop start`.",
    ],
  ])("%s", (_state, item, says) => {
    expect(standingSentences(item, defaultWords).join(" ")).toBe(says);
  });

  it("names keywords and label as configured", () => {
    const words = {
      autoExecuteLabel: "robot",
      keywords: { ...defaultWords.keywords, start: "", resume: "robot on" },
    };
    expect(standingSentences(itemOf("idle"), words)).toEqual([
      "It carries the label `robot` and nobody has started it: `loop sessions start` begins.",
    ]);
    expect(standingSentences(itemOf("paused"), words).join()).toContain("told after `robot on`.");
  });

  it("whatever is on record, it is whole sentences", () => {
    fc.assert(
      fc.property(
        itemStates,
        (item) =>
          void expect(standingSentences(item, defaultWords).join(" ")).toMatch(
            /^[A-Z][^{}]{9,300}\.$/,
          ),
      ),
    );
  });
});
