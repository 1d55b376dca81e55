import { describe, expect, test } from "vitest";
import { withoutFence } from "../../src/graph/critic-prompt.ts";
import { findingSentence, foldRound, isBlocking, parseVerdict } from "../../src/graph/critic.ts";
import type { CriticFinding, Judgement } from "../../src/work-item/graph-record.ts";

const verdict = (over: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ verdict: "fail", findings: [{ severity: "major", title: "x", ...over }] });
const read = (over: Readonly<Record<string, unknown>>): unknown => {
  const parsed = parseVerdict(verdict(over));
  return parsed.ok ? parsed.findings[0] : parsed.why;
};
const plain = { severity: "major", title: "x", detail: "", file: null, line: null } as const;
const form =
  "findings[0] is not of the form {severity: blocker | major | minor, title, detail?, file?, line?}";
const x = (n: number): string => "x".repeat(n);

describe("why a text is no verdict", () => {
  test.each<readonly [text: string, why: string]>([
    ["", "it printed something else than one JSON object"],
    ["looks good", "it printed something else than one JSON object"],
    ["null", "it printed something else than one JSON object"],
    ["[]", "it printed something else than one JSON object"],
    [
      '{"verdict":"pass","findings":[],"my\\u202escore":9}',
      'the verdict has an unknown key "my score"'.replace(" score", "\\\\u202escore"),
    ],
    [`{"verdict":"pass","${x(50)}":9}`, `the verdict has an unknown key "${x(40)}…"`],
    ['{"verdict":"ok"}', '`verdict` is neither "pass" nor "fail"'],
    ["{}", '`verdict` is neither "pass" nor "fail"'],
    ['{"verdict":"pass","findings":{}}', "`findings` is no list of at most 100"],
    [
      JSON.stringify({
        verdict: "pass",
        findings: Array.from({ length: 101 }, () => ({ severity: "minor", title: "x" })),
      }),
      "`findings` is no list of at most 100",
    ],
    [
      '{"verdict":"fail","findings":[{"severity":"major","title":"x"},7]}',
      form.replace("[0]", "[1]"),
    ],
    ['{"verdict":"fail","findings":[null]}', form],
    ['{"verdict":"fail","findings":[]}', "it fails the work and names no blocker or major finding"],
    [
      '{"verdict":"fail","findings":[{"severity":"minor","title":"x"}]}',
      "it fails the work and names no blocker or major finding",
    ],
    [
      '{"verdict":"pass","findings":[{"severity":"major","title":"x"}]}',
      "it passes the work and names a blocker or major finding",
    ],
    [`${" ".repeat(262_131)}{"verdict":"pass"}`.slice(4), "it printed more than 262144 characters"],
  ])("%.60j: %s", (text, why) => expect(parseVerdict(text)).toEqual({ ok: false, why }));

  test("a text of 262,144 characters and a list of 100 findings are read", () => {
    expect(parseVerdict('{"verdict":"pass"}'.padEnd(262_144))).toEqual({ ok: true, findings: [] });
    expect(
      parseVerdict(
        JSON.stringify({
          verdict: "pass",
          findings: Array.from({ length: 100 }, () => ({ severity: "minor", title: "x" })),
        }),
      ),
    ).toMatchObject({ ok: true, findings: { length: 100 } });
  });
});

describe("a finding", () => {
  test.each<readonly [what: string, over: Readonly<Record<string, unknown>>, finding: unknown]>([
    [
      "with everything",
      { detail: "d", file: "a.ts", line: 3 },
      { ...plain, detail: "d", file: "a.ts", line: 3 },
    ],
    ["with nothing more than it must have", {}, plain],
    ["with keys that say nothing", { detail: null, file: null, line: null }, plain],
    ["with a file that is empty", { file: "" }, plain],
    ["with blanks around its title", { title: " \n x " }, plain],
    ["with a title of 300 letters", { title: x(300) }, { ...plain, title: x(300) }],
    ["with a title of 301 letters", { title: x(301) }, form],
    ["with a title of blanks", { title: "  " }, form],
    ["with a title that is a number", { title: 7 }, form],
    ["with a title that is a list", { title: ["x"] }, form],
    ["with a detail of 4,000 letters", { detail: x(4_000) }, { ...plain, detail: x(4_000) }],
    ["with a detail of 4,001 letters", { detail: x(4_001) }, form],
    ["with a detail that is a list", { detail: [] }, form],
    ["with a file of 1,000 letters", { file: x(1_000) }, { ...plain, file: x(1_000) }],
    ["with a file of 1,001 letters", { file: x(1_001) }, form],
    ["with a file that is a number", { file: 7 }, form],
    ["on line 1", { line: 1 }, { ...plain, line: 1 }],
    ["on line 0", { line: 0 }, form],
    ["on half a line", { line: 1.5 }, form],
    ["on a line in words", { line: "3" }, form],
    ["of a severity in capitals", { severity: "MAJOR" }, form],
    [
      "with hidden characters, which are shown",
      { title: "a\u202eb", file: "c\u202ed" },
      { ...plain, title: "a\\u202eb", file: "c\\u202ed" },
    ],
  ])("%s", (_, over, finding) => expect(read(over)).toEqual(finding));

  test("in a line says how heavy it is, where, and who found it", () => {
    const standing = { ...plain, title: "It drips", critics: ["one", "two"], rounds: 1 } as const;
    expect(findingSentence(standing)).toBe("major: It drips, found by one, two");
    expect(findingSentence({ ...standing, file: "tap.ts" })).toBe(
      "major: It drips (tap.ts), found by one, two",
    );
    expect(findingSentence({ ...standing, file: "tap.ts", line: 3 })).toBe(
      "major: It drips (tap.ts:3), found by one, two",
    );
    expect(
      (["blocker", "major", "minor"] as const).map((severity) => isBlocking({ severity })),
    ).toEqual([true, true, false]);
  });
});

