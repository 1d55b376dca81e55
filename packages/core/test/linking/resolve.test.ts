import { describe, expect, it } from "vitest";
import { policyOf } from "../../src/testing/build-state.ts";
import type { InboundEvent } from "../../src/event/event.ts";
import { normalise } from "../../src/event/normalise.ts";
import {
  emptyItemState,
  type ItemState,
  type Session,
  type WorkItem,
} from "../../src/work-item/records.ts";
import { formatRef, parseRef, type Ref, type RefText, toRefText } from "../../src/ref/ref.ts";
import { questionsOf } from "../../src/linking/questions.ts";
import type { LookupAnswers } from "../../src/linking/lookups.ts";
import { noAnswers, refsToLoad, resolve } from "../../src/linking/resolve.ts";
import { change, example } from "../event/payloads.ts";

const policy = {
  trustForkBranches: false,
  authorizedUsers: new Set(["alice"]),
  defaultHost: "github.com",
  autoExecuteLabel: "loop: auto-execute",
  ciWakeOn: "changes",
  keywords: policyOf().keywords,
} as const;
const base = example("pull_request", "opened", 1);

/** The pull request Codertocat/Hello-World#2, changed. */
function pull(
  changes: Readonly<Record<string, unknown>> = {},
  event = "pull_request",
  payload = base,
): InboundEvent {
  const result = normalise({ id: "d", source: "webhook", event }, change(payload, changes), policy);
  if (!result.ok) throw new Error(result.why);
  return result.event;
}

function text(number: number): RefText {
  const found = toRefText(`host:codertocat/hello-world#${number}`);
  if (found === null) throw new Error("no ref");
  return found;
}

function ref(number: number): Ref {
  return { host: null, owner: "Codertocat", repo: "Hello-World", number };
}

function working(number: number): ItemState {
  const session: Session = {
    endpoint: text(number),
    workItem: text(number),
    harness: "A",
    harnessSessionId: "s",
    status: "active",
    runner: "headless",
    workdir: null,
    begun: true,
    createdAt: 0,
  };
  return { ...emptyItemState, sessions: [session] };
}

function started(number: number, status: WorkItem["control"]["status"] = "started"): ItemState {
  const workItem: WorkItem = {
    ref: text(number),
    hostId: null,
    repositoryId: null,
    type: "issue",
    title: "",
    url: null,
    cloneUrl: null,
    defaultBranch: null,
    open: true,
    armed: true,
    labels: [],
    control: {
      status,
      instance: null,
      requestedBy: null,
      source: null,
      deliveryId: null,
      at: null,
      before: null,
    },
    closeDeferred: false,
    spend: { turns: 0, usd: 0, minutes: 0 },
    hostUpdatedAt: null,
  };
  return { ...emptyItemState, workItem };
}

function found(
  event: InboundEvent,
  answers: Partial<LookupAnswers> = {},
  how: Parameters<typeof resolve>[2] = policy,
): string {
  const target = resolve(event, { ...noAnswers, ...answers }, how);
  return target === null
    ? "nothing"
    : `${target.workItem.number} ${target.endpoint.number} ${target.provenance}`;
}

const closesSeven = { "pull_request.body": "Closes #7" };

