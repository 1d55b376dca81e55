import fc from "fast-check";
import { expect, test } from "vitest";
import { classify, normalForm, operations, safeOperation } from "../../src/learnings.ts";

const index = [
  { id: "1", text: "Start the database with docker compose up db" },
  { id: "2", text: "Java services target JDK 17" },
  { id: "3", text: "Never edit the lockfile by hand" },
  { id: "4", text: "Sessions are stored in Redis" },
  { id: "5", text: "Add a changelog entry for each user-visible change" },
];

test.each([
  ["a fact of which nothing stands yet", "Rotate the signing keys every quarter", "ADD", null],
  ["another value of the same subject", "Java services target JDK 21", "UPDATE", "2"],
  ["the same in other words", "Do not edit the lockfile by hand", "NOOP", "3"],
  ["the same in other letters", "sessions are stored in **redis**.", "NOOP", "4"],
  ["what was removed", "Redis was removed, sessions are no longer stored there", "DELETE", "4"],
  ["what is allowed now", "The lockfile may be edited by hand", "DELETE", "3"],
  ["what must not be done any more", "Do not add a changelog entry for each user-visible change", "DELETE", "5"],
])("%s", (_what, text, op, target) => {
  const { op: got, target: of } = classify(text, index);
  expect({ got, of }).toEqual({ got: op, of: target });
});

const line = fc.oneof(fc.string({ maxLength: 120 }), fc.constantFrom(...index.map(({ text }) => text)), fc.array(fc.constantFrom("run", "the", "tests", "never", "--all", "src/a.ts", "no", "longer", "not"), { maxLength: 10 }).map((words) => words.join(" ")));

test("a fact that stands is known, whatever else stands", () => {
  fc.assert(fc.property(line, fc.array(line, { maxLength: 8 }), (text, others) => {
    fc.pre(normalForm(text).content.length > 0);
    const facts = [text, ...others].map((each, at) => ({ id: String(at), text: each }));
    const { op, target } = classify(text, facts);
    expect(op).toBe("NOOP");
    expect(normalForm(facts[Number(target)]?.text ?? "").key).toBe(normalForm(text).key);
  }));
});

test("every answer has a target among the three nearest or is ADD, and its chances sum up to one", () => {
  fc.assert(fc.property(line, fc.array(line, { maxLength: 8 }), (text, others) => {
    const facts = others.map((each, at) => ({ id: String(at), text: each }));
    const got = classify(text, facts);
    expect(operations).toContain(got.op);
    expect(got.op === "ADD" ? got.target === null : got.retrieved.includes(got.target ?? "-")).toBe(true);
    expect(got.retrieved.length).toBeLessThanOrEqual(3);
    expect(got.alternatives.reduce((all, { probability }) => all + probability, 0)).toBeCloseTo(1, 6);
  }));
});

test("nothing ends that nothing was said against", () => {
  const calm = fc.constantFrom("Run", "the", "tests", "with", "make", "build", "docs/a.md", "in", "staging", "port", "8080", "use", "after", "deploy");
  fc.assert(fc.property(fc.array(calm, { minLength: 1, maxLength: 12 }), fc.array(fc.array(calm, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 5 }), (words, facts) => {
    expect(classify(words.join(" "), facts.map((each, at) => ({ id: String(at), text: each.join(" ") }))).op).not.toBe("DELETE");
  }));
});

test("who cannot ask does what loses least: nothing unsure ends a fact or throws a candidate away for nothing", () => {
  const unsure = { target: "1", confidence: 0.5, needsReview: true, retrieved: ["1", "2"] };
  const chances = (...ops: readonly ("ADD" | "UPDATE" | "NOOP" | "DELETE")[]): { op: "ADD" | "UPDATE" | "NOOP" | "DELETE"; probability: number }[] => ops.map((op, at) => ({ op, probability: 0.5 / (at + 1) }));
  expect(safeOperation({ ...unsure, op: "DELETE", alternatives: chances("DELETE", "ADD", "UPDATE") })).toEqual({ op: "ADD", target: null });
  expect(safeOperation({ ...unsure, op: "NOOP", alternatives: chances("NOOP", "UPDATE", "ADD") })).toEqual({ op: "UPDATE", target: "1" });
  expect(safeOperation({ ...unsure, op: "DELETE", needsReview: false, alternatives: chances("DELETE", "ADD") })).toEqual({ op: "DELETE", target: "1" });
});
