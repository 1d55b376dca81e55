import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mergeTurns } from "../../src/turn/coalesce.ts";
import { excerptSize } from "../../src/turn/excerpt.ts";
import type { Turn } from "../../src/turn/turn.ts";
import { attempt, comment, input, item, now, turn } from "./build.ts";

const merge = mergeTurns({ quietSeconds: 5, maxSeconds: 30, maxPromptChars: 32_000 });

/** A ready turn of one comment that came in some seconds ago. */
function waiting(id: number, secondsAgo: number, over: Partial<Turn> = {}, text = "hello"): Turn {
  return turn({
    id,
    inputs: [
      input(comment(text, { deliveryId: `d-${id}` }), {
        seq: id,
        receivedAt: now - secondsAgo * 1000,
      }),
    ],
    ...over,
  });
}

describe("when a turn goes", () => {
  test.each([
    ["an event waits until it is quiet", [2], { kind: "wait", until: now + 3000 }],
    ["a quiet event goes", [5], { kind: "go", merge: [] }],
    ["a new event keeps an older one waiting", [4, 1], { kind: "wait", until: now + 4000 }],
    ["both go once the newest is quiet", [20, 6], { kind: "go", merge: [2] }],
    ["the oldest waits no longer than the longest wait", [30, 1], { kind: "go", merge: [2] }],
    ["until then it waits", [28, 1], { kind: "wait", until: now + 2000 }],
    ["a burst is one turn", [29, 20, 12, 6, 5], { kind: "go", merge: [2, 3, 4, 5] }],
  ])("%s", (_, ages, expected) => {
    expect(
      merge(
        ages.map((age, i) => waiting(i + 1, age)),
        now,
      ),
    ).toEqual(expected);
  });

  test("D05 an arrival far in the future does not hold the lane", () => {
    expect(merge([waiting(1, -365 * 86_400)], now)).toEqual({ kind: "go", merge: [] });
    expect(merge([waiting(1, 365 * 86_400)], now)).toEqual({ kind: "go", merge: [] });
  });

  test("D05 one that came a little later than now, the clock having been set back, waits as long as an event may wait", () => {
    expect(merge([waiting(1, -10)], now)).toEqual({ kind: "wait", until: now + 15_000 });
    expect(merge([waiting(1, -26)], now)).toEqual({ kind: "go", merge: [] });
  });

  test("an event of this very moment waits also where the quiet time is the longest wait", () => {
    expect(
      mergeTurns({ quietSeconds: 5, maxSeconds: 5, maxPromptChars: 32_000 })([waiting(1, 0)], now),
    ).toEqual({ kind: "wait", until: now + 5000 });
  });

  test("a turn that must not go yet waits for its time, whatever waits behind it", () => {
    expect(merge([waiting(1, 60, { notBefore: now + 9000 }), waiting(2, 60)], now)).toEqual({
      kind: "wait",
      until: now + 9000,
    });
  });

  test("a turn whose time has come goes, also with the one before it", () => {
    expect(
      merge([waiting(1, 60, { notBefore: now }), waiting(2, 60, { notBefore: now })], now),
    ).toEqual({ kind: "go", merge: [2] });
  });

  test("a lane in which nothing waits", () => {
    expect(merge([], now)).toEqual({ kind: "go", merge: [] });
  });

  test("without quiet time everything goes at once", () => {
    expect(
      mergeTurns({ quietSeconds: 0, maxSeconds: 0, maxPromptChars: 32_000 })(
        [waiting(1, 0), waiting(2, 0)],
        now,
      ),
    ).toEqual({ kind: "go", merge: [2] });
  });
});

