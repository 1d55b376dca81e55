import { expect, test } from "vitest";
import type { JsonObject } from "../../src/event/parse-payload.ts";
import { issue, pull, sha, understood } from "./minimal.ts";

const [t1, t2, t3] = [
  "2026-03-01T12:00:01Z",
  "2026-03-01T12:00:02Z",
  "2026-03-01T12:00:03Z",
] as const;
const anIssue = { ...issue, id: 70, created_at: t1, updated_at: t2, closed_at: t3 };
const aPull = { ...pull, id: 120, created_at: t1, updated_at: t2, closed_at: t3 };
const comment = { id: 5, created_at: t1, updated_at: t2 };
const review = { id: 6, submitted_at: t1, updated_at: t2, state: "approved" };
const run = {
  id: 8,
  name: "test",
  head_sha: sha,
  status: "completed",
  conclusion: "failure",
  started_at: t1,
  completed_at: t2,
};
const suite = { id: 9, head_sha: sha, conclusion: "success", updated_at: t1 };
const flow = {
  id: 10,
  name: "CI",
  head_sha: sha,
  conclusion: "success",
  run_attempt: 2,
  updated_at: t1,
};
const status = { id: 11, context: "ci", state: "success", sha };

const issues = (action: string, over: JsonObject = {}): JsonObject => ({
  action,
  issue: anIssue,
  ...over,
});
const pulls = (action: string, over: JsonObject = {}): JsonObject => ({
  action,
  pull_request: aPull,
  ...over,
});
const said = (action: string, over: JsonObject = {}): JsonObject => ({
  action,
  issue: anIssue,
  comment: { ...comment, ...over },
});
const onDiff = (action: string, over: JsonObject = {}): JsonObject => ({
  action,
  pull_request: aPull,
  comment: { ...comment, ...over },
});
const reviews = (action: string, over: JsonObject = {}): JsonObject => ({
  action,
  pull_request: aPull,
  review: { ...review, ...over },
});
const checks = (action: string, over: JsonObject = {}): JsonObject => ({
  action,
  check_run: { ...run, ...over },
});
const suites = (action: string, over: JsonObject = {}): JsonObject => ({
  action,
  check_suite: { ...suite, ...over },
});
const flows = (action: string, over: JsonObject = {}): JsonObject => ({
  action,
  workflow_run: { ...flow, ...over },
});

