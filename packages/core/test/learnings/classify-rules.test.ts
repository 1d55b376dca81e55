import { describe, expect, test } from "vitest";
import { classify, compare, reviewBelow } from "../../src/learnings/classify-against-facts.ts";
import type { Operation } from "../../src/learnings/model.ts";

/**
 * Weights that speak for nothing: each operation that the words allow is as likely as every other.
 */
const none = { ADD: [], UPDATE: [], NOOP: [], DELETE: [] };

const facts = (...texts: readonly string[]): { id: string; text: string }[] =>
  texts.map((text, at) => ({ id: String(at + 1), text }));

/** The operations that the words allow, in the order of how little they lose. */
function allowed(text: string, fact: string, others: readonly string[] = []): string {
  const { alternatives, retrieved } = classify(text, facts(fact, ...others), none);
  expect(retrieved[0]).toBe("1");
  const possible = alternatives.filter(({ probability }) => probability > 0);
  for (const { probability } of possible) expect(probability).toBeCloseTo(1 / possible.length, 9);
  return possible.map(({ op }) => op).join(" ");
}

const all: string = (["ADD", "UPDATE", "NOOP", "DELETE"] satisfies Operation[]).join(" ");

describe("what the words alone decide", () => {
  test.each([
    ["the same", "Use **red**", "use red", "NOOP"],
    [
      "the same words, which end something in the fact",
      "Red, removed",
      "Red was removed",
      "ADD UPDATE NOOP",
    ],
    [
      "two things of one kind",
      "The port of the mailer is 8080",
      "The port of the importer is 9090",
      "ADD",
    ],
    ["what was forbidden is allowed", "Red may be used", "Never use red", "DELETE"],
    ["what was forbidden is ordered", "Use red", "Never use red", "ADD UPDATE NOOP"],
    [
      "what was forbidden is allowed, in a new way",
      "Red may be used carefully",
      "Never use red",
      "ADD UPDATE",
    ],
    ["what was ordered is forbidden", "Never use red", "Use red", "DELETE"],
    ["what stood was removed", "Red was removed", "Use red", "DELETE"],
  ])("%s: %j beside %j", (_what, text, fact, ops) => {
    expect(allowed(text, fact)).toBe(ops);
  });
});

describe("a fact ends only where the candidate says so", () => {
  test.each([
    [
      "something else that shares words with it is gone",
      "Red blue pump was removed",
      "Use red blue",
      all,
    ],
    ["more than it ordered is forbidden", "Never use red blue", "Use red", all],
    [
      "something else is forbidden, and it is ordered again",
      "Never use blue; red",
      "Use red",
      "ADD UPDATE NOOP",
    ],
    [
      "most of it is forbidden, and the rest ordered again",
      "Never use red green blue white grey pink pump; paint black",
      "Use red green blue white grey pink; paint black",
      all,
    ],
    ["something else is forbidden", "Never use yellow violet orange", "Use red", "ADD UPDATE NOOP"],
    [
      "a little of what was forbidden is allowed",
      "You may red",
      "Never paint walls green red",
      "ADD UPDATE DELETE",
    ],
    [
      "two of five words of what was forbidden are allowed, which is no more than two fifths",
      "You may use red",
      "Never use red green blue white",
      "ADD UPDATE DELETE",
    ],
    [
      "it is allowed without what was forbidden",
      "You may red without blue green white",
      "Never use blue green white red",
      "ADD UPDATE",
    ],
    ["it is said not to be so", "Red pumps are not fast", "Red pumps are fast", all],
    [
      "something else is said not to be so",
      "Red lamps are not quick",
      "Red pumps are loud",
      "ADD UPDATE NOOP",
    ],
    ["nothing is said against it", "Use red and blue", "Use red", "ADD UPDATE NOOP"],
  ])("%s: %j beside %j", (_what, text, fact, ops) => {
    expect(allowed(text, fact)).toBe(ops);
  });
});

describe("what says as much of a fact as a limit, and no more, does not end it", () => {
  // The facts beside it make the words that it lacks as rare as those that it has, so that each
  // weighs as much.
  test.each([
    [
      "half of it is said not to be so",
      "Red is not loud",
      "Loud",
      ["Red is green"],
      "ADD UPDATE NOOP",
    ],
    [
      "a file of a folder is forbidden, and the folder was ordered",
      "Never src/gen/a.ts",
      "Keep src/gen",
      [],
      all,
    ],
    [
      "three of four words of what was removed stand in it",
      "Red green blue white were removed",
      "Use red green blue",
      ["White"],
      all,
    ],
    [
      "a quarter of what is forbidden was ordered",
      "Never run red green blue",
      "Red",
      ["Run quick lamps", "Green", "Blue"],
      "ADD UPDATE NOOP",
    ],
    [
      "three quarters of what is forbidden were ordered, and the rest is ordered again",
      "Never run red green pump; paint black",
      "Run red green; paint black",
      ["Pump"],
      "ADD UPDATE NOOP",
    ],
    [
      "part of what is forbidden was ordered, and three fifths of the rest are ordered again",
      "Never run red green; paint black white grey pink",
      "Run red; paint black white",
      ["Green grey pink", "Lamp", "Pump"],
      "ADD UPDATE NOOP",
    ],
  ])("%s: %j beside %j", (_what, text, fact, others, ops) => {
    expect(allowed(text, fact, others)).toBe(ops);
  });
});

