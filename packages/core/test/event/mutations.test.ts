import { createRequire } from "node:module";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/event/parse-payload.ts";
import type { HostEventName, InboundEvent } from "../../src/event/event.ts";
import { normalise } from "../../src/event/normalise.ts";
import { change, example, plain } from "./payloads.ts";

/**
 * What the public set of payloads lacks, made from its payloads by named changes. `valid` says that
 * the result still fits the host's published schema, so that the mutation is one that the host
 * could send.
 */
type Mutation = {
  readonly name: string;
  readonly event: HostEventName;
  readonly payload: JsonObject;
  readonly valid: boolean;
  readonly expected: object;
};

const bot = { login: "ci-helper[bot]", id: 49_699_333, type: "Bot" };
const botUser = (base: unknown): unknown => ({ ...(typeof base === "object" ? base : {}), ...bot });
const comment = example("issue_comment", "created", 1);
const pull = example("pull_request", "opened", 1);
const closed = example("pull_request", "closed", 1);
const issue = example("issues", "opened", 1);
const suite = example("check_suite", "completed", 2);
const review = example("pull_request_review", "submitted", 1);
const pages = {
  url: "https://api.github.com/x",
  html_url: "https://github.com/x",
  diff_url: "https://github.com/x.diff",
  patch_url: "https://github.com/x.patch",
};

