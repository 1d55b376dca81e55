import { describe, expect, test } from "vitest";
import { breakerHold, isHuman } from "../../src/turn/breaker.ts";
import { budgetHold, withInFlight } from "../../src/turn/budget.ts";
import { headOf } from "../../src/turn/lane.ts";
import { isOpen, resumeOpens, strongerHold } from "../../src/work-item/hold.ts";
import type { Turn } from "../../src/turn/turn.ts";
import type { InboundEvent } from "../../src/event/event.ts";
import type { Hold, HoldReason } from "../../src/work-item/records.ts";
import { alice, attempt, ci, comment, input, now, said, turn } from "./build.ts";

const hold = (reason: HoldReason, until: number | null = null): Hold => ({
  reason,
  until,
  detail: "",
});

describe("lanes", () => {
  test("a lane is open without a hold and once the hold's time is over", () => {
    expect(
      [null, hold("backoff", now), hold("backoff", now + 1), hold("paused")].map((h) =>
        isOpen(h, now),
      ),
    ).toEqual([true, true, false, false]);
  });

  test("resume opens any held lane except what waits for a verdict or a release", () => {
    const reasons: readonly HoldReason[] = [
      "paused",
      "uncertain",
      "loop-breaker",
      "budget",
      "usage-limit",
      "backoff",
      "login",
      "billing",
      "session-busy",
      "attached",
      "failed",
      "workspace",
      "spawn-refused",
      "ending",
      "releasing",
    ];
    expect(reasons.filter((reason) => !resumeOpens(hold(reason)))).toEqual([
      "uncertain",
      "ending",
      "releasing",
    ]);
    expect(resumeOpens(null)).toBe(true);
  });

  test.each(["uncertain", "ready", "injecting"] as const)(
    "the head is the oldest turn that has not ended, such as one that is %s",
    (state) => {
      const states = ["done", "failed", "dropped", state, "uncertain", "ready"] as const;
      expect(headOf(states.map((each, i) => turn({ id: i, state: each })))?.id).toBe(3);
      expect(headOf(states.slice(0, 3).map((each) => turn({ state: each })))).toBeNull();
    },
  );

  test.each([
    [null, hold("backoff", now + 5), "backoff"],
    [hold("paused"), hold("backoff", now + 5), "paused"],
    [hold("paused"), hold("uncertain"), "uncertain"],
    [hold("uncertain"), hold("paused"), "uncertain"],
    [hold("ending"), hold("paused"), "ending"],
    [hold("releasing"), hold("login"), "releasing"],
    [hold("uncertain"), hold("failed"), "uncertain"],
    [hold("loop-breaker"), hold("uncertain"), "uncertain"],
    [hold("usage-limit", now + 5), hold("login"), "login"],
    [hold("login"), hold("usage-limit", now + 5), "login"],
    [hold("usage-limit", now - 5), hold("backoff", now + 5), "backoff"],
    [hold("paused"), null, "paused"],
  ] as const)("%j and %j: %s", (present, found, expected) =>
    expect(strongerHold(present, found, now)?.reason).toBe(expected),
  );
});

