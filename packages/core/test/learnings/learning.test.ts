import { describe, expect, test } from "vitest";
import {
  kindOf,
  learningOf,
  type Learning,
  withOccurrences,
  wordsOf,
} from "../../src/learnings/learning.ts";
import { shortHash } from "../../src/learnings/short-hash.ts";
import { candidate } from "./candidates.ts";

const text = "Start db.sh before the tests";
const words = shortHash("begin db.sh befor test");
const said = (
  run: string,
  at: number,
  more: Partial<Parameters<typeof candidate>[2]> = {},
): ReturnType<typeof candidate> =>
  candidate(text, run, {
    at,
    severity: "low",
    category: "testing",
    signal: { kind: "ci-fail", by: "check", ref: "src/a.ts" },
    ...more,
  });
const source = {
  workItem: "host:acme/shop#1",
  run: "r1",
  signal: "ci-fail",
  at: 3,
  ref: "src/a.ts",
  words: [words],
} as const;

test("a new learning says what its first occurrence says, and rests on each run once, with all words in which that said it", () => {
  const other = said("r1", 4, { text: "Begin with db.sh, then tests" });
  expect(
    learningOf(
      5,
      said("r1", 3),
      [said("r1", 3), other, said("r2", 1), said("r1", 9, { workItem: "host:acme/shop#2" })],
      [2],
    ),
  ).toEqual({
    id: 5,
    text,
    category: "testing",
    kind: "do",
    status: "active",
    severity: "low",
    seen: 3,
    firstSeen: 1,
    lastSeen: 9,
    pinned: false,
    supersedes: [2],
    supersededBy: null,
    keys: ["db.sh"],
    sources: [
      { ...source, words: [words, wordsOf(other.text)] },
      { ...source, run: "r2", at: 1 },
      { ...source, workItem: "host:acme/shop#2", at: 9 },
    ],
    earlier: [],
  });
});

describe("the severity of a learning is the highest of its occurrences, and high alone with a reason", () => {
  const severe = { severity: "high", severityReason: "data-loss" } as const;
  test.each([
    ["low", [said("r1", 1), said("r2", 1)], "low"],
    ["one of medium", [said("r1", 1), said("r2", 1, { severity: "medium" })], "medium"],
    ["one of high with a reason", [said("r1", 1), said("r2", 1, severe)], "high"],
    ["one of high without", [said("r1", 1), said("r2", 1, { severity: "high" })], "medium"],
    [
      "one of medium with a reason",
      [said("r1", 1), said("r2", 1, { severity: "medium", severityReason: "data-loss" })],
      "medium",
    ],
  ] as const)("%s", (_what, members, expected) => {
    expect(learningOf(1, members[0], members, []).severity).toBe(expected);
  });
});

describe("what is met again", () => {
  const known: Learning = learningOf(5, said("r1", 3), [said("r1", 3)], []);
  const other = said("r1", 9, { text: "Begin with db.sh, then tests" });

  test("in another run counts, and was seen last then", () => {
    expect(withOccurrences(known, [said("r2", 7, { severity: "medium" })])).toEqual({
      ...known,
      severity: "medium",
      seen: 2,
      lastSeen: 7,
      sources: [source, { ...source, run: "r2", at: 7 }],
    });
  });

  test("earlier than it was seen last leaves that", () => {
    expect(withOccurrences(known, [said("r2", 1)])).toMatchObject({ seen: 2, lastSeen: 3 });
  });

  test("in the same run and words changes nothing", () => {
    expect(withOccurrences(known, [said("r1", 9)])).toEqual(known);
  });

  test("in the same run and other words adds these, to that run alone", () => {
    const two = withOccurrences(known, [said("r2", 3)]);
    expect(withOccurrences(two, [other])).toEqual({
      ...two,
      sources: [
        { ...source, words: [words, wordsOf(other.text)] },
        { ...source, run: "r2" },
      ],
    });
  });

  test("adds no words where a file of an earlier version tells none", () => {
    const { words: _, ...bare } = source;
    const old = { ...known, sources: [bare] };
    expect(withOccurrences(old, [other])).toEqual(old);
  });

  test("less severely stays as severe as it was", () => {
    expect(withOccurrences({ ...known, severity: "high" }, [said("r2", 1)])).toMatchObject({
      severity: "high",
    });
  });
});

test("the words of an occurrence are told by its normal form, and an end apart from what ends", () => {
  expect(wordsOf("Red was removed")).toBe(shortHash("-red remov"));
  expect(wordsOf("Red, removed")).toBe(shortHash("red remov"));
});

test.each([
  ["Never push to main", "dont"],
  ["The port of the mailer needs care", "fact"],
  ["A port needs care", "fact"],
  ["An index needs care", "fact"],
  ["It needs care", "fact"],
  ["Ports is a list", "fact"],
  ["Ports are secret", "fact"],
  ["Ports need care", "do"],
  ["Start the database", "do"],
])("%s: %s", (said, kind) => {
  expect(kindOf(said)).toBe(kind);
});

test.each([
  ["", "811c9dc501000193"],
  ["a", "e40c292c"],
  ["foobar", "bf9cf968"],
])("the hash of %j begins as FNV-1a says", (text, expected) => {
  expect(shortHash(text).startsWith(expected)).toBe(true);
});

test("a hash has sixteen digits, also where it begins with noughts", () => {
  const all = Array.from({ length: 100 }, (_, at) => shortHash(String(at)));
  expect(all.filter((hash) => !/^[0-9a-f]{16}$/u.test(hash))).toEqual([]);
  expect(all.some((hash) => hash.startsWith("0") || hash.charAt(8) === "0")).toBe(true);
});
