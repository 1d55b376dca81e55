import { describe, expect, test } from "vitest";
import {
  changeHappening,
  closedHappening,
  goneHappening,
  type ListedChange,
  openedHappening,
  readChange,
} from "../../src/poll/changes.ts";
import type { Happening, PolledItem } from "../../src/poll/happening.ts";
import type { Change } from "../../src/poll/item-as-of.ts";

const at = "2024-05-06T12:00:00Z";
const later = "2024-05-06T13:00:00Z";
const ada = { login: "ada", id: 1 };
const raw = {
  id: 77,
  event: "labeled",
  created_at: at,
  issue: { number: 7 },
  label: { name: "bug" },
  actor: ada,
};
const repository = { id: 1, full_name: "maria/garden" };

/** Issue 7 as the list shows it now: closed since, with a label that came last. */
const now = {
  id: 5,
  number: 7,
  state: "closed",
  closed_at: later,
  created_at: at,
  updated_at: later,
  labels: [{ name: "bug" }, { name: "late" }],
  user: ada,
};
const since: readonly Change[] = [
  { id: 90, at: later, action: "labeled", label: "late" },
  { id: 91, at: later, action: "closed", label: null },
];
const subject = (item: Readonly<Record<string, unknown>> = now): PolledItem => ({
  repository,
  type: "issue",
  number: 7,
  item,
});
const then = { ...now, state: "open", closed_at: null, updated_at: at, labels: [{ name: "bug" }] };

describe("an entry of the list of events", () => {
  const read: readonly (readonly [string, object, Partial<ListedChange>])[] = [
    ["a label", {}, { action: "labeled", label: "bug" }],
    ["a label taken off", { event: "unlabeled" }, { action: "unlabeled", label: "bug" }],
    ["a closing", { event: "closed", label: undefined }, { action: "closed", label: null }],
    ["a reopening", { event: "reopened", label: undefined }, { action: "reopened", label: null }],
    ["another title", { event: "renamed", label: undefined }, { action: "edited", label: null }],
    [
      "ready for review",
      { event: "ready_for_review", label: undefined },
      { action: "ready_for_review", label: null },
    ],
    [
      "a draft again",
      { event: "convert_to_draft", label: undefined },
      { action: "converted_to_draft", label: null },
    ],
    [
      "a review that is asked for",
      { event: "review_requested", label: undefined },
      { action: "review_requested", label: null },
    ],
    [
      "one of a pull request",
      { issue: { number: 12, pull_request: {} } },
      { number: 12, type: "pull-request" },
    ],
    ["an id in digits", { id: "78" }, { id: 78 }],
    ["a label that is no object", { label: "bug" }, { label: null }],
    ["a label without a name", { label: { name: 7 } }, { label: null }],
  ];
  test.each(read)("%s is read", (_name, over, expected) => {
    const entry = { ...raw, ...over };
    expect(readChange(entry)).toEqual({
      id: 77,
      at,
      action: "labeled",
      label: "bug",
      number: 7,
      type: "issue",
      raw: entry,
      ...expected,
    });
  });

  const odd: readonly (readonly [string, unknown])[] = [
    ["nothing", null],
    ["a list", [raw]],
    ["one without an item", { ...raw, issue: undefined }],
    ["one whose item is a list", { ...raw, issue: [] }],
    ["one that no decision depends on", { ...raw, event: "assigned" }],
    ["one without a name", { ...raw, event: ["labeled"] }],
    ["one without an id", { ...raw, id: null }],
    ["one whose id has lost digits", { ...raw, id: "99999999999999999999" }],
    ["one without a time", { ...raw, created_at: null }],
    ["one of no number", { ...raw, issue: { number: 0 } }],
  ];
  test.each(odd)("%s is left out", (_name, entry) => expect(readChange(entry)).toBeNull());
});

/** The happening of an entry, and what it must be beside what they all are. */
function listed(over: object, item = now, changes = since): Happening | null {
  const change = readChange({ ...raw, ...over });
  return change === null ? null : changeHappening(change, subject(item), changes);
}
const same = { event: "issues", at, number: 7, editedNode: null };

describe("a change becomes the webhook that the host sends for it", () => {
  test("a label, with the item as it was then", () => {
    expect(listed({})).toEqual({
      ...same,
      kind: "change",
      current: now,
      identity: "event:77",
      payload: { action: "labeled", issue: then, repository, label: { name: "bug" }, sender: ada },
    });
  });

  test("another title, with the one before; an odd entry has none", () => {
    const edited = { action: "edited", issue: then, repository, sender: ada };
    expect(
      listed({ event: "renamed", label: undefined, rename: { from: "Before" } })?.payload,
    ).toEqual({ ...edited, changes: { title: { from: "Before" } } });
    expect(listed({ event: "renamed", label: undefined, rename: null })?.payload).toStrictEqual({
      ...edited,
      changes: { title: { from: "" } },
    });
  });

  test("a review that is asked for, with of whom; who acted is nobody where the list does not say", () => {
    const asked = { requested_reviewer: { login: "ben" }, requested_team: { slug: "crew" } };
    expect(
      listed({ event: "review_requested", label: undefined, actor: null, ...asked, assignee: ada })
        ?.payload,
    ).toEqual({ action: "review_requested", issue: then, repository, ...asked });
  });

  test("a closing, with the item closed at that time although it was reopened since", () => {
    const reopened = { ...now, state: "open", closed_at: null };
    const changes = [{ id: 91, at: later, action: "reopened", label: null }];
    expect(
      listed({ event: "closed", label: undefined }, { ...reopened, closed_at: "" }, changes),
    ).toEqual({
      ...same,
      kind: "closed",
      current: { ...reopened, closed_at: "" },
      identity: `issue:7:closed:${at}`,
      payload: {
        action: "closed",
        issue: { ...now, state: "closed", closed_at: at, updated_at: at },
        repository,
        sender: ada,
      },
    });
  });
});