/** A semantic key and a time for each happening, as moment.ts and ci-moment.ts promise them. */
test.each<readonly [event: string, payload: JsonObject, key: string, at: string | null]>([
  ["issues", issues("opened"), "issue:70:opened", t1],
  ["issues", issues("opened", { issue: { ...anIssue, created_at: null } }), "issue:70:opened", t2],
  ["issues", issues("opened", { issue: { number: 7 } }), "issue:octo/shop#7:opened", null],
  ["issues", issues("closed"), `issue:70:closed:${t3}`, t3],
  [
    "issues",
    issues("closed", { issue: { ...anIssue, closed_at: null } }),
    `issue:70:closed:${t2}`,
    t2,
  ],
  ["issues", issues("closed", { issue: { ...issue, id: 70 } }), "issue:70:closed:d-1", null],
  ["issues", issues("reopened"), "issue:70:reopened", t2],
  ["issues", issues("edited"), "issue:70:edited", t2],
  ["issues", issues("pinned"), `issue:70:pinned:${t2}`, t2],
  ["issues", issues("pinned", { issue: { ...issue, id: 70 } }), "issue:70:pinned:d-1", null],
  ["issues", issues("labeled", { label: { name: "bug" } }), `issue:70:labeled:bug:${t2}`, t2],
  ["issues", issues("unlabeled", { label: { name: "bug" } }), `issue:70:unlabeled:bug:${t2}`, t2],
  ["issues", issues("assigned", { assignee: { login: "bob" } }), `issue:70:assigned:bob:${t2}`, t2],
  [
    "issues",
    issues("unassigned", { assignee: { login: "bob" } }),
    `issue:70:unassigned:bob:${t2}`,
    t2,
  ],
  ["issues", issues("labeled"), `issue:70:labeled::${t2}`, t2],
  ["issues", issues("assigned"), `issue:70:assigned::${t2}`, t2],
  ["issues", issues("milestoned", { milestone: { number: 3 } }), `issue:70:milestoned:3:${t2}`, t2],
  [
    "issues",
    issues("demilestoned", { milestone: { number: 3 } }),
    `issue:70:demilestoned:3:${t2}`,
    t2,
  ],
  ["pull_request", pulls("opened"), "pull-request:120:opened", t1],
  [
    "pull_request",
    pulls("synchronize", { before: "b1", after: "a1" }),
    "pull-request:120:synchronize:b1..a1",
    t2,
  ],
  ["pull_request", pulls("synchronize", { before: "b1" }), "pull-request:120:synchronize:b1..", t2],
  ["pull_request", pulls("synchronize", { after: "a1" }), "pull-request:120:synchronize:..a1", t2],
  ["pull_request", pulls("synchronize"), `pull-request:120:synchronize:${t2}`, t2],
  [
    "pull_request",
    pulls("synchronize", { pull_request: { ...pull, id: 120 } }),
    "pull-request:120:synchronize:d-1",
    null,
  ],
  ["pull_request", pulls("ready_for_review"), "pull-request:120:ready_for_review", t2],
  ["pull_request", pulls("converted_to_draft"), "pull-request:120:converted_to_draft", t2],
  [
    "pull_request",
    pulls("review_requested", { requested_reviewer: { login: "bob" } }),
    "pull-request:120:review_requested:bob:",
    t2,
  ],
  [
    "pull_request",
    pulls("review_requested", { requested_team: { slug: "us" } }),
    "pull-request:120:review_requested:us:",
    t2,
  ],
  [
    "pull_request",
    pulls("review_request_removed", { requested_reviewer: { login: "bob" } }),
    `pull-request:120:review_request_removed:bob:${t2}`,
    t2,
  ],
  ["issue_comment", said("created"), "comment:5:created", t1],
  ["issue_comment", said("edited"), `comment:5:edited:${t2}`, t2],
  ["issue_comment", said("edited", { updated_at: null }), "comment:5:edited:d-1", null],
  ["issue_comment", said("deleted"), "comment:5:deleted", t2],
  ["pull_request_review_comment", onDiff("created"), "diff-comment:5:created", t2],
  [
    "pull_request_review_comment",
    onDiff("created", { updated_at: null }),
    "diff-comment:5:created",
    t1,
  ],
  ["pull_request_review_comment", onDiff("edited"), `diff-comment:5:edited:${t2}`, t2],
  ["pull_request_review_comment", onDiff("deleted"), "diff-comment:5:deleted", t2],
  ["pull_request_review", reviews("submitted"), "review:6:submitted", t1],
  ["pull_request_review", reviews("edited", { updated_at: t3 }), `review:6:edited:${t3}`, t3],
  [
    "pull_request_review",
    { ...reviews("edited", { updated_at: null }), pull_request: { ...aPull, updated_at: t3 } },
    `review:6:edited:${t3}`,
    t3,
  ],
  [
    "pull_request_review",
    { ...reviews("dismissed", { updated_at: null }), pull_request: pull },
    "review:6:dismissed:d-1",
    null,
  ],
  ["check_run", checks("completed"), `check-run:8:completed:failure:${t2}`, t2],
  [
    "check_run",
    checks("completed", { completed_at: null }),
    `check-run:8:completed:failure:${t1}`,
    t1,
  ],
  [
    "check_run",
    checks("completed", { completed_at: null, started_at: null, conclusion: null }),
    "check-run:8:completed:none:d-1",
    null,
  ],
  ["check_run", checks("created"), `check-run:8:completed:failure:${t2}`, t2],
  ["check_run", checks("created", { status: "in_progress" }), `check-run:8:created:${t1}`, t1],
  [
    "check_run",
    checks("created", { status: "queued", started_at: null }),
    "check-run:8:created:d-1",
    null,
  ],
  ["check_run", checks("rerequested"), "check-run:8:rerequested:d-1", t1],
  ["check_run", checks("requested_action"), "check-run:8:requested_action:d-1", t1],
  ["check_suite", suites("completed"), `check-suite:9:completed:success:${t1}`, t1],
  ["check_suite", suites("requested"), `check-suite:9:requested:${t1}`, t1],
  ["check_suite", suites("rerequested"), "check-suite:9:rerequested:d-1", t1],
  ["workflow_run", flows("completed"), "workflow-run:10:2:completed:success", t1],
  [
    "workflow_run",
    flows("completed", { conclusion: null, run_attempt: null }),
    "workflow-run:10:1:completed:none",
    t1,
  ],
  ["workflow_run", flows("in_progress"), `workflow-run:10:2:in_progress:${t1}`, t1],
  [
    "workflow_run",
    flows("requested", { updated_at: null }),
    "workflow-run:10:2:requested:d-1",
    null,
  ],
  ["status", { ...status, created_at: t1, updated_at: t2 }, "status:11", t2],
  ["status", { ...status, created_at: t1 }, "status:11", t1],
])("%s %j: %s at %s", (event, payload, key, at) =>
  expect(understood(event, payload)).toMatchObject({ key, at }),
);
