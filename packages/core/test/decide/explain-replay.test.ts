import { expect, it } from "vitest";
import { openSentence } from "../../src/decide/explain-replay.ts";
import type { OpenQuestion } from "../../src/decide/replay.ts";
import { issueRef } from "../../src/testing/index.ts";
import { formatRef } from "../../src/work-item/ref.ts";

/**
 * Each tells which fact is missing, about which work item, so that a person can look for it
 * (decisions.md 4).
 */
it.each<[OpenQuestion["question"], string]>([
  [
    "anything",
    "It was turned away before anything was looked up for it, so nobody knows which work item it would have met, and how that stood.",
  ],
  [
    "lookups",
    "The decision does not say what was looked up for it, so its work item cannot be found anew.",
  ],
  ["closing-references", "The host was not asked which issues the pull request closes."],
  ["pull-requests-of-commit", "The host was not asked which pull requests contain the commit."],
  [
    "issue-of-branch",
    "The host was not asked whether host:octo/shop#7 exists, to which only the name of a branch points.",
  ],
  ["state", "It might have belonged to host:octo/shop#7, and how that stood was not read."],
  [
    "turn-of-item",
    "Nobody looked whether a turn of host:octo/shop#7 ran when the grant was written.",
  ],
  ["own-activity", "Nobody looked whether a session of host:octo/shop#7 did this itself."],
])("%s is told in one sentence", (question, sentence) => {
  expect(openSentence({ question, about: formatRef(issueRef) })).toBe(sentence);
});

it("speaks of the work item where nobody knows which it is", () => {
  expect(openSentence({ question: "state", about: null })).toBe(
    "It might have belonged to the work item, and how that stood was not read.",
  );
});
