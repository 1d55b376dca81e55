import type { OpenQuestion } from "./replay.ts";

/** Why it cannot be told what another configuration would have decided, in one sentence. */
export function openSentence({ question, about }: OpenQuestion): string {
  const item = about ?? "the work item";
  switch (question) {
    case "anything":
      return "It was turned away before anything was looked up for it, so nobody knows which work item it would have met, and how that stood.";
    case "lookups":
      return "The decision does not say what was looked up for it, so its work item cannot be found anew.";
    case "closing-references":
      return "The host was not asked which issues the pull request closes.";
    case "author-of-pull-request":
      return "Nobody looked who opened the pull request, which comes from a fork.";
    case "pull-requests-of-commit":
      return "The host was not asked which pull requests contain the commit.";
    case "issue-of-branch":
      return `The host was not asked whether ${item} exists, to which only the name of a branch points.`;
    case "edits-of-text":
      return `The host was not asked who edited the text of ${item} since.`;
    case "state":
      return `It might have belonged to ${item}, and how that stood was not read.`;
    case "turn-of-item":
      return `Nobody looked whether a turn of ${item} ran when the grant was written.`;
    case "own-activity":
      return `Nobody looked whether a session of ${item} did this itself.`;
  }
}