describe("resolve: the work item of an event", () => {
  it("an issue is its own", () => {
    const event = pull({}, "issues", example("issues", "opened", 1));
    expect(found(event)).toBe("1 1 itself");
    expect(questionsOf(event, policy)).toEqual({
      pullRequests: [],
      headSha: null,
      candidates: [],
      ask: "nothing",
    });
  });

  it("a pull request that names nothing is its own", () => {
    expect(found(pull())).toBe("2 2 itself");
  });

  it("the order: recorded link, closing reference, head branch, closing keyword", () => {
    const event = pull({ ...closesSeven, "pull_request.head.ref": "issue-6" });
    const all = { linked: [text(4)], closing: [ref(5)] };
    expect(found(event, all)).toBe("4 4 recorded-link");
    expect(found(event, { closing: [ref(5)] })).toBe("5 5 closing-reference");
    expect(found(event)).toBe("6 6 head-branch");
    expect(found(pull(closesSeven))).toBe("7 7 closing-keyword");
  });

  it("S01 linked to two issues: the first that is at work, in a fixed order", () => {
    const event = pull({ "pull_request.body": "Closes #7 and fixes #8" });
    expect(found(event)).toBe("7 7 closing-keyword");
    expect(found(event, { items: [working(8)] })).toBe("8 8 closing-keyword");
    expect(found(event, { items: [working(8), working(7)] })).toBe("7 7 closing-keyword");
    expect(found(event, { linked: [text(9), text(4)], items: [working(4), working(7)] })).toBe(
      "4 4 recorded-link",
    );
  });

  it("S01 one that was started counts before its session stands, a paused one keeps its events, a stopped one does not", () => {
    const event = pull({ "pull_request.body": "Closes #7 and fixes #8" });
    expect(found(event, { items: [started(8)] })).toBe("8 8 closing-keyword");
    expect(found(event, { items: [started(8, "paused")] })).toBe("8 8 closing-keyword");
    expect(found(event, { items: [started(8, "stopped")] })).toBe("7 7 closing-keyword");
  });

  it("a pull request's own session comes after an issue at work and before one that is not", () => {
    const own = { owners: [{ endpoint: text(2), workItem: text(7) }] };
    expect(found(pull(closesSeven), own)).toBe("7 2 recorded-link");
    expect(found(pull(closesSeven), { ...own, items: [working(7)] })).toBe("7 7 closing-keyword");
    expect(found(pull(closesSeven), { owners: [{ endpoint: text(2), workItem: text(2) }] })).toBe(
      "2 2 itself",
    );
    expect(found(pull(closesSeven), { items: [started(2)] })).toBe("2 2 itself");
  });

  it("only the object that closed ends: a pull request's closing goes to its own session", () => {
    const closed = pull({ ...closesSeven, action: "closed", "pull_request.state": "closed" });
    expect(
      found(closed, { owners: [{ endpoint: text(2), workItem: text(7) }], items: [working(7)] }),
    ).toBe("7 2 recorded-link");
    expect(found(closed, { items: [working(7)] })).toBe("7 7 closing-keyword");
  });

  it("S02 a branch of a fork is named by a stranger and counts only where somebody vouches for it, or forks are trusted", () => {
    const fork = {
      "pull_request.head.ref": "issue-7",
      "pull_request.head.repo.id": 1,
      "pull_request.head.repo.full_name": "stranger/Hello-World",
    };
    expect(found(pull(fork))).toBe("2 2 itself");
    expect(
      found(pull({ "pull_request.head.ref": "issue-7", "pull_request.head.repo": null })),
    ).toBe("2 2 itself");
    expect(found(pull(fork), {}, { ...policy, trustForkBranches: true })).toBe("7 7 head-branch");
    expect(found(pull({ "pull_request.head.ref": "issue-7" }))).toBe("7 7 head-branch");
    const known = { author: { pinned: { id: null, as: [] }, own: false } };
    expect(found(pull({ ...fork, "pull_request.user.login": "Alice" }), known)).toBe(
      "7 7 head-branch",
    );
    expect(
      found(pull({ ...fork, "pull_request.user.login": "Alice", "pull_request.user.id": 4 }), {
        author: { pinned: { id: "1", as: [] }, own: false },
      }),
    ).toBe("2 2 itself");
    expect(found(pull(fork), { author: { pinned: { id: null, as: [] }, own: true } })).toBe(
      "7 7 head-branch",
    );
  });

  it.each([
    "issue-07",
    "issue-0",
    "issue-7-fix",
    "Issue-7",
    "issue-",
    "issue-2147483648",
    "issue-99999999999",
    "feature/issue-7",
    "issue-2",
  ])("the branch %s is none of the convention, or the pull request itself", (branch) => {
    expect(found(pull({ "pull_request.head.ref": branch }))).toBe("2 2 itself");
  });

  const forked = {
    "pull_request.head.repo.id": 1,
    "pull_request.head.repo.full_name": "stranger/Hello-World",
    "pull_request.user.login": "stranger",
    "pull_request.user.id": 666,
  };
  const known = { author: { pinned: { id: null, as: [] }, own: false } };
  const guest = (number: number, id: string | null = null): ItemState => ({
    ...started(number),
    collaborators: [{ login: "Stranger", id, grantedBy: "alice", at: 0 }],
  });

  it("S03 what a stranger's pull request from a fork says counts for no issue, and it says so itself", () => {
    const event = pull({ ...closesSeven, ...forked });
    expect(found(event, { ...known, items: [working(7)] })).toBe("2 2 itself");
    expect(found(event, { ...known, closing: [ref(7)], items: [working(7)] })).toBe("2 2 itself");
    expect(
      resolve(event, { ...noAnswers, ...known, items: [working(7)] }, policy)?.foreign,
    ).toEqual({ issues: [ref(7)], atWork: true, told: true, author: "stranger" });
    expect(resolve(pull(closesSeven), noAnswers, policy)?.foreign).toBeUndefined();
    expect(resolve(pull(forked), { ...noAnswers, ...known }, policy)?.foreign).toBeUndefined();
  });

  it.each<
    [
      string,
      Readonly<Record<string, unknown>>,
      Partial<LookupAnswers>,
      Parameters<typeof resolve>[2],
      string,
    ]
  >([
    [
      "its head lives in the repository",
      { "pull_request.user.login": "stranger" },
      {},
      policy,
      "7 7 closing-keyword",
    ],
    ["it is on record for the issue", forked, { linked: [text(7)] }, policy, "7 7 recorded-link"],
    [
      "it is on record for another issue, which vouches for that one alone",
      forked,
      { linked: [text(9)], items: [started(7)] },
      policy,
      "9 9 recorded-link",
    ],
    [
      "its author is authorized",
      { ...forked, "pull_request.user.login": "Alice" },
      known,
      policy,
      "7 7 closing-keyword",
    ],
    [
      "somebody else has the login of an authorized user now",
      { ...forked, "pull_request.user.login": "alice" },
      { author: { pinned: { id: "1", as: [] }, own: false } },
      policy,
      "2 2 itself",
    ],
    [
      "its author is a collaborator of the issue",
      forked,
      { ...known, items: [guest(7)] },
      policy,
      "7 7 closing-keyword",
    ],
    [
      "its author was one under another number",
      forked,
      { ...known, items: [guest(7, "5")] },
      policy,
      "2 2 itself",
    ],
    [
      "its author is a collaborator of another issue",
      forked,
      { ...known, items: [started(7), guest(8)] },
      policy,
      "2 2 itself",
    ],
    [
      "a bot of that name is none",
      { ...forked, "pull_request.user.type": "Bot" },
      { ...known, items: [guest(7)] },
      policy,
      "2 2 itself",
    ],
    [
      "it is our own",
      forked,
      { author: { pinned: { id: null, as: [] }, own: true } },
      policy,
      "7 7 closing-keyword",
    ],
    [
      "its fork is gone",
      { "pull_request.head.repo": null, "pull_request.user.login": "stranger" },
      known,
      policy,
      "2 2 itself",
    ],
    [
      "nobody looked who its author is",
      { ...forked, "pull_request.user.login": "Alice" },
      {},
      policy,
      "2 2 itself",
    ],
    [
      "routing.trustForkBranches restores what counted before",
      forked,
      {},
      { ...policy, trustForkBranches: true },
      "7 7 closing-keyword",
    ],
  ])(
    "S03 a pull request that says it closes an issue, where %s",
    (_why, changes, answers, how, expected) => {
      expect(found(pull({ ...closesSeven, ...changes }), answers, how)).toBe(expected);
    },
  );

  it("S03 its own session, and the start of its own, come before that", () => {
    const event = pull({ ...closesSeven, ...forked });
    expect(
      resolve(event, { ...noAnswers, ...known, items: [working(7), started(2)] }, policy),
    ).toMatchObject({ workItem: ref(2) });
    expect(
      resolve(event, { ...noAnswers, ...known, items: [working(7), started(2)] }, policy)?.foreign,
    ).toBeUndefined();
    expect(
      found(event, {
        ...known,
        items: [working(7)],
        owners: [{ endpoint: text(2), workItem: text(2) }],
      }),
    ).toBe("2 2 itself");
  });

  it("closing references of the host to other repositories are ignored", () => {
    expect(found(pull(), { closing: [{ ...ref(5), repo: "other" }] })).toBe("2 2 itself");
    expect(found(pull(), { closing: [{ ...ref(5), owner: "CODERTOCAT" }] })).toBe(
      "5 5 closing-reference",
    );
  });

  it("a comment on a pull request lacks its head: the host's answer stands in, after closing references", () => {
    const event = pull(
      { "issue.number": 2, "issue.pull_request": { url: "x" }, "issue.body": "Closes #7" },
      "issue_comment",
      example("issue_comment", "created", 1),
    );
    expect(questionsOf(event, policy).ask).toBe("closing-references-and-head");
    expect(found(event)).toBe("2 2 itself");
    expect(resolve(event, noAnswers, policy)?.foreign).toMatchObject({ told: false });
    expect(found(event, { head: { branch: "issue-6", sameRepository: true } })).toBe(
      "6 6 head-branch",
    );
    expect(found(event, { head: { branch: "x", sameRepository: true } })).toBe(
      "7 7 closing-keyword",
    );
    expect(found(event, { head: { branch: "issue-6", sameRepository: false } })).toBe("2 2 itself");
    expect(
      found(event, { linked: [text(4)], head: { branch: "issue-6", sameRepository: true } }),
    ).toBe("4 4 recorded-link");
  });

  it("reviews and comments on a diff belong to their pull request", () => {
    expect(
      found(
        pull(
          { "pull_request.body": "Fixes #7" },
          "pull_request_review",
          example("pull_request_review", "submitted", 1),
        ),
      ),
    ).toBe("7 7 closing-keyword");
    expect(
      found(
        pull(
          { "pull_request.body": "Fixes #7" },
          "pull_request_review_comment",
          example("pull_request_review_comment", "created", 1),
        ),
      ),
    ).toBe("7 7 closing-keyword");
  });

  it("what can only be remembered is not worth inferring or asking", () => {
    const assigned = pull({ ...closesSeven, action: "assigned" });
    expect(questionsOf(assigned, policy)).toMatchObject({
      pullRequests: [{ number: 2 }],
      candidates: [],
      ask: "nothing",
    });
    expect(found(assigned, { linked: [text(4)] })).toBe("4 4 recorded-link");
    const armed = pull({
      ...closesSeven,
      action: "assigned",
      "pull_request.labels": [{ name: "Loop: Auto-Execute" }],
    });
    expect(found(armed)).toBe("7 7 closing-keyword");
    const labelled = (name: string): InboundEvent =>
      pull(
        { ...closesSeven, "label.name": name },
        "pull_request",
        example("pull_request", "labeled", 1),
      );
    expect(found(labelled("bug"))).toBe("2 2 itself");
    expect(found(labelled("loop: auto-execute"))).toBe("7 7 closing-keyword");
  });

  it("the same target whatever the order in which states were loaded (S01)", () => {
    const event = pull({ "pull_request.body": "Closes #7, fixes #8, resolves #9" });
    const items = [working(9), working(8), started(7, "idle")];
    expect(found(event, { items })).toBe(found(event, { items: items.toReversed() }));
  });
});

