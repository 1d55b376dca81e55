import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/delivery/admit.ts";
import { issue, pull, sha, understood } from "./minimal.ts";

const person = { login: "ada", id: 7, type: "User" };
const [t1, t2] = ["2026-03-01T12:00:01Z", "2026-03-01T12:00:02Z"] as const;
const raw = {
  id: 5,
  body: "words",
  user: person,
  html_url: "https://x.example/5",
  created_at: t1,
  submitted_at: t2,
  state: "APPROVED",
  commit_id: sha,
  path: "a.ts",
  line: 3,
};
const plain = {
  id: "5",
  body: "words",
  author: { login: "ada", id: "7", bot: false },
  url: "https://x.example/5",
  createdAt: t1,
  reviewState: null,
  path: null,
  line: null,
};

describe("what was said", () => {
  test.each<readonly [where: string, event: string, payload: JsonObject, comment: object]>([
    ["on the thread", "issue_comment", { action: "created", issue, comment: raw }, plain],
    [
      "in a review, whose state is written small and which is of a commit",
      "pull_request_review",
      { action: "submitted", pull_request: pull, review: raw },
      { ...plain, createdAt: t2, reviewState: "approved", commitId: sha },
    ],
    [
      "in a review that tells nothing more",
      "pull_request_review",
      { action: "submitted", pull_request: pull, review: { id: 5 } },
      {
        id: "5",
        body: "",
        author: null,
        url: null,
        createdAt: null,
        reviewState: null,
        commitId: null,
        path: null,
        line: null,
      },
    ],
    [
      "on a line of a diff",
      "pull_request_review_comment",
      { action: "created", pull_request: pull, comment: raw },
      { ...plain, path: "a.ts", line: 3 },
    ],
    [
      "on a whole file",
      "pull_request_review_comment",
      { action: "created", pull_request: pull, comment: { ...raw, line: null } },
      { ...plain, path: "a.ts" },
    ],
    [
      "on a line that is none",
      "pull_request_review_comment",
      { action: "created", pull_request: pull, comment: { ...raw, line: "3" } },
      { ...plain, path: "a.ts" },
    ],
  ])("%s", (_, event, payload, comment) => {
    const read = understood(event, payload);
    expect(typeof read === "object" && "comment" in read && read.comment).toEqual(comment);
  });
});

describe("words that people wrote", () => {
  const ada = { login: "ada", id: null, bot: false };
  const onThread = { issue, comment: raw };
  const onDiff = { pull_request: pull, comment: raw };
  const inReview = { pull_request: pull, review: raw };
  test.each<readonly [event: string, payload: JsonObject, action: string, expected: object]>([
    [
      "issue_comment",
      onThread,
      "created",
      { kind: "comment", surface: "conversation", change: "created" },
    ],
    [
      "issue_comment",
      onThread,
      "edited",
      { kind: "comment", surface: "conversation", change: "edited" },
    ],
    [
      "issue_comment",
      onThread,
      "deleted",
      { kind: "comment", surface: "conversation", change: "deleted" },
    ],
    ["issue_comment", onThread, "pinned", { kind: "activity" }],
    [
      "pull_request_review_comment",
      onDiff,
      "created",
      { kind: "comment", surface: "diff", change: "created" },
    ],
    [
      "pull_request_review_comment",
      onDiff,
      "edited",
      { kind: "comment", surface: "diff", change: "edited" },
    ],
    [
      "pull_request_review_comment",
      onDiff,
      "deleted",
      { kind: "comment", surface: "diff", change: "deleted" },
    ],
    [
      "pull_request_review",
      inReview,
      "submitted",
      { kind: "comment", surface: "review", change: "created" },
    ],
    [
      "pull_request_review",
      inReview,
      "edited",
      { kind: "comment", surface: "review", change: "edited" },
    ],
    ["pull_request_review", inReview, "dismissed", { kind: "activity" }],
  ])("%s, %j, %s", (event, payload, action, expected) =>
    expect(understood(event, { ...payload, action })).toMatchObject({
      ...expected,
      action,
      actor: ada,
    }),
  );
});

