import { describe, expect, test } from "vitest";
import { type Account, personCalled } from "../../src/accounts/account.ts";
import {
  commentHappening,
  type ListedComment,
  readComment,
  readReview,
  settleEdit,
} from "../../src/poll/comments.ts";
import type { Happening, PolledItem } from "../../src/poll/happening.ts";
import type { Change } from "../../src/poll/item-as-of.ts";

const at = "2024-05-06T12:00:00Z";
const later = "2024-05-06T13:00:00Z";
const ada = { login: "ada", id: 1 };
const repository = { id: 1, full_name: "maria/garden" };
const raw = {
  id: 42,
  node_id: "IC_42",
  issue_url: "https://code.example/repos/maria/garden/issues/7",
  pull_request_url: "https://code.example/repos/maria/garden/pulls/12",
  created_at: at,
  updated_at: at,
  body: "loop start",
  user: ada,
};
const review = {
  id: 43,
  node_id: "PRR_43",
  state: "APPROVED",
  submitted_at: at,
  body: "",
  user: ada,
};

describe("a comment of a list", () => {
  test("is read with where it stands, and with when it was written and changed", () => {
    expect(readComment("conversation", { ...raw, updated_at: later })).toEqual({
      surface: "conversation",
      id: "42",
      number: 7,
      createdAt: at,
      updatedAt: later,
      raw: { ...raw, updated_at: later },
    });
    expect(readComment("diff", raw)).toEqual({
      surface: "diff",
      id: "42",
      number: 12,
      createdAt: at,
      updatedAt: at,
      raw,
    });
    expect(readComment("conversation", { ...raw, updated_at: null })?.updatedAt).toBe(at);
    expect(readComment("conversation", { ...raw, issue_url: "2147483647" })?.number).toBe(
      2_147_483_647,
    );
  });

  const odd: readonly (readonly [string, unknown])[] = [
    ["nothing", null],
    ["a list", [raw]],
    ["one without an id", { ...raw, id: null }],
    ["one without a time", { ...raw, created_at: null }],
    ["one without an address", { ...raw, issue_url: ["7"] }],
    ["one whose address ends in nothing", { ...raw, issue_url: "https://code.example/issues/" }],
    ["one whose address ends in words", { ...raw, issue_url: "https://code.example/issues/seven" }],
    [
      "one whose address ends in too many digits",
      { ...raw, issue_url: "https://code.example/issues/00000000007" },
    ],
  ];
  test.each(odd)("is not made of %s", (_name, entry) =>
    expect(readComment("conversation", entry)).toBeNull(),
  );
});

describe("a review of a list", () => {
  test("is read with its state as webhooks write it", () => {
    expect(readReview(12, review)).toEqual({
      surface: "review",
      id: "43",
      number: 12,
      createdAt: at,
      updatedAt: at,
      raw: { ...review, state: "approved" },
    });
    expect(readReview(12, { ...review, state: null })?.raw["state"]).toBe("");
  });

  const odd: readonly (readonly [string, unknown])[] = [
    ["nothing", null],
    ["a list", [review]],
    ["one without an id", { ...review, id: null }],
    ["one that was not submitted", { ...review, submitted_at: null }],
    ["one that is pending", { ...review, state: "PENDING" }],
    ["one that was dismissed", { ...review, state: "DISMISSED" }],
  ];
  test.each(odd)("is not made of %s", (_name, entry) => expect(readReview(12, entry)).toBeNull());
});

const issue = {
  id: 5,
  number: 7,
  state: "open",
  closed_at: null,
  updated_at: later,
  labels: [{ name: "late" }],
};
const label: Change = { id: 90, at: "2024-05-06T12:30:00Z", action: "labeled", label: "late" };
const onIssue: PolledItem = { repository, type: "issue", number: 7, item: issue };
const onPull: PolledItem = {
  repository,
  type: "pull-request",
  number: 12,
  item: { ...issue, number: 12 },
};
const before = { ...issue, updated_at: at, labels: [] };
const unread: ListedComment = {
  surface: "conversation",
  id: "",
  number: 0,
  createdAt: "",
  updatedAt: "",
  raw: {},
};
const comment = (over: object = {}): ListedComment =>
  readComment("conversation", { ...raw, ...over }) ?? unread;
const onDiff = (over: object = {}): ListedComment =>
  readComment("diff", { ...raw, ...over }) ?? unread;
const reviewed = (over: object = {}): ListedComment =>
  readReview(12, { ...review, ...over }) ?? unread;
const all = { at, kind: "comment", editedNode: null };

describe("what was said becomes the webhook that the host sends for it", () => {
  test("a comment, on the item as it was then", () => {
    expect(commentHappening(comment(), onIssue, [label])).toEqual({
      ...all,
      event: "issue_comment",
      identity: "comment:42:created",
      number: 7,
      current: issue,
      payload: { action: "created", comment: raw, issue: before, repository, sender: ada },
    });
  });

  test("a comment in the conversation of a pull request, which counts as an issue there", () => {
    expect(commentHappening(comment(), onPull, []).payload).toEqual({
      action: "created",
      comment: raw,
      issue: { ...onPull.item, updated_at: at },
      repository,
      sender: ada,
    });
  });

  test("a comment on a diff, which others see when its review is submitted", () => {
    const pull_request = { ...before, number: 12 };
    expect(commentHappening(onDiff(), onPull, [label])).toEqual({
      ...all,
      event: "pull_request_review_comment",
      identity: "diff-comment:42:created",
      number: 12,
      current: onPull.item,
      payload: {
        action: "created",
        comment: raw,
        number: 12,
        pull_request,
        repository,
        sender: ada,
      },
    });
    const submitted = settleEdit(
      commentHappening(onDiff({ updated_at: later }), onPull, []),
      onDiff({ updated_at: later }),
      onPull,
      [],
      null,
    );
    expect([submitted.at, submitted.identity]).toEqual([later, "diff-comment:42:created"]);
  });

  test("a review without words", () => {
    expect(commentHappening(reviewed(), onPull, [label])).toEqual({
      ...all,
      event: "pull_request_review",
      identity: "review:43:submitted",
      number: 12,
      current: onPull.item,
      payload: {
        action: "submitted",
        review: { ...review, state: "approved" },
        number: 12,
        pull_request: { ...before, number: 12 },
        repository,
        sender: ada,
      },
    });
    expect(commentHappening(reviewed({ body: null }), onPull, []).editedNode).toBeNull();
  });
});