describe("resolve: checks", () => {
  const suite = example("check_suite", "completed", 2);

  it("by the pull requests that they name", () => {
    const event = pull({}, "check_suite", suite);
    expect(questionsOf(event, policy)).toMatchObject({
      pullRequests: [{ number: 2 }],
      ask: "closing-references-and-head",
    });
    expect(found(event, { linked: [text(7)] })).toBe("7 7 recorded-link");
    expect(found(event)).toBe("2 2 itself");
    expect(found(event, { owners: [{ endpoint: text(2), workItem: text(7) }] })).toBe(
      "7 2 recorded-link",
    );
  });

  it("of a pull request that nobody recorded as its comments are: by what the host says of it, and by its text", () => {
    const event = pull({ "check_suite.head_branch": "tidy" }, "check_suite", suite);
    const head = { branch: "issue-6", sameRepository: true, closes: [7, 2] } as const;
    expect(found(event, { closing: [ref(5)], head })).toBe("5 5 closing-reference");
    expect(found(event, { head })).toBe("6 6 head-branch");
    expect(found(event, { head: { ...head, sameRepository: false } })).toBe("2 2 itself");
    expect(found(event, { head, items: [working(7)] })).toBe("7 7 closing-keyword");
    expect(found(event, { head: { branch: "tidy", sameRepository: true, closes: [2] } })).toBe(
      "2 2 itself",
    );
    expect(found(event, { head, owners: [{ endpoint: text(2), workItem: text(2) }] })).toBe(
      "2 2 itself",
    );
  });

  it("by their branch, when a pull request is named too", () => {
    const event = pull({ "check_suite.head_branch": "issue-7" }, "check_suite", suite);
    expect(found(event)).toBe("7 7 head-branch");
  });

  it("a branch that names the pull request itself names no issue: its session gets the check as it gets comments", () => {
    const event = pull({ "check_suite.head_branch": "issue-2" }, "check_suite", suite);
    const own = {
      ...emptyItemState,
      sessions: working(7).sessions.map((session) => ({ ...session, endpoint: text(2) })),
    };
    expect(found(event)).toBe("2 2 itself");
    expect(found(event, { owners: [{ endpoint: text(2), workItem: text(7) }], items: [own] })).toBe(
      "7 2 recorded-link",
    );
  });

  it("that name several pull requests: the branch of none of them names an issue, and who recorded the commit stays one", () => {
    const event = pull(
      {
        "check_suite.pull_requests": [2, 3].map((number) => ({
          number,
          url: `https://api.github.com/repos/Codertocat/Hello-World/pulls/${number}`,
          base: { repo: { id: 186853002 } },
        })),
        "check_suite.head_branch": "issue-3",
      },
      "check_suite",
      suite,
    );
    expect(questionsOf(event, policy).pullRequests.map(({ number }) => number)).toEqual([2, 3]);
    expect(found(event)).toBe("2 2 itself");
    expect(found(event, { heads: [text(3)] })).toBe("3 3 head-sha");
  });

  it("of forks by the commit alone: their branch says nothing", () => {
    const event = pull(
      { "check_suite.pull_requests": [], "check_suite.head_branch": "issue-7" },
      "check_suite",
      suite,
    );
    expect(questionsOf(event, policy)).toMatchObject({
      pullRequests: [],
      candidates: [],
      headSha: "ec26c3e57ca3a959ca5aad62de7213c562f8c821",
      ask: "pull-requests-of-commit",
    });
    expect(found(event)).toBe("nothing");
    expect(found(event, { heads: [text(7)] })).toBe("7 7 head-sha");
    expect(found(event, { heads: [text(6), text(7)], items: [working(7)] })).toBe("7 7 head-sha");
    // By the host's word the commit is of a pull request that is at work by itself, or has a
    // session of its own.
    const pulls = [ref(9)];
    expect(found(event, { pulls })).toBe("nothing");
    expect(found(event, { pulls, items: [working(9)] })).toBe("9 9 itself");
    expect(found(event, { pulls, owners: [{ endpoint: text(9), workItem: text(7) }] })).toBe(
      "7 9 recorded-link",
    );
    expect(found(event, { pulls, heads: [text(7)], items: [working(7), working(9)] })).toBe(
      "7 7 head-sha",
    );
  });

  it("that are not finished, or wake nobody, ask the host nothing: a push causes dozens of them", () => {
    const alone = { "check_suite.pull_requests": [] };
    expect(questionsOf(pull(alone, "check_suite", suite), policy).ask).toBe(
      "pull-requests-of-commit",
    );
    expect(
      questionsOf(pull({ ...alone, action: "requested" }, "check_suite", suite), policy).ask,
    ).toBe("nothing");
    expect(
      questionsOf(pull(alone, "check_suite", suite), { ...policy, ciWakeOn: "never" }).ask,
    ).toBe("nothing");
  });

  it("a status by its commit, never by one of its branches", () => {
    const event = pull({}, "status", example("status", null, 1));
    expect(questionsOf(event, policy)).toMatchObject({
      pullRequests: [],
      candidates: [],
      headSha: "6113728f27ae82c7b1a177c8d03f9e96e0adf246",
    });
  });
});