describe("what is never merged", () => {
  test("a spawn absorbs what follows, also what came before its session stood, and is absorbed by no resume", () => {
    expect(merge([waiting(1, 60, { mode: "spawn" }), waiting(2, 50)], now)).toEqual({
      kind: "go",
      merge: [2],
    });
    expect(
      merge(
        [waiting(1, 60, { mode: "spawn" }), waiting(2, 50, { mode: "spawn" }), waiting(3, 40)],
        now,
      ),
    ).toEqual({ kind: "go", merge: [2, 3] });
    expect(merge([waiting(1, 60), waiting(2, 50, { mode: "spawn" }), waiting(3, 40)], now)).toEqual(
      { kind: "go", merge: [] },
    );
  });

  test.each([
    ["a turn that goes again", { next: "again", attempts: 1, attempt: attempt() }],
    [
      "a turn that goes on after an interruption",
      { next: "continue", attempts: 1, attempt: attempt() },
    ],
    [
      "a turn that goes first again, in a new conversation",
      { next: "first", attempts: 1, attempt: attempt() },
    ],
    [
      "the same after a person's retry, which counts attempts anew",
      { next: "first", attempts: 0, attempt: attempt() },
    ],
    ["a turn that was refused before its attempt was written", { next: "again" }],
  ] as const)("%s stays as it was, and nothing overtakes it", (_, over) => {
    expect(merge([waiting(1, 1, over), waiting(2, 50)], now)).toEqual({ kind: "go", merge: [] });
    expect(merge([waiting(1, 60), waiting(2, 50, over), waiting(3, 40)], now)).toEqual({
      kind: "go",
      merge: [],
    });
  });

  test("what was told before and after a control verb, whatever verb it was", () => {
    const said = (id: number, steered: string | null): Turn =>
      turn({
        id,
        inputs: [input(comment("hello", { deliveryId: `d-${id}` }), { seq: id, steered })],
      });
    expect(
      merge([said(1, null), said(2, null), said(3, "pause-1"), said(4, "pause-1")], now),
    ).toEqual({ kind: "go", merge: [2] });
    expect(merge([said(3, "pause-1"), said(4, "pause-1"), said(5, "grant-2")], now)).toEqual({
      kind: "go",
      merge: [4],
    });
    expect(merge([said(5, "grant-2"), said(6, "grant-2")], now)).toEqual({
      kind: "go",
      merge: [6],
    });
  });

  test("a group that cannot grow does not wait for quiet", () => {
    expect(merge([waiting(1, 1), waiting(2, 1, { mode: "spawn" })], now)).toEqual({
      kind: "go",
      merge: [],
    });
  });

  test("events merge up to the bound, one event is never split", () => {
    const long = (id: number, length: number): Turn => waiting(id, 60, {}, "x".repeat(length));
    expect(merge([long(1, 15_000), long(2, 15_000), long(3, 15_000)], now)).toEqual({
      kind: "go",
      merge: [2],
    });
    expect(merge([long(1, 65_536), long(2, 10)], now)).toEqual({ kind: "go", merge: [] });
    expect(merge([long(1, 10), long(2, 65_536), long(3, 10)], now)).toEqual({
      kind: "go",
      merge: [],
    });
  });

  test("the bound itself is within it", () => {
    const turns = [waiting(1, 60), waiting(2, 60)];
    const size = turns
      .flatMap(({ inputs }) => inputs)
      .reduce((sum, each) => sum + excerptSize(each, false), 0);
    const upTo = (maxPromptChars: number): unknown =>
      mergeTurns({ quietSeconds: 5, maxSeconds: 30, maxPromptChars })(turns, now);
    expect([upTo(size), upTo(size - 1)]).toEqual([
      { kind: "go", merge: [2] },
      { kind: "go", merge: [] },
    ]);
  });

  test.each([
    ["is not shown where a conversation goes on, and takes no room", "resume", 33_000, [2, 3]],
    ["is shown by what starts the work, and takes room", "spawn", 33_000, []],
    ["is shown once, by the first event", "spawn", 20_000, [2, 3]],
  ] as const)("the text of the item %s", (_, mode, length, joined) => {
    const about = (...seqs: readonly number[]): Partial<Turn> => ({
      inputs: seqs.map((seq) =>
        input(
          comment("hello", { deliveryId: `d-${seq}`, item: { ...item, body: "x".repeat(length) } }),
          { seq },
        ),
      ),
    });
    expect(
      merge(
        [
          turn({ id: 1, mode, ...about(1, 2) }),
          turn({ id: 2, ...about(3, 4) }),
          turn({ id: 3, ...about(5) }),
        ],
        now,
      ),
    ).toEqual({ kind: "go", merge: joined });
  });
});

describe("nothing is lost and nothing is reordered", () => {
  const someTurn = fc.record({
    age: fc.integer({ min: -5, max: 100 }),
    mode: fc.constantFrom("resume", "resume", "resume", "spawn"),
    size: fc.constantFrom(1, 10, 9_000, 31_000, 40_000),
    tried: fc.constantFrom(false, false, false, true),
    later: fc.constantFrom(0, 0, 0, 5000),
  });

  test("any lane is emptied in order, each delivery once, each group within the rules", () => {
    fc.assert(
      fc.property(fc.array(someTurn, { minLength: 1, maxLength: 20 }), (plan) => {
        let lane = plan.map(({ age, mode, size, tried, later }, i) =>
          waiting(
            i + 1,
            age,
            {
              mode: mode as Turn["mode"],
              notBefore: later === 0 ? 0 : now + later,
              ...(tried ? { next: "again", attempts: 1, attempt: attempt() } : {}),
            },
            "x".repeat(size),
          ),
        );
        const all = lane.map(({ id }) => id);
        const delivered: number[] = [];
        let clock = now;
        while (lane.length > 0) {
          const plan2 = merge(lane, clock);
          if (plan2.kind === "wait") {
            expect(plan2.until).toBeGreaterThan(clock);
            expect(plan2.until - clock).toBeLessThanOrEqual(30_000);
            clock = plan2.until;
            continue;
          }
          const [head, ...rest] = lane;
          if (head === undefined) break;
          const joined = rest.slice(0, plan2.merge.length);
          expect(joined.map(({ id }) => id)).toEqual(plan2.merge);
          for (const one of joined)
            expect([
              one.mode === "resume" || head.mode === "spawn",
              one.attempts,
              one.next,
            ]).toEqual([true, 0, "first"]);
          for (const one of [head, ...joined]) expect(one.notBefore).toBeLessThanOrEqual(clock);
          if (head.attempts > 0) expect(joined).toEqual([]);
          if (joined.length > 0)
            expect(
              [head, ...joined].reduce(
                (sum, one) =>
                  sum +
                  one.inputs.reduce(
                    (s, each) => s + excerptSize(each, one === head && one.mode === "spawn"),
                    0,
                  ),
                0,
              ),
            ).toBeLessThanOrEqual(32_000);
          delivered.push(head.id, ...plan2.merge);
          lane = lane.slice(1 + joined.length);
        }
        expect(delivered).toEqual(all);
      }),
      { numRuns: 500 },
    );
  });
});