describe("findings of a round", () => {
  const finding = (title: string, over: Partial<CriticFinding> = {}): CriticFinding => ({
    ...plain,
    title,
    ...over,
  });
  const found = (...each: readonly CriticFinding[]): Judgement =>
    foldRound(null, [{ critic: "one", ok: true, findings: each }]);

  test.each<readonly [same: boolean, one: CriticFinding, other: CriticFinding]>([
    [true, finding("No limit"), finding("no  LIMIT!")],
    [true, finding("No-limit."), finding("no limit")],
    [true, finding("Größe fehlt"), finding("größe, fehlt")],
    [true, finding("Straße fehlt"), finding("STRAẞE FEHLT")],
    [false, finding("No limit"), finding("Nolimit")],
    [false, finding("x", { file: "a.ts" }), finding("x", { file: "b.ts" })],
    [false, finding("x", { file: "a.ts" }), finding("x")],
    [true, finding("x", { line: 1 }), finding("x", { line: 2 })],
  ])("are the same: %s, %j and %j", (same, one, other) =>
    expect(found(one, other).findings).toHaveLength(same ? 1 : 2),
  );

  test("stand in the words of the heaviest, of the first where two are as heavy, and come heaviest first", () => {
    expect(
      found(finding("a", { detail: "first" }), finding("A", { detail: "second" })).findings,
    ).toMatchObject([{ title: "a", detail: "first" }]);
    expect(found(finding("a", { severity: "blocker" }), finding("A")).findings).toMatchObject([
      { severity: "blocker", title: "a", critics: ["one"] },
    ]);
    expect(
      found(
        finding("c", { severity: "minor" }),
        finding("b"),
        finding("a", { severity: "blocker" }),
      ).findings.map(({ title }) => title),
    ).toEqual(["a", "b", "c"]);
  });

  test("that several critics did not give are told together", () => {
    const silent = ["one", "two"].map(
      (critic) => ({ critic, ok: false, why: "it slept" }) as const,
    );
    expect(foldRound(null, silent)).toEqual({
      round: 1,
      outcome: "failed",
      findings: [],
      why: "one: it slept; two: it slept",
    });
    const again = foldRound(
      foldRound(null, [{ critic: "one", ok: true, findings: [finding("a"), finding("b")] }]),
      [{ critic: "one", ok: true, findings: [finding("a"), finding("b")] }],
    );
    expect(
      foldRound(again, [{ critic: "one", ok: true, findings: [finding("a"), finding("b")] }]),
    ).toMatchObject({ outcome: "escalated", why: "found 3 times in a row: a; b" });
  });
});

test.each<readonly [answer: string, text: string]>([
  ["```\n{}\n```", "{}"],
  ["```json\n{\n}\n```", "{\n}"],
  ["\n ```json  \n{}\n  ```  \n", "{}"],
  ["  {}  ", "{}"],
  ["```yaml\n{}\n```", "```yaml\n{}\n```"],
  ["x ```json\n{}\n```", "x ```json\n{}\n```"],
  ["```json x\n{}\n```", "```json x\n{}\n```"],
  ["```json\n{}\n", "```json\n{}"],
  ["```", "```"],
  ["", ""],
])("the answer %j without its fence is %j", (answer, text) =>
  expect(withoutFence(answer)).toBe(text),
);