describe("resolve: what looks alike and is not", () => {
  const owner = (endpoint: number, workItem: number) => ({
    endpoint: text(endpoint),
    workItem: text(workItem),
  });
  const closed = (number: number): ItemState => ({
    ...emptyItemState,
    sessions: working(number).sessions.map((session) => ({
      ...session,
      status: "closed" as const,
    })),
  });

  it("a session of another pull request is not the one of this", () => {
    expect(found(pull(), { owners: [owner(3, 9)] })).toBe("2 2 itself");
    expect(found(pull(), { owners: [owner(3, 9), owner(2, 7)] })).toBe("7 2 recorded-link");
  });

  it("a session that is over is not at work, nor is that of another item", () => {
    const candidates = { linked: [text(7), text(8)] };
    expect(found(pull(), { ...candidates, items: [working(8)] })).toBe("8 8 recorded-link");
    expect(found(pull(), { ...candidates, items: [closed(8)] })).toBe("7 7 recorded-link");
    expect(found(pull(), { ...candidates, items: [working(9)] })).toBe("7 7 recorded-link");
  });

  it("pull requests that the host names for a commit count only where the event names none", () => {
    expect(found(pull(), { pulls: [ref(3)], owners: [owner(3, 9)] })).toBe("2 2 itself");
  });

  it("an issue that is named twice is found the heavier way", () => {
    expect(
      found(pull({ "pull_request.body": "Closes #7" }), { linked: [text(7)], closing: [ref(7)] }),
    ).toBe("7 7 recorded-link");
    expect(found(pull({ "pull_request.body": "Closes #7" }), { closing: [ref(7)] })).toBe(
      "7 7 closing-reference",
    );
  });

  it("a pull request that says it closes itself names no issue, unless that was recorded", () => {
    expect(
      found(pull({ "pull_request.body": "Closes #2, closes #7" }), { closing: [ref(2)] }),
    ).toBe("7 7 closing-keyword");
    expect(found(pull(), { closing: [ref(2)] })).toBe("2 2 itself");
    expect(found(pull(), { linked: [text(2)] })).toBe("2 2 recorded-link");
  });

  it("issues of another repository are none that the host may name", () => {
    expect(
      found(pull(), {
        closing: [{ ...ref(7), repo: "Other" }, { ...ref(8), host: "code.example" }, ref(9)],
      }),
    ).toBe("9 9 closing-reference");
  });

  it("the host is asked for the head as well where the payload does not show it", () => {
    const comment = example("issue_comment", "created", 1);
    const onPull = pull(
      { "issue.pull_request": { url: "x" }, "comment.body": "loop start" },
      "issue_comment",
      comment,
    );
    expect([questionsOf(pull(), policy).ask, questionsOf(onPull, policy).ask]).toEqual([
      "closing-references",
      "closing-references-and-head",
    ]);
  });

  it("a check whose branch nobody tells names no issue, also where branches of forks are trusted", () => {
    const check = pull(
      { "check_run.check_suite.head_branch": null },
      "check_run",
      example("check_run", "completed"),
    );
    expect(questionsOf(check, { ...policy, trustForkBranches: true }).candidates).toEqual([]);
  });
});