const mutations: readonly Mutation[] = [
  {
    name: "comment on a pull request",
    event: "issue_comment",
    payload: change(comment, { "issue.pull_request": pages, "issue.body": "Closes #7" }),
    valid: true,
    expected: {
      kind: "comment",
      surface: "conversation",
      item: { type: "pull-request", branches: null, body: "Closes #7", merged: false },
    },
  },
  {
    name: "comment on a merged pull request",
    event: "issue_comment",
    payload: change(comment, {
      "issue.pull_request": { ...pages, merged_at: "2019-05-15T15:20:18Z" },
      "issue.state": "closed",
    }),
    valid: false,
    expected: { kind: "comment", item: { type: "pull-request", open: false, merged: true } },
  },
  {
    name: "comment on a diff that waited in a draft review",
    event: "pull_request_review_comment",
    payload: change(example("pull_request_review_comment", "created", 1), {
      "comment.created_at": "2019-05-15T15:20:37Z",
      "comment.updated_at": "2019-05-15T16:00:00Z",
    }),
    valid: true,
    expected: {
      kind: "comment",
      surface: "diff",
      at: "2019-05-15T16:00:00Z",
      comment: { createdAt: "2019-05-15T15:20:37Z" },
    },
  },
  {
    name: "pull request of a fork, by a first-time contributor",
    event: "pull_request",
    payload: change(pull, {
      "pull_request.head.repo.id": 1,
      "pull_request.head.repo.full_name": "stranger/Hello-World",
      "pull_request.head.repo.fork": true,
      "pull_request.head.ref": "issue-7",
      "pull_request.author_association": "FIRST_TIME_CONTRIBUTOR",
    }),
    valid: true,
    expected: {
      kind: "activity",
      item: {
        branches: {
          head: "issue-7",
          headRepository: "stranger/Hello-World",
          sameRepository: false,
        },
      },
    },
  },
  {
    name: "pull request whose fork was deleted",
    event: "pull_request",
    payload: change(pull, { "pull_request.head.repo": null }),
    valid: true,
    expected: {
      kind: "activity",
      item: { branches: { headRepository: null, sameRepository: false } },
    },
  },
  {
    name: "pull request without a text",
    event: "pull_request",
    payload: change(pull, { "pull_request.body": null }),
    valid: true,
    expected: { kind: "activity", item: { body: "" } },
  },
  {
    name: "pull request that was merged",
    event: "pull_request",
    payload: change(closed, {
      "pull_request.merged": true,
      "pull_request.merged_at": "2019-05-15T15:21:18Z",
    }),
    valid: true,
    expected: { kind: "closed", item: { type: "pull-request", open: false, merged: true } },
  },
  {
    name: "pull request whose text was edited",
    event: "pull_request",
    payload: change(pull, { action: "edited", changes: { body: { from: "before" } } }),
    valid: true,
    expected: { kind: "activity", action: "edited", key: "pull-request:279147437:edited" },
  },
  {
    name: "issue that was closed",
    event: "issues",
    payload: change(issue, {
      action: "closed",
      "issue.state": "closed",
      "issue.closed_at": "2019-05-15T15:20:59Z",
    }),
    valid: true,
    expected: {
      kind: "closed",
      at: "2019-05-15T15:20:59Z",
      key: "issue:444500041:closed:2019-05-15T15:20:59Z",
      item: { type: "issue", open: false },
    },
  },
  {
    name: "issue without a text",
    event: "issues",
    payload: change(issue, { "issue.body": null }),
    valid: true,
    expected: { kind: "activity", item: { body: "" } },
  },
  {
    name: "issue labelled by a bot",
    event: "issues",
    payload: change(example("issues", "labeled", 1), { sender: botUser(issue["sender"]) }),
    valid: true,
    expected: {
      kind: "label",
      actor: { login: "ci-helper[bot]", id: "49699333", bot: true },
      label: "bug",
      change: "added",
    },
  },
  {
    name: "comment of an app",
    event: "issue_comment",
    payload: change(comment, {
      sender: botUser(comment["sender"]),
      "comment.user": botUser(comment["sender"]),
      "comment.performed_via_github_app": null,
    }),
    valid: true,
    expected: { kind: "comment", actor: { bot: true }, comment: { author: { bot: true } } },
  },
  {
    name: "review that approves, without words",
    event: "pull_request_review",
    payload: change(review, { "review.state": "approved", "review.body": null }),
    valid: true,
    expected: {
      kind: "comment",
      surface: "review",
      change: "created",
      comment: { reviewState: "approved", body: "" },
      key: "review:237895671:submitted",
    },
  },
  {
    name: "review that was edited",
    event: "pull_request_review",
    payload: change(review, { action: "edited", changes: {} }),
    valid: true,
    expected: { kind: "comment", surface: "review", change: "edited" },
  },
  {
    name: "suite of a fork: no pull requests, no branch",
    event: "check_suite",
    payload: change(suite, { "check_suite.pull_requests": [], "check_suite.head_branch": null }),
    valid: true,
    expected: {
      kind: "ci",
      actor: null,
      check: { pullRequests: [], headBranch: null, phase: "completed", conclusion: "success" },
    },
  },
  {
    name: "suite that names a pull request of another repository",
    event: "check_suite",
    payload: change(suite, {
      "check_suite.pull_requests": [
        { number: 5, base: { repo: { id: 1, name: "Hello-World" } } },
        { number: 6, base: { repo: { id: 186_853_002, name: "Hello-World" } } },
      ],
    }),
    valid: false,
    expected: { kind: "ci", check: { pullRequests: [6] } },
  },
  {
    name: "run that failed",
    event: "check_run",
    payload: change(example("check_run", "completed", 1), { "check_run.conclusion": "failure" }),
    valid: true,
    expected: {
      kind: "ci",
      check: { phase: "completed", conclusion: "failure", pullRequests: [2] },
    },
  },
  {
    name: "run that is asked for again is not completed, although it still shows its old end",
    event: "check_run",
    payload: change(example("check_run", "rerequested", 1), {
      "check_run.status": "completed",
      "check_run.conclusion": "failure",
    }),
    valid: true,
    expected: { kind: "ci", check: { phase: "queued", conclusion: null } },
  },
  {
    name: "workflow run in progress",
    event: "workflow_run",
    payload: change(example("workflow_run", "requested", 1), {
      action: "in_progress",
      "workflow_run.status": "in_progress",
    }),
    valid: true,
    expected: { kind: "ci", check: { phase: "running", conclusion: null } },
  },
  {
    name: "status that is pending",
    event: "status",
    payload: change(example("status", null, 1), { state: "pending" }),
    valid: true,
    expected: {
      kind: "ci",
      action: "",
      check: { phase: "queued", conclusion: null, headBranch: null },
    },
  },
  {
    name: "repository on another host",
    event: "issues",
    payload: change(issue, { "repository.html_url": "https://Git.Example.org:8443/a/b" }),
    valid: true,
    expected: { repository: { host: "git.example.org:8443" } },
  },
];