describe("P11 the loop breaker", () => {
  const settings = { turns: 3, windowMinutes: 30 };
  const begunBy = (minutesAgo: number, ...events: readonly InboundEvent[]): Turn =>
    turn({
      attempt: attempt("first", { startedAt: now - minutesAgo * 60_000 }),
      inputs: events.map((event) => input(event)),
    });
  const begun = (minutesAgo: number, human = false): Turn =>
    begunBy(minutesAgo, human ? comment("x") : ci());

  test.each([
    ["enough turns without a person", [begun(9), begun(8), begun(7)], null, true],
    ["one too few", [begun(9), begun(8)], null, false],
    ["a person within the last ones", [begun(9), begun(8, true), begun(7), begun(6)], null, false],
    ["a person before them", [begun(10, true), begun(9), begun(8), begun(7)], null, true],
    [
      "a person's word that came together with others",
      [begun(9), begunBy(8, ci(), comment("x"), ci()), begun(7), begun(6)],
      null,
      false,
    ],
    ["spread over more than the window", [begun(31), begun(20), begun(10)], null, false],
    ["spread over the window to the millisecond", [begun(30), begun(20), begun(10)], null, false],
    ["already held and opened since", [begun(9), begun(8), begun(7)], now - 8.5 * 60_000, false],
    [
      "again as many since it was opened",
      [begun(9), begun(8), begun(7), begun(6)],
      now - 8.5 * 60_000,
      true,
    ],
    [
      "turns that never began do not count",
      [begun(9), begun(8), turn({ inputs: [input(ci())] })],
      null,
      false,
    ],
  ] as const)("%s: held %#", (_, turns, openedAt, held) => {
    expect(breakerHold(turns, settings, now, openedAt)?.reason ?? null).toBe(
      held ? "loop-breaker" : null,
    );
  });

  test("the hold says how many turns, and within how long", () => {
    expect(breakerHold([begun(9), begun(8), begun(7)], settings, now, null)?.detail).toMatch(
      /^3 turns within 30 minutes/,
    );
  });

  test("human is who may speak here and is no bot", () => {
    expect(isHuman(input(comment("x")))).toBe(true);
    expect(isHuman(input(comment("x"), { authority: "collaborator" }))).toBe(true);
    expect(isHuman(input(said("x")))).toBe(true);
    expect(isHuman(input(comment("x"), { authority: "stranger" }))).toBe(false);
    expect(
      isHuman(input(comment("x", { actor: { login: "ci-helper[bot]", id: "9", bot: true } }))),
    ).toBe(false);
    expect(isHuman(input(comment("x", { actor: null })))).toBe(false);
    expect(isHuman(input(ci()))).toBe(false);
    expect(isHuman(input({ ...ci(), actor: alice }, { authority: "authorized" }))).toBe(false);
  });
});

describe("the budget of a work item", () => {
  const spend = (
    turns: number,
    usd = 0,
    minutes = 0,
  ): { turns: number; usd: number; minutes: number } => ({ turns, usd, minutes });
  const budget = { turns: 10, usd: 2.5, minutes: null };

  test.each([
    ["below", spend(8), spend(9), null],
    ["reached", spend(9), spend(10), "10 turns used; the budget of a work item is 10"],
    ["already over: resume granted the same amount again", spend(10), spend(11), null],
    [
      "reached a second time",
      spend(19),
      spend(20),
      "20 turns used; the budget of a work item is 10",
    ],
    [
      "money",
      spend(1, 2.4),
      spend(2, 2.6),
      "2.6 US dollars used; the budget of a work item is 2.5",
    ],
    [
      "money in one leap over several budgets holds once",
      spend(1, 0),
      spend(2, 9),
      "9 US dollars used; the budget of a work item is 2.5",
    ],
    [
      "decimal fractions that add up a hair short",
      spend(1, 4.2),
      spend(2, 4.2 + 0.8 - 1e-12),
      "5 US dollars used; the budget of a work item is 2.5",
    ],
    ["no budget, no bound", spend(1, 0, 0), spend(1, 0, 1e6), null],
  ] as const)("%s", (_, before, after, detail) =>
    expect(budgetHold(before, after, budget)?.detail ?? null).toBe(detail),
  );

  test.each([
    ["turns", spend(6), [spend(2), spend(2)], { turns: 10, usd: null, minutes: null }],
    ["money", spend(1, 1.5, 10), [spend(1, 0.6), spend(1, 0.5)], budget],
    [
      "minutes",
      spend(1, 0, 40),
      [spend(0, 0, 15), spend(0, 0, 5)],
      { turns: null, usd: null, minutes: 60 },
    ],
  ] as const)("what runs counts: %s", (_, recorded, running, bounds) => {
    expect(budgetHold(recorded, withInFlight(recorded, running), bounds)?.reason).toBe("budget");
    expect(budgetHold(recorded, withInFlight(recorded, running.slice(1)), bounds)).toBeNull();
  });
});