describe("resolve: what a person named", () => {
  const named = (target: string): InboundEvent => {
    const result = normalise(
      { id: "d", source: "cli", event: "control" },
      { target, request: { verb: "pause" }, actor: "alice" },
      policy,
    );
    if (!result.ok) throw new Error(result.why);
    return result.event;
  };

  it("is the work item", () => {
    expect(found(named("host:Codertocat/Hello-World#7"))).toBe("7 7 named");
    expect(found(named("host:github.com/Codertocat/Hello-World#7"))).toBe("7 7 named");
  });

  it("is nothing where it is no ref", () => {
    const event = {
      ...named("host:Codertocat/Hello-World#7"),
      target: "Hello-World#7",
    } as InboundEvent;
    expect([questionsOf(event, policy).pullRequests, found(event)]).toEqual([[], "nothing"]);
  });

  it("is the session of a pull request, or the work item that recorded it", () => {
    expect(
      found(named("host:Codertocat/Hello-World#2"), {
        owners: [{ endpoint: text(2), workItem: text(7) }],
      }),
    ).toBe("7 2 named");
    expect(found(named("host:Codertocat/Hello-World#2"), { linked: [text(7)] })).toBe("7 7 named");
    expect(
      found(named("host:Codertocat/Hello-World#2"), { linked: [text(7)], items: [started(2)] }),
    ).toBe("2 2 named");
  });
});

describe("refsToLoad", () => {
  it("names every work item whose state decides, each once", () => {
    const event = pull({ "pull_request.body": "Closes #7, fixes #8" });
    const answers = {
      ...noAnswers,
      linked: [text(7)],
      owners: [{ endpoint: text(2), workItem: text(9) }],
      closing: [ref(5)],
    };
    expect(refsToLoad(questionsOf(event, policy), answers)).toEqual([
      text(7),
      text(5),
      text(8),
      text(9),
      text(2),
    ]);
  });

  it("loads nothing for issues", () => {
    expect(
      refsToLoad(
        questionsOf(pull({}, "issues", example("issues", "opened", 1)), policy),
        noAnswers,
      ),
    ).toEqual([]);
  });

  it("reads refs back as they were written", () => {
    expect(formatRef(parseRef(text(7)) ?? ref(1))).toBe(text(7));
  });
});
