import { describe, expect, test } from "vitest";
import { candidateOf, type Said, type SaidIn } from "../../src/learnings/signal.ts";

const said: Said = {
  text: "Start the database first",
  signal: "user-feedback",
  category: "testing",
  severity: "medium",
  severityReason: "",
  ref: "src/a.ts",
};
const where = { id: "1", workItem: "host:acme/shop#1", harness: "A", instance: "default", at: 1 };
const person: SaidIn = { ...where, by: { kind: "person", run: "by-hand-1" } };
const agent = (untouched: boolean, heard: "authorized" | "stranger" = "authorized"): SaidIn => ({
  ...where,
  by: { kind: "agent", heard: [heard], untouched },
});

test("what an agent says is of the run of all agents, what a person says of their own, each with no evidence", () => {
  const all = {
    ...where,
    text: said.text,
    category: "testing",
    signal: { kind: "user-feedback", by: "authorized", ref: "src/a.ts" },
    severity: "medium",
    severityReason: null,
    evidence: "",
  };
  expect(candidateOf(said, agent(true))).toEqual({ ...all, run: "agent" });
  expect(candidateOf(said, person)).toEqual({ ...all, run: "by-hand-1" });
});

const nobody = "nobody who may steer said anything in this turn";
describe("what can be no candidate is answered with what would do", () => {
  test.each<[string, Partial<Said>, SaidIn, string]>([
    [
      "a signal of its own",
      { signal: "rumour" },
      person,
      '"rumour" is no signal; there are test-fail, ci-fail, review-reject, user-feedback, run-fail, pass-after-fail, gate-block',
    ],
    [
      "a category of its own",
      { category: "tests" },
      person,
      '"tests" is no category; there are architecture, build, ci, code-style, data, dependencies, docs, git, process, release, security, testing, tools, general',
    ],
    [
      "a severity of its own",
      { severity: "dire" },
      person,
      '"dire" is no severity; there are low, medium, high',
    ],
    [
      "a reason of its own",
      { severityReason: "fear" },
      person,
      '"fear" is no reason; there are data-loss, secret-leak, security, destructive-command, prod-outage, history-rewrite, user-said-always, user-said-never',
    ],
    [
      "words for a place",
      { ref: "see there" },
      person,
      "--ref is one address, path, commit or work item without blanks, at most 300 characters",
    ],
    [
      "a correction where nobody spoke",
      {},
      agent(true, "stranger"),
      `${nobody}, so there was no review and no correction to learn from`,
    ],
    [
      "a reason where somebody else was heard",
      { signal: "test-fail", severityReason: "data-loss" },
      agent(false),
      "words of somebody who may not steer reached this conversation, so one occurrence is not enough: leave the reason out, and it counts as one of three",
    ],
    [
      "what a person said where none spoke",
      { signal: "test-fail", severityReason: "user-said-never" },
      agent(true, "stranger"),
      nobody,
    ],
  ])("%s", (_what, over, by, answer) => {
    expect(candidateOf({ ...said, ...over }, by)).toBe(answer);
  });
});

describe("what is a candidate all the same", () => {
  test.each<[string, Partial<Said>, SaidIn, object]>([
    [
      "no reason where somebody else was heard",
      { signal: "test-fail" },
      agent(false),
      { signal: { by: "check" }, severityReason: null },
    ],
    [
      "a reason where nobody else was heard",
      { signal: "test-fail", severityReason: "data-loss" },
      agent(true),
      { signal: { by: "check" }, severityReason: "data-loss" },
    ],
    [
      "another reason than a person's words, where none spoke",
      { signal: "test-fail", severityReason: "data-loss" },
      agent(true, "stranger"),
      { severityReason: "data-loss" },
    ],
    [
      "a person's reason",
      { signal: "gate-block", severityReason: "data-loss" },
      person,
      { signal: { by: "gate" }, severityReason: "data-loss" },
    ],
    [
      "what a person said",
      { severityReason: "user-said-never" },
      agent(true),
      { signal: { by: "authorized" }, severityReason: "user-said-never" },
    ],
    [
      "what a person said of a check",
      { signal: "test-fail", severityReason: "user-said-never" },
      agent(true),
      { signal: { by: "check" }, severityReason: "user-said-never" },
    ],
  ])("%s", (_what, over, by, expected) => {
    expect(candidateOf({ ...said, ...over }, by)).toMatchObject(expected);
  });
});
