import { expect, test } from "vitest";
import { goneIn } from "../../src/learnings/retirement.ts";

/**
 * The words for what is gone, in brackets where it is only said to be absent; null where nothing
 * ends.
 */
const gone = (text: string): string | null => {
  const ending = goneIn(text.split(" ").filter((word) => word !== ""));
  return ending === null
    ? null
    : ending.absent
      ? `(${ending.words.join(" ")})`
      : ending.words.join(" ");
};

test.each([
  ["stop doing", "stop adding red", "adding red"],
  ["stop a thing", "stop red now", null],
  ["stop doing, and not what", "stop adding", null],
  ["forget something", "forget red rules", "red rules"],
  ["forget one word", "forget red", null],
  ["disregard something", "disregard red rules", "red rules"],
  ["remember something", "remember red rules", null],
  ["it is wrong", "it is wrong that red burns", "that red burns"],
  ["it is false", "it is false that red burns", "that red burns"],
  ["it is untrue", "it is untrue that red burns", "that red burns"],
  ["it is not true", "it is not true that red burns", "that red burns"],
  ["it was not true", "it was not true that red burns", null],
  ["another thing is not true", "red is not true of blue", null],
  ["it is true", "it is now true that red burns", null],
  ["it is not new", "it is not new that red burns", null],
  ["it was", "it burns wrong that red", null],
  ["another thing is wrong", "red is wrong", "red"],
  ["a team gave it up", "we dropped red", "red"],
  ["a team did something else with it", "we painted red", null],
  ["somebody else gave it up", "people dropped red", null],
  ["no longer", "red no longer burns", "red"],
  ["no longer, first", "no longer run red", "no longer run red"],
  ["no need, first", "no need to run red", "no need to run red"],
  ["no more, at the end", "red is no more", "red"],
  ["no more, first", "no more red here", null],
  ["no, and something else", "red has no blue", null],
  ["anymore", "do not run red anymore", "do not run red"],
  ["any more", "do not run red any more", "do not run red"],
  ["any longer", "do not run red any longer", "do not run red"],
  ["any other", "do not run red any other way", null],
  ["needs no", "red needs no blue", "red"],
  ["need no", "reds need no blue", "reds"],
  ["needs", "red needs blue", null],
  ["has no", "red takes no blue", null],
  ["went away", "red went away", "red"],
  ["went elsewhere", "red went down", null],
  ["away otherwise", "red ran away", null],
  ["was removed, all of it", "red was now completely removed", "red"],
  ["was phased out", "red was phased out", "red"],
  ["was phased in", "red was phased in", null],
  ["was let out", "red was let out", null],
  ["was shut down", "red was shut down", "red"],
  ["was shut in", "red was shut in", null],
  ["was put down", "red was put down", null],
  ["was, and nothing behind it", "red was", null],
  ["is removed", "red is removed", "red"],
  ["are removed", "reds are removed", "reds"],
  ["is removed again and again", "red is removed after launch", null],
  ["are removed again and again", "reds are removed after launch", null],
  ["was removed once", "red was removed after launch", "red"],
  ["what was so is often called so", "there the old red was removed", "the red"],
  ["it may be called so twice", "now the deleted red was removed", "the red"],
  ["who says so is not gone", "we said red was removed", "said red"],
  ["is not used", "red is not used", "(red)"],
  ["does not exist", "red does not exist", "(red does)"],
  ["do not exist", "reds do not exist", "(reds do)"],
  ["can not exist", "red can not exist", null],
  ["is never used", "red is never used", null],
  ["is not burnt", "red is not burnt", null],
  ["is not used in one place", "red is not used here", null],
  ["not used, and nothing before it", "not used", null],
  ["an end in a side clause", "ask before a red is removed", null],
  [
    "an end in a side clause, and another one behind it",
    "ask before a red was removed until blue",
    null,
  ],
  [
    "an end behind a noun's own words",
    "every gate before merging was removed",
    "every gate before merging",
  ],
  [
    "something of its own before these",
    "we keep it until merging was dropped",
    "keep it until merging",
  ],
  ["a side clause first", "before a red was removed", "before a red"],
  ["nothing", "", null],
])("%s: of %j is gone %j", (_what, text, expected) => {
  expect(gone(text)).toBe(expected);
});