function read(event: string, payload: JsonObject): InboundEvent {
  const result = normalise({ id: "d-1", source: "webhook", event }, payload, {
    defaultHost: "github.com",
  });
  if (!result.ok) throw new Error(`refused: ${result.why}`);
  return plain(result.event);
}

describe("what the public payloads lack", () => {
  it.each(mutations.map((each) => [each.name, each] as const))(
    "%s",
    (_name, { event, payload, expected }) => {
      expect(read(event, payload)).toMatchObject(expected);
    },
  );

  const ajv = new Ajv({ strict: false, allErrors: false, validateFormats: false });
  const schema: unknown = createRequire(import.meta.url)("@octokit/webhooks-schemas/schema.json");
  if (typeof schema !== "object" || schema === null) throw new Error("no schema");
  ajv.addSchema({ ...schema, $id: "host" });

  it.each(mutations.filter((each) => each.valid).map((each) => [each.name, each] as const))(
    "%s: fits the host's schema",
    (_name, { event, payload }) => {
      const definition =
        event === "status" ? "status$event" : `${event}$${String(payload["action"])}`;
      const validate = ajv.getSchema(`host#/definitions/${definition}`);
      if (validate === undefined) throw new Error(`no schema ${definition}`);
      expect(validate(payload) === true ? [] : validate.errors).toEqual([]);
    },
  );
});