describe("the labels of an item", () => {
  const labels = (...names: readonly string[]): JsonObject => ({
    ...issue,
    labels: names.map((name) => ({ name })),
  });
  test.each<readonly [action: string, sent: readonly string[], after: readonly string[]]>([
    ["labeled", ["bug", "docs"], ["bug", "docs"]],
    ["labeled", ["docs"], ["docs", "bug"]],
    ["unlabeled", ["docs"], ["docs"]],
    ["unlabeled", ["bug", "docs"], ["docs"]],
  ])(
    "are those after the change, whether the host sent them so or not: bug is %s, sent were %j",
    (action, sent, after) => {
      expect(
        understood("issues", { action, label: { name: "bug" }, issue: labels(...sent) }),
      ).toMatchObject({ kind: "label", item: { labels: after } });
    },
  );
});

const run = {
  id: 8,
  name: "test",
  head_sha: sha,
  html_url: "https://x.example/8",
  status: "completed",
  conclusion: "failure",
  check_suite: { id: 9, head_branch: "issue-7" },
  app: { slug: "builder", id: 3 },
};
const suite = {
  id: 9,
  head_sha: sha,
  head_branch: "issue-7",
  conclusion: "failure",
  app: { name: "Builder", slug: "builder", id: 3 },
};
const flow = {
  id: 10,
  name: "CI",
  path: "ci.yml",
  head_sha: sha,
  head_branch: "issue-7",
  html_url: "https://x.example/10",
  conclusion: "failure",
  workflow_id: 4,
  event: "push",
};
const status = {
  id: 11,
  context: "ci",
  state: "failure",
  sha,
  target_url: "https://x.example/11",
  branches: [{ name: "issue-7" }],
};
const check = {
  name: "test",
  headSha: sha,
  headBranch: "issue-7",
  phase: "completed",
  conclusion: "failure",
  url: "https://x.example/8",
  pullRequests: [],
  pullRequestHead: null,
  pullRequestFork: null,
  source: "builder",
  run: "9",
};

describe("a check", () => {
  test.each<readonly [what: string, event: string, payload: JsonObject, check: object]>([
    ["run that is done", "check_run", { action: "completed", check_run: run }, check],
    [
      "run that begins",
      "check_run",
      { action: "created", check_run: { ...run, status: "in_progress" } },
      { ...check, phase: "running", conclusion: null },
    ],
    [
      "run that waits",
      "check_run",
      { action: "created", check_run: { ...run, status: "queued" } },
      { ...check, phase: "queued", conclusion: null },
    ],
    [
      "run that is asked for again",
      "check_run",
      { action: "rerequested", check_run: run },
      { ...check, phase: "queued", conclusion: null },
    ],
    [
      "run by an app without a name",
      "check_run",
      { action: "completed", check_run: { ...run, app: { id: 3 } } },
      { ...check, source: "3" },
    ],
    [
      "suite",
      "check_suite",
      { action: "completed", check_suite: suite },
      { ...check, name: "Builder", url: null },
    ],
    [
      "suite that was asked for",
      "check_suite",
      { action: "requested", check_suite: { ...suite, app: { slug: "builder" } } },
      { ...check, name: "builder", phase: "queued", conclusion: null, url: null },
    ],
    [
      "suite of nobody",
      "check_suite",
      { action: "completed", check_suite: { ...suite, app: null } },
      { ...check, name: "check suite", url: null, source: null },
    ],
    [
      "workflow run",
      "workflow_run",
      { action: "completed", workflow_run: flow },
      { ...check, name: "CI", url: "https://x.example/10", source: "4 push", run: null },
    ],
    [
      "workflow run that goes on, by its file",
      "workflow_run",
      { action: "in_progress", workflow_run: { ...flow, name: null, workflow_id: null } },
      {
        ...check,
        name: "ci.yml",
        phase: "running",
        conclusion: null,
        url: "https://x.example/10",
        source: "ci.yml push",
        run: null,
      },
    ],
    [
      "workflow run that was asked for, of nothing that anybody tells",
      "workflow_run",
      { action: "requested", workflow_run: { ...flow, path: null, workflow_id: null } },
      {
        ...check,
        name: "CI",
        phase: "queued",
        conclusion: null,
        url: "https://x.example/10",
        source: null,
        run: null,
      },
    ],
    [
      "status",
      "status",
      status,
      {
        ...check,
        name: "ci",
        headBranch: null,
        url: "https://x.example/11",
        source: null,
        run: null,
      },
    ],
    [
      "status that is pending",
      "status",
      { ...status, state: "pending" },
      {
        ...check,
        name: "ci",
        headBranch: null,
        phase: "queued",
        conclusion: null,
        url: "https://x.example/11",
        source: null,
        run: null,
      },
    ],
  ])("%s", (_, event, payload, expected) => {
    const read = understood(event, payload);
    expect(typeof read === "object" && "check" in read && read.check).toEqual(expected);
  });

  const own = (over: JsonObject, head: JsonObject | null = { sha }): JsonObject => ({
    base: { repo: { id: 500, name: "shop" } },
    head,
    ...over,
  });
  test.each<
    readonly [what: string, listed: unknown, numbers: readonly number[], head: string | null]
  >([
    [
      "those against this repository",
      [own({ number: 1, base: { repo: { id: 501, name: "shop" } } }), own({ number: 2 })],
      [2],
      sha,
    ],
    [
      "by the name where no id is told",
      [
        own({ number: 1, base: { repo: { name: "shop" } } }),
        own({ number: 2, base: { repo: { name: "other" } } }),
      ],
      [1],
      sha,
    ],
    ["not what is none", [7, null, {}, { base: null }, own({ number: 0 }), own({})], [], null],
    ["none where there is no list", { 0: own({ number: 1 }) }, [], null],
    [
      "the head of the first alone, also where it has none",
      [own({ number: 1 }, null), own({ number: 2 })],
      [1, 2],
      null,
    ],
  ])("lists pull requests: %s", (_, listed, pullRequests, pullRequestHead) => {
    expect(
      understood("workflow_run", {
        action: "completed",
        workflow_run: { ...flow, pull_requests: listed },
      }),
    ).toMatchObject({ check: { pullRequests, pullRequestHead } });
  });
});

