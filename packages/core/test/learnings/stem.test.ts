import { expect, test } from "vitest";
import { areContrary, functionWords, negations } from "../../src/learnings/lexicon.ts";
import { stem } from "../../src/learnings/stem.ts";

test.each([
  ["forms of one verb", ["patch", "patches", "patched", "patching"], "patch"],
  ["a doubled letter behind a short vowel", ["plan", "plans", "planned", "planning"], "plan"],
  ["a doubled letter that belongs to the word", ["pass", "passes", "passed", "passing"], "pass"],
  ["a doubled letter inside of a word", ["bubble", "bubbles", "bubbled", "bubbling"], "bubbl"],
  ["a silent e", ["cache", "caches", "cached", "caching"], "cach"],
  ["a plural in -ies", ["policy", "policies"], "policy"],
  ["a plural in -xes and -zes", ["box", "boxes"], "box"],
  ["a hissing inside of a word", ["assessor", "assessors"], "assessor"],
  ["an adverb", ["loud", "loudly"], "loud"],
  ["an adverb of a word with an e", ["safe", "safely"], "saf"],
  ["a possession", ["worker", "worker's", "workers"], "worker"],
  ["what ends in -us", ["status"], "status"],
  ["what has -us inside", ["user", "users"], "user"],
  ["what ends in -is", ["redis"], "redis"],
  ["what only begins like an ending", ["ingest", "ingests"], "ingest"],
  ["what begins with -ly", ["lyric", "lyrics"], "lyric"],
  ["what begins with -ed", ["editor", "editors"], "editor"],
  ["what begins with -s", ["shard", "shards"], "shard"],
  ["what begins with -e", ["event", "events"], "event"],
  ["words of three letters", ["gas"], "gas"],
  ["an ending that is most of the word", ["bring"], "bring"],
  ["a short word with -ing behind", ["eating", "eats"], "eat"],
  ["a word that ends in e before -ing", ["seeing"], "see"],
  ["a short word that ends in -ed", ["shed"], "shed"],
  ["a short word with -ed behind", ["faded", "fades"], "fad"],
  ["a short word that ends in -ly", ["early"], "early"],
  ["a short word with -ly behind", ["gladly"], "glad"],
  ["words of three letters with an e", ["use's", "use"], "use"],
  ["words of four letters with an s behind", ["ties"], "tie"],
])("%s are one stem: %j", (_what, words, expected) => {
  expect(words.map(stem)).toEqual(words.map(() => expected));
});

test.each([
  ["start", "end", true],
  ["end", "start", true],
  ["key", "value", true],
  ["import", "export", true],
  ["start", "value", false],
  ["", "", false],
])("%s and %s are two sides of one thing: %s", (one, other, expected) => {
  expect(areContrary(one, other)).toBe(expected);
});

test("lists of words hold words, and no blank", () => {
  expect([...functionWords, ...negations].filter((word) => !/^[a-z.]{1,10}$/u.test(word))).toEqual(
    [],
  );
  expect([functionWords.has("the"), functionWords.has("ie"), functionWords.has("server")]).toEqual([
    true,
    true,
    false,
  ]);
});

test.each([
  ["utilise", "use"],
  ["used", "use"],
  ["launch", "run"],
  ["subfolder", "directory"],
  ["guess", "assume"],
  ["auto", "automatically"],
])("%s is read as %s", (one, other) => {
  expect(stem(one)).toBe(stem(other));
});
