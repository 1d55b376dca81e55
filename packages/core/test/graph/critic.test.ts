import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CriticReport, foldRound, parseVerdict } from "../../src/graph/critic.ts";
import {
  type CriticFinding,
  type GraphSignal,
  type Judgement,
  seriesOf,
} from "../../src/work-item/graph-record.ts";

const finding = (title: string, over: Partial<CriticFinding> = {}): CriticFinding => ({
  severity: "major",
  title,
  detail: "",
  file: null,
  line: null,
  ...over,
});
const report = (critic: string, ...findings: readonly CriticFinding[]): CriticReport => ({
  critic,
  ok: true,
  findings,
});

/** Rounds in which one critic finds these things, one after the other. */
function rounds(...found: readonly (readonly CriticFinding[])[]): Judgement | null {
  return found.reduce<Judgement | null>(
    (before, findings) => foldRound(before, [report("one", ...findings)]),
    null,
  );
}

describe("a verdict", () => {
  test("is one JSON object of exactly this form", () => {
    expect(parseVerdict('{"verdict":"pass"}')).toEqual({ ok: true, findings: [] });
    expect(
      parseVerdict(
        ' {"verdict":"fail","findings":[{"severity":"blocker","title":"Leaks","detail":"d","file":"a.ts","line":4}]}\n',
      ),
    ).toEqual({
      ok: true,
      findings: [finding("Leaks", { severity: "blocker", detail: "d", file: "a.ts", line: 4 })],
    });
    expect(
      parseVerdict('{"verdict":"pass","findings":[{"severity":"minor","title":"A typo"}]}'),
    ).toMatchObject({ ok: true });
  });

  const wrong: Readonly<Record<string, string>> = {
    nothing: "",
    words: "looks good",
    "words before it": 'Here it is: {"verdict":"pass"}',
    "two objects": '{"verdict":"pass"}{"verdict":"pass"}',
    "another word": '{"verdict":"ok"}',
    "an unknown key": '{"verdict":"pass","score":9}',
    "an unknown key of a finding":
      '{"verdict":"fail","findings":[{"severity":"major","title":"x","fix":"y"}]}',
    "an unknown severity": '{"verdict":"fail","findings":[{"severity":"critical","title":"x"}]}',
    "a finding without a title": '{"verdict":"fail","findings":[{"severity":"major","title":" "}]}',
    "a line that is none":
      '{"verdict":"fail","findings":[{"severity":"major","title":"x","line":0}]}',
    "a fail without a finding": '{"verdict":"fail","findings":[]}',
    "a pass with a blocker": '{"verdict":"pass","findings":[{"severity":"blocker","title":"x"}]}',
    "too much of it": `{"verdict":"pass","findings":[]}${" ".repeat(300_000)}`,
  };
  for (const [what, text] of Object.entries(wrong))
    test(`is none: ${what}`, () => expect(parseVerdict(text)).toMatchObject({ ok: false }));

  test("of any text is a verdict or a reason, and throws nothing", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.json()),
        (text) => typeof parseVerdict(text).ok === "boolean",
      ),
    );
  });
});