test.each<readonly [what: string, event: string, payload: JsonObject]>([
  ["a run without an id", "check_run", { action: "completed", check_run: { ...run, id: null } }],
  ["a run without a name", "check_run", { action: "completed", check_run: { ...run, name: 7 } }],
  [
    "a run of no commit",
    "check_run",
    { action: "completed", check_run: { ...run, head_sha: "x" } },
  ],
  [
    "a suite without an id",
    "check_suite",
    { action: "completed", check_suite: { ...suite, id: null } },
  ],
  [
    "a suite of no commit",
    "check_suite",
    { action: "completed", check_suite: { ...suite, head_sha: null } },
  ],
  [
    "a workflow run without a name and a file",
    "workflow_run",
    { action: "completed", workflow_run: { ...flow, name: null, path: null } },
  ],
  [
    "a workflow run of no commit",
    "workflow_run",
    { action: "completed", workflow_run: { ...flow, head_sha: null } },
  ],
  ["a status without an id", "status", { ...status, id: -1 }],
  ["a status without a context", "status", { ...status, context: null }],
  ["a status without a state", "status", { ...status, state: 7 }],
  ["a status of no commit", "status", { ...status, sha: null }],
  ["an action that is no word", "issues", { action: 7, issue }],
  ["an action of 65 letters", "issues", { action: "a".repeat(65), issue }],
  ["an event without an action", "issues", { issue }],
  [
    "a pull request beside a thread",
    "pull_request",
    { action: "opened", pull_request: pull, thread: {} },
  ],
  [
    "a pull request beside a comment",
    "pull_request",
    { action: "opened", pull_request: pull, comment: {} },
  ],
  [
    "a pull request beside a review",
    "pull_request",
    { action: "opened", pull_request: pull, review: {} },
  ],
  [
    "a review of nothing",
    "pull_request_review",
    { action: "submitted", review: raw, pull_request: { number: 12 } },
  ],
  ["a repository that is a word", "issues", { action: "opened", issue, repository: "octo/shop" }],
  [
    "a repository without a name",
    "issues",
    { action: "opened", issue, repository: { owner: { login: "octo" } } },
  ],
  [
    "a repository without an owner",
    "issues",
    { action: "opened", issue, repository: { name: "shop", owner: {} } },
  ],
])("%s is no event of that shape", (_, event, payload) =>
  expect(understood(event, payload)).toBe("shape"),
);

