import { expect, test } from "vitest";
import { countedBefore, fateOf, restsOn } from "../../src/learnings/already-counted.ts";
import { endedBy, type Learning, learningOf, lineTakenOut } from "../../src/learnings/learning.ts";
import { candidate } from "./candidates.ts";

const text = "Deploy staging with scripts/deploy.sh";
const end = "scripts/deploy.sh no longer exists";
const learning = (id: number, over: Partial<Learning> = {}): Learning => ({
  ...learningOf(id, candidate(text, "r1"), [candidate(text, "r1")], []),
  ...over,
});

test.each([
  ["stands", { status: "active" }, "rests on it"],
  ["has no room", { status: "evicted" }, "rests on it"],
  [
    "came back after a person ended it",
    { status: "active", earlier: [lineTakenOut] },
    "rests on it",
  ],
  ["was ended by what was met", { status: "retired", earlier: [`${endedBy}${end}`] }, "ended"],
  ["gave way to another", { status: "superseded", earlier: [`${endedBy}${end}`] }, "ended"],
  [
    "was ended by a person",
    { status: "retired", earlier: ["Deploy by hand", lineTakenOut] },
    "a person ended",
  ],
] as const)("of a learning that %s it is told so", (_what, over, fate) => {
  expect(fateOf(learning(7, over))).toBe(`[007], which ${fate},`);
});

test("a learning rests on what was met in that run of that work item in those words", () => {
  expect(restsOn(learning(1), candidate(text, "r1"))).toBe(true);
  expect(restsOn(learning(1), candidate(text, "r2"))).toBe(false);
  expect(restsOn(learning(1), candidate(text, "r1", { workItem: "host:acme/shop#2" }))).toBe(false);
  expect(restsOn(learning(1), candidate(end, "r1"))).toBe(false);
});

test.each([
  ["says", text, true],
  ["said before", "Ship staging by hand on Mondays", true],
  ["was ended by", end, true],
  ["does not say", "Rotate the signing keys every quarter", false],
])(
  "where a file of an earlier version tells no words, it rests on what it %s",
  (_what, said, expected) => {
    const { words: _, ...bare } = learning(1).sources[0]!;
    const old = learning(1, {
      sources: [bare],
      earlier: ["Ship staging by hand on Mondays", `${endedBy}${end}`],
    });
    expect(restsOn(old, candidate(said, "r1"))).toBe(expected);
  },
);

test("candidates count for what stands before what has ended, and others are left", () => {
  const [gone, stands] = [learning(1, { status: "retired" }), learning(2)];
  const [one, again, other] = [
    candidate(text, "r1"),
    candidate(text, "r1", { id: "again" }),
    candidate(end, "r9"),
  ];
  expect(countedBefore([gone, stands], [one, other, again])).toEqual({
    counted: [{ learning: stands, candidates: [one, again] }],
    left: [other],
  });
  expect(countedBefore([gone], [one])).toEqual({
    counted: [{ learning: gone, candidates: [one] }],
    left: [],
  });
});
