import { describe, expect, test } from "vitest";
import { emptyBook } from "../../src/learnings/book.ts";
import type { Candidate } from "../../src/learnings/candidate.ts";
import { consolidate } from "../../src/learnings/consolidate.ts";
import { candidateOf, type Said, type SaidIn } from "../../src/learnings/signal.ts";
import { clustersOf } from "../../src/learnings/write-gate.ts";

const said: Said = {
  text: "Start the database first",
  signal: "user-feedback",
  category: "testing",
  severity: "medium",
  severityReason: "",
  ref: "",
};
const where: Omit<SaidIn, "by"> = {
  id: "1",
  workItem: "host:acme/shop#1",
  harness: "A",
  instance: "default",
  at: 1,
};
const agent = (
  heard: Extract<SaidIn["by"], { kind: "agent" }>["heard"],
  untouched = true,
): SaidIn => ({ ...where, by: { kind: "agent", heard, untouched } });

test("a person who may steer vouches for a review and a correction", () => {
  expect(candidateOf(said, agent(["authorized"]))).toMatchObject({
    signal: { kind: "user-feedback", by: "authorized" },
  });
  expect(candidateOf(said, { ...where, by: { kind: "person", run: "by-hand-1" } })).toMatchObject({
    signal: { by: "authorized" },
    run: "by-hand-1",
  });
});

test.each([[["stranger"]], [["collaborator"]], [["none"]], [[]]] as const)(
  "with %j alone in the turn there was neither",
  (heard) => {
    expect(candidateOf(said, agent(heard))).toContain("nobody who may steer");
    expect(candidateOf({ ...said, signal: "review-reject" }, agent(heard))).toContain(
      "nobody who may steer",
    );
    expect(
      candidateOf(
        { ...said, signal: "test-fail", severity: "high", severityReason: "user-said-always" },
        agent(heard),
      ),
    ).toContain("nobody who may steer");
  },
);

test("our own checks and gates vouch for themselves", () => {
  expect(candidateOf({ ...said, signal: "ci-fail" }, agent(["none"]))).toMatchObject({
    signal: { by: "check" },
  });
  expect(candidateOf({ ...said, signal: "gate-block" }, agent([]))).toMatchObject({
    signal: { by: "gate" },
  });
});

describe("an agent that was talked into something", () => {
  const says = (turn: number, workItem: string, signal: string): Candidate => {
    const made = candidateOf(
      { ...said, signal },
      { ...agent(["authorized"]), id: `turn-${turn}`, workItem },
    );
    if (typeof made === "string") throw new Error(made);
    return made;
  };

  test.each(["test-fail", "gate-block", "user-feedback"])(
    "says it by %s in any number of turns of one work item, and it is met once",
    (signal) => {
      const said = [1, 2, 3, 4].map((turn) => says(turn, "host:acme/shop#1", signal));
      expect(clustersOf(said)).toMatchObject([{ seen: 1 }]);
      expect(
        consolidate({
          book: emptyBook,
          candidates: said,
          rules: [],
          verdicts: new Map(),
          lastId: 0,
          now: 1,
        }).changes,
      ).toEqual([]);
    },
  );

  test("in three work items it was met three times", () => {
    const said = [1, 2, 3].map((turn) => says(turn, `host:acme/shop#${turn}`, "test-fail"));
    expect(
      consolidate({
        book: emptyBook,
        candidates: said,
        rules: [],
        verdicts: new Map(),
        lastId: 0,
        now: 1,
      }).changes,
    ).toMatchObject([{ kind: "add" }]);
  });
});

test.each(["see https://host/1", "[here](https://host/1)", "<b>", "x".repeat(301), "`rm`"])(
  "where it can be seen is one address or path, and not %j",
  (ref) => {
    expect(candidateOf({ ...said, ref }, agent(["authorized"]))).toContain("--ref");
  },
);

test.each([
  "https://host/acme/shop/runs/7?x=1#y",
  "src/import.ts:12",
  "9c1d2e3",
  "host:acme/shop#7",
])("%s says where it can be seen", (ref) => {
  expect(candidateOf({ ...said, ref }, agent(["authorized"]))).toMatchObject({ signal: { ref } });
});
