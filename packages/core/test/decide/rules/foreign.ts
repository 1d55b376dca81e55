import {
  activityEvent,
  carol,
  ciEvent,
  closedEvent,
  commentEvent,
  labelEvent,
  mallory,
  pullRequestOf,
} from "../../../src/testing/build-event.ts";
import { issueRef, itemOf, pullRef, targetOf } from "../../../src/testing/build-state.ts";
import { given } from "../../../src/testing/given.ts";
import { formatRef } from "../../../src/ref/ref.ts";
import { type Rule, record, status } from "./rule.ts";

const branches = {
  head: "patch-1",
  headSha: "f".repeat(40),
  headRepository: "mallory/shop",
  base: "main",
  sameRepository: false,
};
const theirs = pullRequestOf({ author: mallory, body: "Closes #7", branches });
const foreign = { issues: [issueRef], atWork: true, told: true, author: "mallory" };
const at = (
  over: Partial<typeof foreign> = {},
): { readonly target: ReturnType<typeof targetOf> } => ({
  target: targetOf({ workItem: pullRef, endpoint: pullRef, foreign: { ...foreign, ...over } }),
});
const onTheirs = given(at());
const idleIssue = given(at({ atWork: false }));
const untold = given(at({ told: false }));
const known = itemOf("idle", {
  workItem: { ref: formatRef(pullRef), armed: false, labels: [], hostId: "200012" },
});
const review = { surface: "review", event: "pull_request_review", action: "submitted" } as const;
const told = (after: Parameters<typeof status>[0]): unknown => after.workItem?.foreignTold === true;

/**
 * A pull request of somebody without authority, from a fork, that names an issue at work
 * (ADR 0009).
 */
export const foreignRules: readonly Rule[] = [
  {
    name: "an authorized person's comment reaches no session, and the thread says so",
    given: onTheirs,
    when: commentEvent("rewrite this", { item: theirs }),
    says: "noted: foreign-pull-request",
    does: ["reply #12"],
    leaves: [told, true],
  },
  {
    name: "the thread is told once",
    given: onTheirs.after(commentEvent("rewrite this", { item: theirs })),
    when: commentEvent("and this", { item: theirs }),
    says: "ignored: foreign-pull-request",
  },
  {
    name: "a review is no different",
    given: onTheirs,
    when: commentEvent("use tabs", {
      ...review,
      item: theirs,
      comment: { reviewState: "changes_requested" },
    }),
    says: "noted: foreign-pull-request",
    does: ["reply #12"],
  },
  {
    name: "nor is a comment on its diff",
    given: onTheirs,
    when: commentEvent("use tabs", {
      surface: "diff",
      event: "pull_request_review_comment",
      item: theirs,
    }),
    says: "noted: foreign-pull-request",
    does: ["reply #12"],
  },
  {
    name: "nor is an edited comment",
    given: onTheirs,
    when: commentEvent("use tabs", { change: "edited", action: "edited", item: theirs }),
    says: "noted: foreign-pull-request",
    does: ["reply #12"],
  },
  {
    name: "where the issue is not at work, the thread is told nothing",
    given: idleIssue,
    when: commentEvent("rewrite this", { item: theirs }),
    says: "ignored: foreign-pull-request",
    leaves: [record, null],
  },
  {
    name: "its author's comment is dropped unread",
    given: onTheirs,
    when: commentEvent("please merge", { by: mallory, item: theirs }),
    says: "ignored: stranger-dropped",
  },
  {
    name: "so is that of a collaborator of the issue, who is none of the pull request",
    given: onTheirs,
    when: commentEvent("please merge", { by: carol, item: theirs }),
    says: "ignored: stranger-dropped",
  },
  {
    name: "a stop applies to the pull request alone, which the thread is told",
    given: onTheirs,
    when: commentEvent("loop stop", { item: theirs }),
    says: "stopped: stop-requested",
    does: ["react eyes", "react hooray", "reply #12"],
    leaves: [
      (after) => [status(after), after.workItem?.ref, told(after)],
      ["stopped", formatRef(pullRef), true],
    ],
  },
  {
    name: "a start needs the label on the pull request itself",
    given: onTheirs,
    when: commentEvent("loop start", { item: theirs }),
    says: "refused: not-armed",
    does: ["react confused", "reply #12"],
    leaves: [record, null],
  },
  {
    name: "with the label it opens a session of the pull request's own",
    given: onTheirs,
    when: commentEvent("loop start", { item: { ...theirs, labels: ["loop: auto-execute"] } }),
    says: "started: start-requested",
    does: ["react eyes", "turn spawn #12", "react hooray", "reply #12"],
  },
  {
    name: "what an authorized person does there tells nobody",
    given: onTheirs,
    when: activityEvent({ action: "edited", item: theirs }),
    says: "ignored: foreign-pull-request",
  },
  {
    name: "a push by an authorized person does not either",
    given: given({ ...at(), item: known }),
    when: activityEvent({ action: "synchronize", item: theirs }),
    says: "noted: foreign-pull-request",
  },
  {
    name: "reopening it reaches nobody",
    given: onTheirs,
    when: activityEvent({ action: "reopened", item: theirs }),
    says: "ignored: foreign-pull-request",
  },
  {
    name: "its label arms the pull request alone",
    given: onTheirs,
    when: labelEvent({ item: { ...theirs, labels: ["loop: auto-execute"] } }),
    says: "noted: armed",
    leaves: [(after) => after.workItem?.ref, formatRef(pullRef)],
  },
  {
    name: "closing it tells no session of the issue",
    given: onTheirs,
    when: closedEvent({ item: theirs }),
    says: "ignored: foreign-pull-request",
  },
  {
    name: "a closing of one that carries the label is remembered",
    given: onTheirs,
    when: closedEvent({ item: { ...theirs, labels: ["loop: auto-execute"] } }),
    says: "noted: foreign-pull-request",
    leaves: [(after) => after.workItem?.open, false],
  },
  {
    name: "its checks wake nobody",
    given: onTheirs,
    when: ciEvent({ headSha: "f".repeat(40) }),
    says: "ignored: foreign-pull-request",
  },
  {
    name: "where the host did not say whether it comes from a fork, nobody guesses",
    given: untold,
    when: commentEvent("rewrite this", { item: theirs }),
    says: "ignored: link-unanswered",
  },
  {
    name: "there a keyword is refused aloud, so that nobody takes a stop for done",
    given: untold,
    when: commentEvent("loop stop", { item: theirs }),
    says: "refused: link-unanswered",
    does: ["react confused", "reply #12"],
  },
  {
    name: "without a start command its label starts nothing there",
    given: given(at({ told: false }), { requireStartCommand: false }),
    when: labelEvent({ item: { ...theirs, labels: ["loop: auto-execute"] } }),
    says: "noted: armed",
  },
];
