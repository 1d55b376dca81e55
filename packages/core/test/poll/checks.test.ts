import { describe, expect, test } from "vitest";
import {
  checkHappening,
  statusHappening,
  suiteHappening,
  workflowHappening,
} from "../../src/poll/checks.ts";
import type { Happening } from "../../src/poll/happening.ts";

const at = "2024-05-06T12:00:00Z";
const repository = { id: 1, full_name: "maria/garden" };
const ended = {
  id: 9,
  status: "completed",
  conclusion: "failure",
  completed_at: at,
  updated_at: at,
  run_attempt: 2,
};
const ci = { at, kind: "ci", number: null, current: null, editedNode: null };

const kinds: readonly (readonly [
  string,
  (raw: unknown, repository: { readonly [key: string]: unknown }) => Happening | null,
  string,
  string,
])[] = [
  [
    "check_run",
    checkHappening,
    `check-run:9:completed:failure:${at}`,
    `check-run:9:completed:none:${at}`,
  ],
  [
    "check_suite",
    suiteHappening,
    `check-suite:9:completed:failure:${at}`,
    `check-suite:9:completed:none:${at}`,
  ],
  [
    "workflow_run",
    workflowHappening,
    "workflow-run:9:2:completed:failure",
    "workflow-run:9:2:completed:none",
  ],
];

describe.each(kinds)("%s", (event, read, identity, unsaid) => {
  test("that has ended becomes its webhook, by nobody", () => {
    expect(read(ended, repository)).toEqual({
      ...ci,
      event,
      identity,
      payload: { action: "completed", [event]: ended, repository },
    });
  });

  test("has a name also where it has no conclusion", () => {
    expect(read({ ...ended, conclusion: null }, repository)?.identity).toBe(unsaid);
    expect(read({ ...ended, conclusion: 7 }, repository)?.identity).toBe(unsaid);
  });

  const odd: readonly (readonly [string, unknown])[] = [
    ["nothing", null],
    ["a list", [ended]],
    ["one that runs", { ...ended, status: "in_progress" }],
    ["one without an id", { ...ended, id: null }],
    ["one without a time", { ...ended, completed_at: 7, updated_at: null }],
  ];
  test.each(odd)("is not made of %s", (_name, raw) => expect(read(raw, repository)).toBeNull());
});

test("a workflow run that says no attempt is its first", () => {
  expect(workflowHappening({ ...ended, run_attempt: null }, repository)?.identity).toBe(
    "workflow-run:9:1:completed:failure",
  );
});

describe("a commit status", () => {
  const status = {
    id: 3,
    state: "success",
    context: "lint",
    created_at: "2024-05-06T11:00:00Z",
    updated_at: at,
  };

  test("becomes its webhook, with the commit whose list it stands in", () => {
    expect(statusHappening(status, "abc", repository)).toEqual({
      ...ci,
      event: "status",
      identity: "status:3",
      payload: { ...status, sha: "abc", repository },
    });
    expect(statusHappening({ ...status, updated_at: null }, "abc", repository)?.at).toBe(
      "2024-05-06T11:00:00Z",
    );
  });

  const odd: readonly (readonly [string, unknown])[] = [
    ["nothing", null],
    ["a list", [status]],
    ["one that is pending", { ...status, state: "pending" }],
    ["one without an id", { ...status, id: null }],
    ["one without a time", { ...status, created_at: null, updated_at: null }],
  ];
  test.each(odd)("is not made of %s", (_name, raw) =>
    expect(statusHappening(raw, "abc", repository)).toBeNull(),
  );
});
