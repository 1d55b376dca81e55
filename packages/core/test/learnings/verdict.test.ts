import { describe, expect, test } from "vitest";
import { features } from "../../src/learnings/features.ts";
import { probabilities } from "../../src/learnings/model.ts";
import { normalForm } from "../../src/learnings/normal-form.ts";
import {
  classifierPrompt,
  classifierSchema,
  parseClassifierVerdict,
} from "../../src/learnings/question.ts";
import { plain } from "./feature-rows.ts";

const nonce = "0123456789abcdef";

test("the question that a classifier is asked", async () => {
  await expect(
    classifierPrompt(
      {
        text: "Start the cache\u200B first",
        retrieved: [
          { id: "1", text: "Start the database first" },
          { id: "AGENTS.md:3", text: "Use pnpm" },
        ],
      },
      nonce,
    ),
  ).toMatchFileSnapshot("classifier-prompt.txt");
});

test.each([
  ["too short", nonce.slice(1)],
  ["too long", "a".repeat(65)],
  ["with a sign before it", `-${nonce}`],
  ["with a sign behind it", `${nonce}-`],
])("a nonce that is %s is none", (_what, wrong) => {
  expect(() => classifierPrompt({ text: "two words", retrieved: [] }, wrong)).toThrow(
    new TypeError("a nonce has 16 to 64 letters and digits"),
  );
});

test("a nonce may have 16 to 64 letters and digits", () => {
  for (const right of [nonce, "aB3".repeat(21) + "x"])
    expect(classifierPrompt({ text: "two words", retrieved: [] }, right)).toContain(right);
});

test("the form of an answer", () => {
  expect(classifierSchema(["1", "x"])).toEqual({
    type: "object",
    additionalProperties: false,
    required: ["op", "target"],
    properties: {
      op: { enum: ["ADD", "UPDATE", "NOOP", "DELETE"] },
      target: { enum: ["1", "x", null] },
    },
  });
});

const something = "it answered something else than one JSON object";
const answer = '{"op":"ADD","target":null}';
describe("an answer that is none is told why", () => {
  test.each([
    [
      "more than a thousand characters",
      answer.padEnd(1001),
      "it answered more than 1000 characters",
    ],
    ["a number", "7", something],
    ["a list", "[]", something],
    ["null", "null", something],
    ["words", "ADD", something],
    [
      "another key",
      '{"op":"ADD","target":null,"why":"x"}',
      "its answer has other keys than op and target",
    ],
    ["another operation", '{"op":"WIPE","target":null}', "op is none of ADD, UPDATE, NOOP, DELETE"],
    ["a target of ADD", '{"op":"ADD","target":"1"}', "ADD has no target"],
    [
      "a target that was not shown",
      '{"op":"NOOP","target":"7"}',
      "target is none of the facts that it was shown",
    ],
  ])("%s", (_what, given, why) => {
    expect(parseClassifierVerdict(given, ["1"])).toBe(why);
  });

  test("one of a thousand characters is looked at", () => {
    expect(parseClassifierVerdict(answer.padEnd(1000), ["1"])).toEqual({ op: "ADD", target: null });
  });
});

describe("chances", () => {
  const seen = features(normalForm("Start red"), normalForm("Start blue"), plain, 0);
  const of = (bias: readonly [number, number, number, number]): object =>
    probabilities(seen, { ADD: [bias[0]], UPDATE: [bias[1]], NOOP: [bias[2]], DELETE: [bias[3]] });

  test.each([
    ["are equal where nothing speaks for any", [0, 0, 0, 0], [1, 1, 1, 1]],
    [
      "go with the exponents of what speaks for each",
      [Math.log(4), Math.log(3), Math.log(2), 0],
      [4, 3, 2, 1],
    ],
    [
      "hold for what speaks very much for one, and very much against another",
      [900, 900, 0, -900],
      [1, 1, 0, 0],
    ],
  ] as const)("%s", (_what, bias, shares) => {
    const all = shares[0] + shares[1] + shares[2] + shares[3];
    const [ADD, UPDATE, NOOP, DELETE] = shares.map((share) => expect.closeTo(share / all, 9));
    expect(of(bias)).toEqual({ ADD, UPDATE, NOOP, DELETE });
  });

  test("each weight counts for the feature at its place", () => {
    const weights = { ADD: [0, Math.log(16)], UPDATE: [0, 0, Math.log(4)], NOOP: [], DELETE: [] };
    expect(probabilities(seen, weights)).toEqual({
      ADD: expect.closeTo(4 / 8, 9),
      UPDATE: expect.closeTo(2 / 8, 9),
      NOOP: expect.closeTo(1 / 8, 9),
      DELETE: expect.closeTo(1 / 8, 9),
    });
  });
});