describe("odd but bearable fields", () => {
  it("labels: what the host sends is held to the change", () => {
    const labeled = example("issues", "labeled", 1);
    const unlabeled = example("issues", "unlabeled", 1);
    expect(read("issues", change(labeled, { "issue.labels": [] }))).toMatchObject({
      kind: "label",
      item: { labels: ["bug"] },
    });
    expect(
      read("issues", change(unlabeled, { "issue.labels": [{ name: "bug" }, { name: "x" }] })),
    ).toMatchObject({ kind: "label", change: "removed", item: { labels: ["x"] } });
    expect(read("issues", change(labeled, { label: undefined }))).toMatchObject({
      kind: "activity",
      action: "labeled",
    });
    expect(
      read("issues", change(issue, { "issue.labels": [null, 3, { name: 4 }, { name: "a" }] })),
    ).toMatchObject({ item: { labels: ["a"] } });
  });

  it("ids: decimal text, never with lost digits (R10)", () => {
    expect(read("issues", change(issue, { "issue.id": 9_007_199_254_740_991 }))).toMatchObject({
      item: { id: "9007199254740991" },
    });
    const lost: unknown = JSON.parse("9007199254740993");
    expect(read("issues", change(issue, { "issue.id": lost }))).toMatchObject({
      item: { id: null },
      key: "issue:codertocat/hello-world#1:opened",
    });
    expect(read("issues", change(issue, { "issue.id": "17" }))).toMatchObject({
      item: { id: "17" },
    });
    const refused = normalise(
      { id: "d", source: "webhook", event: "issue_comment" },
      change(comment, { "comment.id": lost }),
      { defaultHost: "github.com" },
    );
    expect(refused).toEqual({ ok: false, why: "shape" });
  });

  it.each([[0], [-1], [1.5], [2_147_483_648], ["1"], [null]])(
    "an issue with the number %j is none",
    (number) => {
      expect(
        normalise(
          { id: "d", source: "webhook", event: "issues" },
          change(issue, { "issue.number": number }),
          { defaultHost: "github.com" },
        ),
      ).toEqual({ ok: false, why: "shape" });
    },
  );

  it("an issue that was deleted or transferred away is no longer open, though it is sent as it was", () => {
    expect(read("issues", example("issues", "transferred"))).toMatchObject({
      kind: "closed",
      item: { open: false },
    });
    expect(
      read("issues", change(example("issues", "deleted"), { "issue.state": "open" })),
    ).toMatchObject({ kind: "closed", item: { open: false } });
  });

  it("a delivery without a sender has no actor; the poller does not always know one", () => {
    expect(read("issues", change(issue, { sender: undefined }))).toMatchObject({ actor: null });
  });

  it("an action that is not known yet is activity", () => {
    expect(read("issues", change(issue, { action: "typed" }))).toMatchObject({
      kind: "activity",
      action: "typed",
    });
    expect(read("issue_comment", change(comment, { action: "pinned" }))).toMatchObject({
      kind: "activity",
      action: "pinned",
    });
  });

  it("R20 happenings of one second stay apart", () => {
    const labeled = example("issues", "labeled", 1);
    const keys = [
      read("issues", labeled).key,
      read("issues", change(labeled, { "label.name": "other" })).key,
      read("issues", change(labeled, { action: "unlabeled" })).key,
      read("issues", change(example("issues", "assigned", 1), { "assignee.login": "a" })).key,
      read("issues", change(example("issues", "assigned", 1), { "assignee.login": "b" })).key,
      read(
        "pull_request",
        change(example("pull_request", "synchronize"), { before: "a1", after: "b1" }),
      ).key,
      read(
        "pull_request",
        change(example("pull_request", "synchronize"), { before: "b1", after: "a1" }),
      ).key,
      read(
        "pull_request",
        change(example("pull_request", "review_requested", 0), { "requested_reviewer.login": "a" }),
      ).key,
      read(
        "pull_request",
        change(example("pull_request", "review_requested", 0), { "requested_reviewer.login": "b" }),
      ).key,
      read(
        "check_run",
        change(example("check_run", "completed", 1), { "check_run.conclusion": "failure" }),
      ).key,
      read(
        "check_run",
        change(example("check_run", "completed", 1), { "check_run.conclusion": "success" }),
      ).key,
      read(
        "workflow_run",
        change(example("workflow_run", "completed", 1), { "workflow_run.run_attempt": 2 }),
      ).key,
      read(
        "workflow_run",
        change(example("workflow_run", "completed", 1), { "workflow_run.run_attempt": 3 }),
      ).key,
      read("issue_comment", comment).key,
      read("issue_comment", change(comment, { action: "edited" })).key,
      read(
        "issue_comment",
        change(comment, { action: "edited", "comment.updated_at": "2019-05-15T15:20:22Z" }),
      ).key,
      read(
        "pull_request_review_comment",
        change(example("pull_request_review_comment", "created", 1), { "comment.id": 492_700_400 }),
      ).key,
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("R20 what lists and webhooks give other times is named without one; which of several it is is found out by comparing", () => {
    const told = (
      name: "issues" | "pull_request",
      action: string,
      updatedAt: string,
      more: Record<string, unknown> = {},
    ): string =>
      read(
        name,
        change(example(name, name === "issues" ? "labeled" : "synchronize"), {
          action,
          [`${name === "issues" ? "issue" : "pull_request"}.updated_at`]: updatedAt,
          ...more,
        }),
      ).key;
    for (const [name, action] of [
      ["issues", "reopened"],
      ["issues", "edited"],
      ["pull_request", "edited"],
      ["pull_request", "ready_for_review"],
      ["pull_request", "converted_to_draft"],
    ] as const) {
      expect(told(name, action, "2019-05-15T15:20:22Z")).toBe(
        told(name, action, "2019-05-15T15:20:24Z"),
      );
    }
    const push = { before: "a1", after: "b1" };
    expect(told("pull_request", "synchronize", "2019-05-15T15:20:22Z", push)).toBe(
      told("pull_request", "synchronize", "2019-05-15T15:20:24Z", push),
    );
  });

  it("ids are a host's own: keys of another host than the default one name it", () => {
    const elsewhere = change(comment, {
      "repository.html_url": "https://code.example.org/codertocat/hello-world",
    });
    expect(read("issue_comment", elsewhere).key).toBe(
      `code.example.org/${read("issue_comment", comment).key}`,
    );
    expect(
      read(
        "check_run",
        change(example("check_run", "completed", 1), {
          "repository.html_url": "https://code.example.org/a/b",
        }),
      ).key,
    ).toMatch(/^code\.example\.org\/check-run:/);
  });

  it("a run that was created complete and its completion are one happening", () => {
    const completed = example("check_run", "completed", 1);
    expect(read("check_run", change(completed, { action: "created" })).key).toBe(
      read("check_run", completed).key,
    );
  });
});

describe("W01 names of repositories", () => {
  it.each([
    [".."],
    ["."],
    [".git"],
    ["x.git"],
    ["a/b"],
    ["-x"],
    ["%2f"],
    ["a\u0000b"],
    ["a b"],
    ["e\u0301"],
    ["\u00e9"],
    [""],
    ["x".repeat(300)],
    ["a\\b"],
  ])("%j is refused", (name) => {
    const at = (changes: Record<string, unknown>): unknown =>
      normalise({ id: "d", source: "webhook", event: "issues" }, change(issue, changes), {
        defaultHost: "github.com",
      });
    expect(at({ "repository.name": name })).toEqual({ ok: false, why: "bad-name" });
    expect(at({ "repository.owner.login": name })).toEqual({ ok: false, why: "bad-name" });
  });

  it.each([
    ["https://../a/b"],
    ["https://a_b/x"],
    ["file:///etc/passwd"],
    ["https:///x"],
    ["https://-x/y"],
    ["https://evil.example@x/y"],
    ["xxxxx://github.com/x"],
    ["ftp+x://github.com/x"],
  ])("the page %s is refused", (page) => {
    expect(
      normalise(
        { id: "d", source: "webhook", event: "issues" },
        change(issue, { "repository.html_url": page }),
        { defaultHost: "github.com" },
      ),
    ).toEqual({ ok: false, why: "bad-name" });
  });
});

describe("control deliveries of our own", () => {
  const body = { target: "host:Octo/Repo#7", request: { verb: "start" }, actor: "alice" };
  const steer = (payload: unknown, source: "cli" | "api" | "webhook" | "poll" = "cli"): unknown =>
    normalise({ id: "d-9", source, event: "control" }, payload, { defaultHost: "github.com" });

  it("become a control event", () => {
    expect(steer(body)).toMatchObject({
      ok: true,
      event: {
        kind: "control",
        event: "control",
        source: "cli",
        key: "control:d-9",
        request: { verb: "start", login: null, instance: null },
        actor: { login: "alice" },
        repository: { host: null, owner: "Octo", name: "Repo" },
      },
    });
    expect(steer({ ...body, request: { verb: "say", text: "go on" } }, "api")).toMatchObject({
      ok: true,
      event: { request: { verb: "say", text: "go on" } },
    });
    expect(
      steer({
        ...body,
        target: "host:git.example.org/o/r#1",
        request: { verb: "add-collaborator", login: "bob" },
      }),
    ).toMatchObject({
      ok: true,
      event: { repository: { host: "git.example.org" }, request: { login: "bob" } },
    });
  });

  it("carry when they were made by this machine's clock, which the host's does not know", () => {
    expect(
      normalise(
        { id: "d-9", source: "cli", event: "control", receivedAt: 1_772_366_400_123 },
        body,
        { defaultHost: "github.com" },
      ),
    ).toMatchObject({ event: { at: null, receivedAt: 1_772_366_400_123 } });
    expect(
      normalise({ id: "d-9", source: "cli", event: "control" }, body, {
        defaultHost: "github.com",
      }),
    ).not.toHaveProperty("event.receivedAt");
  });

  it("cannot come from the host: whoever holds the webhook secret does not steer by it", () => {
    expect(steer(body, "webhook")).toEqual({ ok: false, why: "unknown-event" });
    expect(steer(body, "poll")).toEqual({ ok: false, why: "unknown-event" });
  });

  it("are the only events of the command line and the API", () => {
    expect(
      normalise({ id: "d", source: "cli", event: "issues" }, issue, { defaultHost: "github.com" }),
    ).toEqual({ ok: false, why: "unknown-event" });
  });

  it.each([
    [{ ...body, target: 7 }, "shape"],
    [{ ...body, target: "octo/repo#7" }, "bad-name"],
    [{ ...body, request: { verb: "explode" } }, "shape"],
    [{ ...body, request: { verb: "say", text: "" } }, "shape"],
    [{ ...body, request: { verb: "start", login: 3 } }, "shape"],
    [{ ...body, request: null }, "shape"],
    [{ ...body, actor: "" }, "shape"],
  ])("%j is refused: %s", (payload, why) => {
    expect(steer(payload)).toEqual({ ok: false, why });
  });
});
