import { describe, expect, test } from "vitest";
import {
  afterGate,
  endedAs,
  lackOf,
  maxReminders,
  remindersOf,
  unfinishedPrompt,
} from "../../src/turn/after-work-gate.ts";
import { say } from "../../src/message/message.ts";
import { formatPost } from "../../src/message/post.ts";
import type { NextStep } from "../../src/turn/next.ts";

const line = {
  kind: "turn.done",
  level: "info",
  reason: null,
  fields: { usd: 1, minutes: 2, attempts: 1 },
} as const;
const done: NextStep = {
  turn: { state: "done", next: "first", notBefore: 0, note: null },
  hold: null,
  harnessHold: null,
  newSession: false,
  sessionBegun: true,
  spend: { usd: 1, minutes: 2 },
  notice: null,
  lines: [line],
};
const denied = {
  kind: "turn.denied-tools",
  level: "warn",
  reason: "Bash",
  fields: { input: "curl" },
} as const;
const incomplete = {
  kind: "incomplete",
  missing: ["design.md has no heading Risks", "no pull request is recorded."],
} as const;

describe("after a turn that the harness ended", () => {
  test("complete work: it is done, as it was", () => {
    expect(afterGate(done, { kind: "complete" }, 0)).toEqual(done);
  });

  test("what nobody could look at: it is done, and the log says why", () => {
    const next = afterGate(done, { kind: "unknown", why: "no graph" }, 0);
    expect(next).toMatchObject({
      turn: done.turn,
      lines: [
        line,
        {
          kind: "daemon.warning",
          level: "warn",
          reason: "gate-unknown",
          fields: { detail: "no graph" },
        },
      ],
    });
  });

  test("work that is missing: the turn goes on under a new receipt with what is missing, and costs what it cost", () => {
    const next = afterGate(done, incomplete, 0);
    expect(next.turn).toEqual({
      state: "ready",
      next: "continue",
      notBefore: 0,
      note: "the work is not complete: design.md has no heading Risks; no pull request is recorded",
    });
    expect(lackOf(next.turn)).toBe("design.md has no heading Risks; no pull request is recorded");
    expect(endedAs(next)).toBe("done");
    expect(next).toMatchObject({
      spend: { usd: 1, minutes: 2 },
      hold: null,
      notice: null,
      lines: [
        {
          kind: "turn.retried",
          level: "info",
          fields: { next: "continue", reminder: true, reminders: 1, counted: false },
        },
      ],
    });
  });

  test("what was denied is told although the turn goes on", () => {
    expect(
      afterGate({ ...done, notice: say`denied`, lines: [line, denied] }, incomplete, 0),
    ).toMatchObject({ notice: say`denied`, lines: [denied, { kind: "turn.retried" }] });
  });

  test("reminded often enough: it is done, and the thread is told what is missing", () => {
    expect(afterGate(done, incomplete, maxReminders - 1).turn.state).toBe("ready");
    const next = afterGate(done, incomplete, maxReminders);
    expect(next.turn).toEqual(done.turn);
    expect(next.notice && formatPost(next.notice)).toContain("design.md has no heading Risks");
    expect(next.notice && formatPost(next.notice)).toContain("ended its turn 6 times");
    expect(next.lines[0]).toMatchObject({
      kind: "turn.done",
      level: "warn",
      reason: expect.stringContaining("not complete"),
    });
  });

  test("where nobody may remind, it is done at once, and the thread is told", () => {
    const { turn, notice } = afterGate(done, incomplete, 0, 0);
    expect([turn, notice && formatPost(notice)]).toEqual([
      done.turn,
      expect.stringMatching(/^The session ended its turn while its work was not complete/),
    ]);
  });

  test("what was denied is told before what is missing, and stays on record as it was", () => {
    const next = afterGate(
      { ...done, notice: say`denied`, lines: [line, denied] },
      incomplete,
      maxReminders,
    );
    expect(next.notice && formatPost(next.notice)).toMatch(
      /^denied\n\nThe session ended its turn 6 times .*design\.md has no heading Risks/,
    );
    expect(next.lines).toMatchObject([{ kind: "turn.done", level: "warn" }, denied]);
  });

  test("a long list is cut, and hidden characters in it are shown", () => {
    const next = afterGate(
      done,
      {
        kind: "incomplete",
        missing: ["a\u202eb", ...Array.from({ length: 20 }, (_, n) => `part ${n}`)],
      },
      0,
    );
    expect(next.turn.note).toContain("and 11 more");
    expect(next.turn.note).not.toContain("\u202e");
  });
});

test("a turn that is ready for another reason lacks nothing", () => {
  expect(
    lackOf({
      state: "ready",
      next: "continue",
      note: "the session was interrupted after it had begun to act",
    }),
  ).toBe(null);
  expect(lackOf({ state: "ready", next: "first", note: null })).toBe(null);
  expect(lackOf({ state: "ready", next: "continue", note: null })).toBe(null);
  expect(
    endedAs({
      turn: { state: "ready", next: "continue", notBefore: 0, note: "the model was overloaded" },
    }),
  ).toBe(null);
  expect(endedAs({ turn: { state: "failed", next: "continue", notBefore: 0, note: "x" } })).toBe(
    "failed",
  );
});

test("a message that goes again goes in the same words, whatever a harness complained of", () => {
  expect(
    lackOf({
      state: "ready",
      next: "again",
      note: "the work is not complete: its program is missing",
    }),
  ).toBe(null);
});

test("a turn that came to its own end is one of the harness, which costs", () => {
  expect(endedAs(done)).toBe("done");
});

test("a session that ends its turn too early is told what is missing, how to look again, and how to ask", () => {
  for (const told of [
    '["design.md has no heading Risks","no pull request is recorded"]',
    "`loop check`",
    "`loop ask`",
  ])
    expect(unfinishedPrompt(incomplete.missing, "a1b2c3d4e5f6a7b8")).toContain(told);
});

test("reminders are counted for one turn, and other retries are none", () => {
  const retried = (turn: number, reminder: boolean) => ({
    time: 1,
    kind: "turn.retried" as const,
    level: "info" as const,
    instance: "default",
    workItem: null,
    delivery: null,
    reason: null,
    fields: reminder ? { turn, reminder } : { turn },
  });
  expect(
    remindersOf(7, [retried(7, true), retried(7, false), retried(8, true), retried(7, true)]),
  ).toBe(2);
});
