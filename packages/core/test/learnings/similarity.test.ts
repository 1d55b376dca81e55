import { describe, expect, test } from "vitest";
import { normalForm, type Token } from "../../src/learnings/normal-form.ts";
import {
  alike,
  best,
  containment,
  dice,
  nearness,
  sum,
  type Weigh,
  weights,
} from "../../src/learnings/similarity.ts";

const token = (text: string): Token => {
  const [first] = normalForm(text).tokens;
  if (first === undefined) throw new Error(`${text} is no token`);
  return first;
};

describe("how alike two tokens are, from 0 to 1", () => {
  test.each([
    ["the same word", "deploy", "deploys", 1],
    ["the same identifier in other letters", "DATABASE_URL", "database_url", 1],
    ["words of one root", "publisher", "publication", 0],
    ["words of one root", "validator", "validation", 0.8],
    ["words that share five letters of eight", "transits", "transfer", 0.8],
    [
      "words that share five letters, and those are less than six tenths of the longer",
      "interval",
      "interoperable",
      0,
    ],
    ["words of just five letters and what goes on from them", "index", "indexers", 0.8],
    ["words that share six letters of ten", "production", "produces", 0.8],
    ["short words that share four letters", "index", "indent", 0],
    ["words that share four letters alone", "portal", "portfolio", 0],
    ["a short word and what goes on from it", "port", "porter", 0],
    ["two words", "cache", "queue", 0],
    ["two numbers", "8080", "8081", 0],
    ["a number and what names it", "8080", "port_8080", 0],
    ["what names a number and the number", "port_8080", "8080", 0],
    ["a version and what names it", "v20.1", "node_v20", 0],
    ["what names a version and the version", "node_v20", "v20.1", 0],
    ["a file and its folder", "src/api/users.ts", "src/api", 0.85],
    ["a folder and its file", "src/api", "src/api/users.ts", 0.85],
    ["a folder and one that begins like it", "docs/api", "docs/apis", 1.4 / 4],
    ["one piece and a path below it", "api_x", "api_x/users.ts", 1.4 / 4],
    ["two names of the same parts", "database_url", "databaseUrl", 0.95],
    ["the parts of one name run together", "database_url", "databaseurl_x", 0],
    ["two names of one part each", "--watch", "-watch", 0.7],
    ["names that share one part of two", "database_url", "database_port", 1.4 / 4],
    ["a word and a name that it stands in", "database", "DATABASE_URL", 1.4 / 3],
    ["a name and a word that stands in it", "DATABASE_URL", "database", 1.4 / 3],
    ["names without a part in common", "src/a_main.ts", "--no-verify", 0],
    ["names without any part", "-x", "-y", 0],
    ["a word and a name that it does not stand in", "queue", "DATABASE_URL", 0],
  ])("%s: %s and %s", (_what, one, other, expected) => {
    expect(alike(token(one), token(other))).toBeCloseTo(expected, 10);
  });

  test("the most alike of some counts, and there may be none", () => {
    expect(best(token("databaseUrl"), ["queue", "database", "database_url"].map(token))).toBe(0.95);
    expect(best(token("queue"), [])).toBe(0);
  });
});

describe("how alike two texts are, by the pairs of their letters", () => {
  test.each([
    ["the same", "abc", "abc", 1],
    ["nothing in common", "abc", "xyz", 0],
    ["half of it", "abcd", "bcde", 4 / 6],
    ["the first pair alone", "abx", "aby", 2 / 4],
    ["a pair counts as often as both have it", "aaaa", "aa", 2 / 4],
    ["a pair counts no more often than the other has it", "aa", "aaaa", 2 / 4],
    ["too short for a pair", "a", "b", 0],
    ["one of them too short", "a", "ab", 0],
    ["nothing and nothing", "", "", 1],
  ])("%s: %j and %j", (_what, one, other, expected) => {
    expect(dice(one, other)).toBeCloseTo(expected, 10);
  });
});

describe("what a word weighs", () => {
  const facts = [
    "Start the database before tests",
    "Start the queue",
    "Start make-all.sh and the database, the database",
  ].map(normalForm);
  const weigh = weights(facts);

  test.each([
    ["one that stands in all of three", "start", Math.log(1 + 4 / 3.5)],
    ["one that stands in two, however often in each", "database", Math.log(1 + 4 / 2.5)],
    ["one that stands in one", "queue", Math.log(1 + 4 / 1.5)],
    ["one that is new", "cache", Math.log(1 + 4 / 0.5)],
    ["an identifier, more than a word", "--all", 1.3 * Math.log(1 + 4 / 0.5)],
    ["an identifier that stands in one", "make-all.sh", 1.3 * Math.log(1 + 4 / 1.5)],
    ["a word without content", "the", 0],
  ])("%s", (_what, text, expected) => {
    expect(weigh(token(text))).toBeCloseTo(expected, 10);
  });
});

describe("what one fact says of another", () => {
  const plain: Weigh = ({ filler, kind }) => (filler ? 0 : kind === "word" ? 1 : 2);
  const of = (text: string): readonly Token[] => normalForm(text).tokens;

  test.each([
    ["all of it", "start the database", "start the database in the background", 1],
    ["half of its words", "start the queue", "start the database", 1 / 2],
    ["what weighs more counts more", "start --all", "start the database", 1 / 3],
    ["in part, what is alike in part", "database", "use DATABASE_URL", 1.4 / 3],
    ["nothing, where it says nothing", "the", "the database", 0],
    ["nothing, where the other says nothing", "database", "the", 0],
  ])("%s: %j in %j", (_what, inner, outer, expected) => {
    expect(containment(of(inner), of(outer), plain)).toBeCloseTo(expected, 10);
  });

  test.each([
    ["the same", "start the database", "start the database", 1],
    ["nothing in common", "start the database", "rotate keys", 0],
    [
      "all of the one in half of the other",
      "start the database",
      "start the database, rotate keys",
      0.6 * ((2 * 1 * 0.5) / (1 + 0.5)) + 0.4 * 1,
    ],
  ])("%s: how near %j and %j are", (_what, one, other, expected) => {
    const near = nearness(normalForm(one), normalForm(other), plain);
    const back = nearness(normalForm(other), normalForm(one), plain);
    expect(near).toBeCloseTo(expected, 10);
    expect(back).toBeCloseTo(near, 10);
  });

  test("a sum is of all", () => expect(sum([1, 2, 4])).toBe(7));
});