describe("rounds of critics", () => {
  test("pass when nothing blocks; a minor finding is kept and blocks nothing", () => {
    expect(rounds([])).toMatchObject({ round: 1, outcome: "passed", findings: [] });
    expect(rounds([finding("typo", { severity: "minor" })])).toMatchObject({
      outcome: "passed",
      findings: [{ title: "typo" }],
    });
    expect(rounds([finding("leak")], [])).toMatchObject({
      round: 2,
      outcome: "passed",
      findings: [],
    });
  });

  test("fold what several found into one finding, the heaviest first", () => {
    const folded = foldRound(null, [
      report("one", finding("No limit on size", { file: "a.ts", line: 3 })),
      report(
        "two",
        finding("no limit on size.", { file: "a.ts", line: 9, severity: "blocker" }),
        finding("typo", { severity: "minor" }),
      ),
    ]);
    expect(folded).toMatchObject({
      outcome: "rework",
      findings: [
        { severity: "blocker", title: "no limit on size.", critics: ["one", "two"], rounds: 1 },
        { title: "typo" },
      ],
    });
  });

  test("escalate what is found a third time in a row, and not what was gone in between", () => {
    expect(rounds([finding("leak")], [finding("leak")])).toMatchObject({
      outcome: "rework",
      findings: [{ rounds: 2 }],
    });
    expect(rounds([finding("leak")], [finding("leak")], [finding("Leak!")])).toMatchObject({
      round: 3,
      outcome: "escalated",
      why: "found 3 times in a row: Leak!",
    });
    expect(rounds([finding("leak")], [finding("other")], [finding("leak")])).toMatchObject({
      outcome: "rework",
      findings: [{ rounds: 1 }],
    });
  });

  test("keep what a critic found that gives no verdict now, until it says otherwise", () => {
    const first = foldRound(null, [
      report("one", finding("leak")),
      report("two", finding("leak"), finding("drip")),
    ]);
    const silent = foldRound(first, [
      report("one"),
      { critic: "two", ok: false, why: "it ended with 1" },
    ]);
    expect(silent).toMatchObject({
      outcome: "rework",
      findings: [
        { title: "leak", critics: ["two"], rounds: 1 },
        { title: "drip", critics: ["two"], rounds: 1 },
      ],
    });
    expect(foldRound(silent, [report("one"), report("two")])).toMatchObject({
      outcome: "passed",
      findings: [],
    });
  });

  test("begin anew after a round that passed, and after a person's answer", () => {
    expect(rounds([finding("leak")], [finding("leak")], [], [finding("leak")])).toMatchObject({
      round: 1,
      outcome: "rework",
      findings: [{ rounds: 1 }],
    });
    const judged: GraphSignal = {
      kind: "critics",
      node: "review",
      subject: "s",
      at: 5,
      round: 6,
      outcome: "escalated",
      findings: [],
      why: "x",
    };
    const answer: GraphSignal = {
      kind: "answer",
      node: "review",
      subject: "s",
      approved: false,
      by: "alice",
      delivery: "d",
      at: 6,
    };
    expect([
      seriesOf([judged], "review"),
      seriesOf([judged, { ...answer, at: 4 }], "review"),
      seriesOf([judged, { ...answer, at: 5 }], "review"),
      seriesOf([judged, answer], "review"),
      seriesOf([answer], "review"),
      seriesOf([], "review"),
    ]).toEqual([judged, judged, judged, null, null, null]);
  });

  test("escalate when every round finds something new", () => {
    expect(rounds(...["a", "b", "c", "d", "e"].map((title) => [finding(title)]))).toMatchObject({
      outcome: "rework",
    });
    expect(
      rounds(...["a", "b", "c", "d", "e", "f"].map((title) => [finding(title)])),
    ).toMatchObject({ outcome: "escalated", why: "6 rounds found something each time" });
  });

  test("do not pass while somebody gave no verdict; findings of the others count first", () => {
    const silent: CriticReport = { critic: "two", ok: false, why: "it ran out of time" };
    expect(foldRound(null, [report("one"), silent])).toMatchObject({
      outcome: "failed",
      why: "two: it ran out of time",
    });
    expect(foldRound(null, [report("one", finding("leak")), silent])).toMatchObject({
      outcome: "rework",
    });
    expect(foldRound(null, [report("one"), report("two")])).toMatchObject({ outcome: "passed" });
  });

  test("end: no sequence of findings is told for ever", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.array(
            fc.constantFrom("a", "b", "c").map((title) => finding(title)),
            { minLength: 1, maxLength: 3 },
          ),
          { minLength: 6, maxLength: 10 },
        ),
        (found) => {
          expect(rounds(...found.slice(0, 6))?.outcome).toBe("escalated");
        },
      ),
    );
  });
});
