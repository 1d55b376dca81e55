import type { OpenQuestion } from "../decide/replay.ts";

/** Why it cannot be told what another configuration would have decided, in one sentence. */
export function openSentence({ question, about }: OpenQuestion): string {
  const item = about ?? "the work item";
  switch (question) {
    case "anything":
      return "It was ignored before anything was looked up, so its work item and that item's state are unknown.";
    case "lookups":
      return "The decision doesn't record what was looked up, so its work item can't be resolved again.";
    case "closing-references":
      return "The code host wasn't asked which issues the pull request closes.";
    case "author-of-pull-request":
      return "The author of the pull request, which comes from a fork, wasn't looked up.";
    case "pull-requests-of-commit":
      return "The code host wasn't asked which pull requests contain the commit.";
    case "issue-of-branch":
      return `Only a branch name points to ${item}, and the code host wasn't asked whether it exists.`;
    case "edits-of-text":
      return `The code host wasn't asked who edited the text of ${item} since.`;
    case "state":
      return `It might have belonged to ${item}, whose state wasn't read.`;
    case "turn-of-item":
      return `It wasn't checked whether a turn of ${item} ran when the collaborator was added.`;
    case "own-activity":
      return `It wasn't checked whether a session of ${item} did this itself.`;
  }
}