describe("what may have been changed since", () => {
  const edited = { updated_at: later };

  test("counts as an edit by nobody, and says whom to ask about", () => {
    const raw2 = { ...raw, ...edited };
    expect(commentHappening(comment(edited), onIssue, [label])).toEqual({
      ...all,
      at: later,
      event: "issue_comment",
      identity: `comment:42:edited:${later}`,
      number: 7,
      current: issue,
      editedNode: "IC_42",
      payload: { action: "edited", comment: raw2, issue, repository },
    });
    expect(commentHappening(comment({ ...edited, node_id: 7 }), onIssue, []).editedNode).toBeNull();
    expect(commentHappening(onDiff(edited), onPull, []).identity).toBe(
      `diff-comment:42:edited:${later}`,
    );
  });

  test("is also every review that says something, because no list tells when one was changed", () => {
    const happening = commentHappening(reviewed({ body: "Fine." }), onPull, [label]);
    expect(happening).toMatchObject({
      identity: `review:43:edited:${at}`,
      editedNode: "PRR_43",
      payload: { action: "edited", review: { updated_at: at } },
    });
    expect(happening.payload["sender"]).toBeUndefined();
  });

  const settled = (
    what: ListedComment,
    subject: PolledItem,
    editor: Parameters<typeof settleEdit>[4],
  ): Happening =>
    settleEdit(commentHappening(what, subject, [label]), what, subject, [label], editor);

  test("stays as it is where nobody can be asked", () => {
    expect(settled(comment(edited), onIssue, "unknown")).toEqual(
      commentHappening(comment(edited), onIssue, [label]),
    );
  });

  test("was created where nobody ever changed it", () => {
    const { at: when, identity, payload, editedNode } = settled(comment(edited), onIssue, null);
    expect([when, identity, payload["action"], payload["sender"], editedNode]).toEqual([
      at,
      "comment:42:created",
      "created",
      ada,
      null,
    ]);
    expect(settled(reviewed({ body: "Fine." }), onPull, null)).toMatchObject({
      identity: "review:43:submitted",
      payload: { action: "submitted", sender: ada },
    });
  });

  test("is its author's with the author's number where the author changed it, else of a name alone", () => {
    expect(
      settled(comment(edited), onIssue, { account: personCalled("Ada"), at: later }).payload[
        "sender"
      ],
    ).toEqual(ada);
    expect(
      settled(comment(edited), onIssue, { account: personCalled("mallory"), at: later }).payload[
        "sender"
      ],
    ).toEqual({ login: "mallory", type: "User" });
    for (const user of [null, { login: 7 }])
      expect(
        settled(comment({ ...edited, user }), onIssue, { account: personCalled("7"), at: later })
          .payload["sender"],
      ).toEqual({ login: "7", type: "User" });
    expect(
      settled(comment(edited), onIssue, { account: personCalled("ada"), at: later }),
    ).toMatchObject({
      identity: `comment:42:edited:${later}`,
      editedNode: "IC_42",
      payload: { action: "edited" },
    });
  });

  test("is its author's by id, whatever login the query language shows, and never by a name that a bot and a person share", () => {
    const bot = { login: "helper[bot]", id: 99, type: "Bot" };
    const by = (account: Account, user: unknown = bot): unknown =>
      settled(comment({ ...edited, user }), onIssue, { account, at: later }).payload["sender"];
    expect(by({ login: "helper", id: "99", bot: true })).toEqual(bot);
    expect(by({ login: "helper", id: null, bot: true })).toEqual(bot);
    expect(by({ login: "helper", id: null, bot: false })).toEqual({
      login: "helper",
      type: "User",
    });
    expect(by({ login: "helper", id: "98", bot: true })).toEqual({
      login: "helper",
      id: "98",
      type: "Bot",
    });
    expect(by({ login: "ada-lovelace", id: "1", bot: false }, ada)).toEqual(ada);
    expect(by({ login: "ada", id: "11", bot: false }, ada)).toEqual({
      login: "ada",
      id: "11",
      type: "User",
    });
    expect(by({ login: "helper[bot]", id: null, bot: false })).toEqual({
      login: "helper[bot]",
      type: "User",
    });
  });

  test("is a review of the moment that the host names for its edit", () => {
    const happening = settled(reviewed({ body: "Fine." }), onPull, {
      account: personCalled("ada"),
      at: later,
    });
    expect(happening).toMatchObject({
      at: later,
      identity: `review:43:edited:${later}`,
      editedNode: null,
      payload: {
        action: "edited",
        review: { updated_at: later },
        pull_request: { updated_at: later, labels: [{ name: "late" }] },
        sender: ada,
      },
    });
  });
});