test("an action of 64 letters is one", () =>
  expect(understood("issues", { action: "a".repeat(64), issue })).toMatchObject({
    action: "a".repeat(64),
  }));

describe("a repository", () => {
  const at = (page: unknown, over: JsonObject = {}): JsonObject => ({
    action: "opened",
    issue,
    repository: { id: 500, name: "shop", owner: { login: "octo" }, html_url: page, ...over },
  });
  test.each<readonly [page: unknown, host: string | null]>([
    ["https://github.com/octo/shop", null],
    ["http://github.com/octo/shop", null],
    ["https://GitHub.com/octo/shop", null],
    ["https://github.com", null],
    ["https://code.example/octo/shop", "code.example"],
    ["https://Code.Example", "code.example"],
    ["http://code.example/octo/shop", "code.example"],
    ["https://github.net/octo/shop", "github.net"],
    ["https://gitlab.com/octo/shop", "gitlab.com"],
    ["ftp:///github.net/octo", "bad-name"],
    ["xxxx://code.example/octo/shop", "bad-name"],
    ["xxxxx://code.example/octo/shop", "bad-name"],
    ["https://a b/octo/shop", "bad-name"],
    ["https:///octo/shop", "bad-name"],
    ["", "bad-name"],
    [7, null],
    [undefined, null],
  ])("at %j is of the host %j", (page, host) => {
    const read = understood("issues", at(page));
    expect(typeof read === "string" ? read : read.repository.host).toBe(host);
  });

  test("is of the host that is the default one now, whatever was before", () => {
    const hostOf = (defaultHost: string): unknown =>
      (
        understood("issues", at("https://code.example/octo/shop"), { defaultHost }) as {
          repository: { host: unknown };
        }
      ).repository.host;
    expect([hostOf("github.com"), hostOf("code.example"), hostOf("github.com")]).toEqual([
      "code.example",
      null,
      "code.example",
    ]);
  });

  test("tells its branch and where to clone it", () => {
    expect(
      understood(
        "issues",
        at(undefined, { default_branch: "trunk", clone_url: "https://x.example/shop.git" }),
      ),
    ).toMatchObject({
      repository: {
        host: null,
        owner: "octo",
        name: "shop",
        id: "500",
        defaultBranch: "trunk",
        cloneUrl: "https://x.example/shop.git",
      },
    });
  });

  test.each(["", "..", "a b", "a/b"])("by the name %j is none, nor by that of its owner", (bad) => {
    expect([
      understood("issues", at(undefined, { name: bad })),
      understood("issues", at(undefined, { owner: { login: bad } })),
    ]).toEqual(["bad-name", "bad-name"]);
  });

  test("without an id is no other one that is known", () => {
    const knownAs = () => ({ owner: "before", name: "store" });
    expect(
      understood("issues", at(undefined, { id: null }), { defaultHost: "github.com", knownAs }),
    ).toMatchObject({ repository: { owner: "octo", name: "shop" } });
  });

  test("that is known by another name is called by that, and tells the one of now", () => {
    const knownAs = (host: string | null, id: string) =>
      host === null && id === "500" ? { owner: "before", name: "store" } : null;
    const settings = { defaultHost: "github.com", knownAs };
    expect(understood("issues", at(undefined), settings)).toMatchObject({
      repository: { owner: "before", name: "store", calledNow: { owner: "octo", name: "shop" } },
    });
    const others = [
      at("https://code.example/octo/shop"),
      at(undefined, { id: 501 }),
      at(undefined, { id: null }),
    ].map((payload) => understood("issues", payload, settings));
    for (const read of others)
      expect(read).toMatchObject({ repository: { owner: "octo", name: "shop" } });
    for (const read of others) expect(read).not.toHaveProperty("repository.calledNow");
  });
});