describe("a list is not known that lacks what stood in it", () => {
  test.each([
    ["an identifier is lost", "Run a_b, c_d, e_f", "Run a_b, c_d, g_h", "ADD UPDATE"],
    ["a word is lost", "Run a_b, c_d, e_f", "Run a_b, c_d, red", "ADD UPDATE NOOP"],
    ["an identifier is lost, and it is no list", "Run a_b", "Run a_b with c_d", "ADD UPDATE NOOP"],
  ])("%s: %j beside %j", (_what, text, fact, ops) => {
    expect(allowed(text, fact)).toBe(ops);
  });
});

describe("what may be done is not known where something else is told", () => {
  test.each([
    [
      "the fact orders",
      "Real data may be used in development",
      "Synthetic data only in development",
      "ADD UPDATE",
    ],
    [
      "the fact tells what is",
      "Red pumps may be loud",
      "Red pumps are loud in summer",
      "ADD UPDATE",
    ],
    [
      "the fact allows as well",
      "Red pumps may be loud",
      "Red pumps may be loud in summer",
      "ADD UPDATE NOOP",
    ],
  ])("%s: %j beside %j", (_what, text, fact, ops) => {
    expect(allowed(text, fact)).toBe(ops);
  });
});

test("a candidate that shares nothing with any fact is new for sure", () => {
  const sure = {
    op: "ADD",
    target: null,
    confidence: 1,
    alternatives: [{ op: "ADD", probability: 1 }],
    needsReview: false,
    retrieved: [],
  };
  expect(classify("Rotate keys", [])).toEqual(sure);
  expect(classify("Rotate keys", facts("Start the database", "Paint it"))).toEqual(sure);
});

test("what is sure is told so, with the fact that it is about and the next two", () => {
  const sure = classify(
    "Use red blue",
    facts("Use grey", "Use red blue", "Use red", "Use red white"),
    none,
  );
  expect(sure).toEqual({
    op: "NOOP",
    target: "2",
    confidence: 1,
    alternatives: [
      { op: "NOOP", probability: 1 },
      { op: "ADD", probability: 0 },
      { op: "UPDATE", probability: 0 },
      { op: "DELETE", probability: 0 },
    ],
    needsReview: false,
    retrieved: ["2", "3", "4"],
  });
});

test("what is not is to be looked at", () => {
  expect(classify("Use red blue", facts("Use red"), none)).toMatchObject({
    op: "ADD",
    target: null,
    needsReview: true,
    retrieved: ["1"],
  });
});

test("what is just as sure as it must be needs no look, and what is less does", () => {
  const sure = (score: number): unknown =>
    classify("Red may be used carefully", facts("Never use red"), { ...none, UPDATE: [score] });
  expect(sure(Math.log(3))).toMatchObject({
    op: "UPDATE",
    confidence: reviewBelow,
    needsReview: false,
  });
  expect(sure(1.09)).toMatchObject({ op: "UPDATE", needsReview: true });
});

describe("the fact that a candidate is compared with", () => {
  const about = (thing: string): string =>
    `The red start port of the ${thing} is 8080 in production`;
  const [mailer, importer] = [about("mailer"), about("importer")];

  test("is the nearest one, by as much as it is nearer than the next", () => {
    const alone = compare("Use red blue", facts("Use red"));
    const there = alone?.features.there ?? 0;
    expect(alone?.features.margin).toBeCloseTo(0.6 * ((2 * there) / (there + 1)) + 0.4, 9);
    expect(compare("Use red blue", facts("Use red", "Use red"))?.features.margin).toBe(0);
    expect(compare("Use red blue", facts("Paint it", "Use red"))?.retrieved).toEqual(["2", "1"]);
  });

  test("is one about the same thing before a nearer one about another of its kind", () => {
    const found = compare(
      mailer,
      facts(importer, "The mailer listens on a red port in production"),
    );
    expect(found?.retrieved).toEqual(["2", "1"]);
    expect(found?.features.margin).toBeLessThan(0);
  });

  test("is the nearer one where that about the same thing is much farther away", () => {
    expect(
      compare(mailer, facts(importer, "The mailer listens on a port at night"))?.retrieved,
    ).toEqual(["1", "2"]);
  });

  test("is looked for among the five nearest", () => {
    const others = ["importer", "planner", "renderer", "collector", "balancer"].map(about);
    const same = "The red start port has 8080 in production and listens";
    expect(compare(mailer, facts(...others.slice(1), same))?.retrieved[0]).toBe("5");
    expect(compare(mailer, facts(...others, same))?.retrieved[0]).toBe("1");
  });
});