describe("a closing has one name, by which webhook and poll know it", () => {
  const closing = (closedAt: unknown, changes: readonly Change[] = []): string | undefined => {
    const change = readChange({ ...raw, event: "closed" });
    return change === null
      ? undefined
      : changeHappening(change, subject({ ...now, closed_at: closedAt }), changes).identity.slice(
          "issue:7:closed:".length,
        );
  };
  const rows: readonly (readonly [string, unknown, readonly Change[], string])[] = [
    [
      "the item's own time where it means this one",
      "2024-05-06T12:00:01Z",
      [],
      "2024-05-06T12:00:01Z",
    ],
    ["also a little earlier", "2024-05-06T11:59:55Z", [], "2024-05-06T11:59:55Z"],
    ["not more than five seconds away", "2024-05-06T12:00:05.001Z", [], at],
    [
      "nor that of a later one",
      "2024-05-06T12:00:01Z",
      [{ id: 78, at: later, action: "closed", label: null }],
      at,
    ],
    [
      "other changes later do not matter",
      "2024-05-06T12:00:01Z",
      [{ id: 78, at: later, action: "labeled", label: "x" }],
      "2024-05-06T12:00:01Z",
    ],
    [
      "nor earlier closings, nor itself",
      "2024-05-06T12:00:01Z",
      [
        { id: 76, at, action: "closed", label: null },
        { id: 77, at, action: "closed", label: null },
      ],
      "2024-05-06T12:00:01Z",
    ],
    ["the event's where the item is open again", null, [], at],
    ["the event's where the item's cannot be read", "some time in May", [], at],
  ];
  test.each(rows)("%s", (_name, closedAt, changes, expected) =>
    expect(closing(closedAt, changes)).toBe(expected),
  );

  test("also where neither says when", () => {
    const change = readChange({ ...raw, event: "closed", created_at: "some time in May" });
    expect(
      change === null
        ? null
        : changeHappening(change, subject({ ...now, closed_at: null }), []).identity,
    ).toBe("issue:7:closed:some time in May");
  });
});

describe("what lists of items show", () => {
  test("an opening, with the item open and with the labels of that second, by its author", () => {
    const changes = [...since, { id: 76, at, action: "labeled", label: "bug" }];
    expect(openedHappening(subject(), changes)).toEqual({
      ...same,
      kind: "opened",
      current: now,
      identity: "issue:7:opened",
      payload: { action: "opened", issue: then, repository, sender: ada },
    });
    expect(openedHappening(subject(), [])?.payload["issue"]).toMatchObject({
      state: "open",
      closed_at: null,
    });
    expect(openedHappening(subject({ ...now, created_at: null }), [])).toBeNull();
  });

  test("a closing that was found, by who the host says closed it, at the item's own time", () => {
    expect(closedHappening(subject(), { login: "ben" })).toEqual({
      ...same,
      at: later,
      kind: "closed",
      current: now,
      identity: `issue:7:closed:${later}`,
      payload: { action: "closed", issue: now, repository, sender: { login: "ben" } },
    });
    const unsaid = { ...now, closed_at: null, updated_at: "2024-05-06T14:00:00Z" };
    expect(closedHappening(subject(unsaid), undefined)).toEqual({
      ...same,
      at: unsaid.updated_at,
      kind: "closed",
      current: unsaid,
      identity: "issue:7:closed:",
      payload: { action: "closed", issue: unsaid, repository },
    });
    expect(
      closedHappening(subject({ ...now, updated_at: "2024-05-06T14:00:00Z" }), ada)?.payload[
        "issue"
      ],
    ).toMatchObject({ updated_at: later });
    expect(closedHappening(subject({ ...now, closed_at: null, updated_at: null }), ada)).toBeNull();
  });

  test.each(["deleted", "transferred"] as const)(
    "that it is %s: closed, and by nobody",
    (action) => {
      const item = { title: "Gone", updated_at: at };
      expect(goneHappening({ ...subject(item), type: "pull-request" }, action, later)).toEqual({
        ...same,
        at: later,
        kind: "closed",
        current: item,
        identity: `issue:7:${action}`,
        payload: {
          action,
          issue: { title: "Gone", number: 7, state: "closed", updated_at: later },
          repository,
        },
      });
    },
  );
});
