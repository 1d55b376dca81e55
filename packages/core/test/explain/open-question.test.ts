import { expect, it } from "vitest";
import { openSentence } from "../../src/explain/open-question.ts";
import type { OpenQuestion } from "../../src/decide/replay.ts";
import { issueRef } from "../../src/testing/build-state.ts";
import { formatRef } from "../../src/ref/ref.ts";

/** Each tells which fact is missing, about which work item, so that a person can look for it. */
it.each<[OpenQuestion["question"], string]>([
  [
    "anything",
    "It was ignored before anything was looked up, so its work item and that item's state are unknown.",
  ],
  [
    "lookups",
    "The decision doesn't record what was looked up, so its work item can't be resolved again.",
  ],
  ["closing-references", "The code host wasn't asked which issues the pull request closes."],
  ["pull-requests-of-commit", "The code host wasn't asked which pull requests contain the commit."],
  [
    "issue-of-branch",
    "Only a branch name points to host:octo/shop#7, and the code host wasn't asked whether it exists.",
  ],
  ["state", "It might have belonged to host:octo/shop#7, whose state wasn't read."],
  [
    "turn-of-item",
    "It wasn't checked whether a turn of host:octo/shop#7 ran when the collaborator was added.",
  ],
  ["own-activity", "It wasn't checked whether a session of host:octo/shop#7 did this itself."],
])("%s is told in one sentence", (question, sentence) => {
  expect(openSentence({ question, about: formatRef(issueRef) })).toBe(sentence);
});

it("speaks of the work item where nobody knows which it is", () => {
  expect(openSentence({ question: "state", about: null })).toBe(
    "It might have belonged to the work item, whose state wasn't read.",
  );
});
