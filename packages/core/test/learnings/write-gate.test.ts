import { describe, expect, test } from "vitest";
import { normalForm } from "../../src/learnings/normal-form.ts";
import { clustersOf, saysTheSame, writeGate } from "../../src/learnings/write-gate.ts";
import { candidate, now } from "./candidates.ts";

const day = 86_400_000;
const text = "Start the database before the tests";
const ids = (
  some: readonly { readonly members: readonly { readonly id: string }[] }[],
): readonly (readonly string[])[] => some.map(({ members }) => members.map(({ id }) => id));

describe("whether two facts are one", () => {
  test.each([
    ["the same", "Red was removed", "red was removed!", true],
    ["the same words, of which one ends something", "Red, removed", "Red was removed", false],
    [
      "three of five words, both ways",
      "red green blue black white",
      "red green blue pump lamp",
      true,
    ],
    [
      "three of five words, and of six",
      "red green blue black white",
      "red green blue pump lamp valve",
      false,
    ],
    [
      "three of six words, and of five",
      "red green blue pump lamp valve",
      "red green blue black white",
      false,
    ],
    [
      "all of the one in less than most of the other",
      "red green",
      "red green blue black white",
      false,
    ],
    ["most of the one in little of the other", "red green blue black white", "red green", false],
    ["one denied", "Never run red green", "Run red green", false],
    ["one that ends it", "red green blue was removed", "remove red green blue", false],
    ["one that allows it", "red green blue may burn", "red green blue burn", false],
    ["two that allow it", "red green blue may burn", "red green blue and may burn", true],
    ["another identifier", "Run a_b red green blue", "Run c_d red green blue", false],
    ["an identifier more", "Run a_b red green blue", "Run a_b c_d red green blue", false],
    [
      "an identifier in other letters",
      "Run A_B red green blue",
      "Run a_b red green blue twice",
      true,
    ],
    ["a folder with its last slash and without", "Run src/lib/ red", "Run src/lib red", true],
    [
      "two identifiers, and a word more",
      "Run a_b c_d red green blue",
      "Run a_b c_d red green blue twice",
      true,
    ],
    [
      "two identifiers that run into one",
      "Run a_b c_d red green blue",
      "Run a_bc_d red green blue",
      false,
    ],
    [
      "two identifiers that run together like two others",
      "Run a_b c_d red green blue",
      "Run a_bc _d red green blue",
      false,
    ],
    [
      "two ends of one thing",
      "red green blue pump was removed",
      "red green blue pump lamp was dropped",
      true,
    ],
    [
      "two ends of two things",
      "red green was removed from blue black white",
      "pump lamp was removed from blue black white",
      false,
    ],
    [
      "two things of one kind",
      "The port of the red mailer is open",
      "The port of the red importer is open",
      false,
    ],
  ])("%s: %j and %j", (_what, one, other, expected) => {
    expect(saysTheSame(normalForm(one), normalForm(other))).toBe(expected);
  });
});

test("what waited for more than ninety days expires", () => {
  const [old, fresh] = [
    candidate(text, "r1", { at: now - 90 * day - 1 }),
    candidate(text, "r2", { at: now - 90 * day }),
  ];
  const { expired, waiting, open } = writeGate([old, fresh], now);
  expect({ expired: expired.map(({ id }) => id), waiting: ids(waiting), open }).toEqual({
    expired: [old.id],
    waiting: [[fresh.id]],
    open: [],
  });
});

test("the earliest occurrence speaks for the others; of two at once the one whose work item, run, words and id come first", () => {
  const some = [
    candidate(text, "r1", { id: "b" }),
    candidate(text, "r2", { id: "a" }),
    candidate(text, "r1", { id: "a" }),
    candidate(text, "r9", { id: "z", at: now - 2000 }),
    candidate(text, "r9", { id: "y", at: now - 500 }),
  ];
  const expected = {
    medoid: some[3],
    members: [some[3], some[2], some[0], some[1], some[4]],
    seen: 3,
  };
  expect(clustersOf(some)).toEqual([expected]);
  expect(clustersOf(some.toReversed())).toEqual([expected]);
});

test("what says the same as a member of a group, and not as its first, is a group of its own", () => {
  const first = candidate("red green blue black white", "r1", { id: "1", at: 1 });
  const second = candidate("red green blue pump lamp", "r2", { id: "2", at: 2 });
  const third = candidate("red green pump lamp valve", "r3", { id: "3", at: 3 });
  expect(ids(clustersOf([third, second, first]))).toEqual([["1", "2"], ["3"]]);
});

describe("the gate", () => {
  test.each([
    ["three runs", [candidate(text, "r1"), candidate(text, "r2"), candidate(text, "r3")], true],
    [
      "two runs, and one of them of two work items",
      [
        candidate(text, "r1"),
        candidate(text, "r2"),
        candidate(text, "r2", { workItem: "host:acme/shop#2" }),
      ],
      true,
    ],
    [
      "two runs",
      [candidate(text, "r1"), candidate(text, "r2"), candidate(text, "r2", { id: "again" })],
      false,
    ],
    [
      "one that is severe, for a reason, beside one that is not",
      [
        candidate(text, "r1"),
        candidate(text, "r1", { severity: "high", severityReason: "security" }),
      ],
      true,
    ],
    ["one that is severe without a reason", [candidate(text, "r1", { severity: "high" })], false],
    [
      "one that has a reason and is not severe",
      [candidate(text, "r1", { severity: "medium", severityReason: "security" })],
      false,
    ],
  ])("with %s", (_what, some, opens) => {
    const { open, waiting } = writeGate(some, now);
    expect([open.length, waiting.length]).toEqual(opens ? [1, 0] : [0, 1]);
  });
});
