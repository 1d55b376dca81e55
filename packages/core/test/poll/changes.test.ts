import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { personCalled } from "../../src/accounts/account.ts";
import {
  editedHappening,
  type ListedPush,
  pushHappenings,
  readPush,
} from "../../src/poll/changes.ts";
import type { PolledItem } from "../../src/poll/happening.ts";

const at = "2024-05-06T12:00:00Z";
const repository = { id: 1, name: "garden", full_name: "maria/garden", owner: { login: "maria" } };
const pull = (head: string): PolledItem => ({
  repository,
  type: "pull-request",
  number: 12,
  item: {
    id: 5,
    number: 12,
    state: "open",
    updated_at: at,
    head: { sha: head, ref: "issue-7" },
    user: { login: "agent", id: 3 },
    labels: [],
  },
});
const push = (
  before: string,
  after: string,
  actor: unknown = { login: "ada", id: 1 },
): ListedPush => ({ before, after, at, actor });
const told = (head: string, before: string, pushes: readonly ListedPush[]): readonly string[] =>
  pushHappenings(pull(head), before, pushes).map(
    ({ payload }) =>
      `${String(payload["before"])}..${String(payload["after"])} by ${JSON.stringify(Object(payload["sender"])["login"] ?? null)}`,
  );

describe("a head that has moved", () => {
  test("is told push by push, with who made each, from where we were to where it is", () => {
    expect(
      told("d", "b", [
        push("c", "d", { login: "ben" }),
        push("b", "c"),
        push("a", "b"),
        push("0", "a"),
      ]),
    ).toEqual(['b..c by "ada"', 'c..d by "ben"']);
  });

  test("also where the branch was pushed elsewhere in between, and where the list does not reach back", () => {
    expect(told("d", "b", [push("x", "y"), push("c", "d"), push("b", "c")])).toEqual([
      'b..c by "ada"',
      'c..d by "ada"',
    ]);
    expect(told("d", "b", [push("c", "d")])).toEqual(['c..d by "ada"']);
  });

  test("is nobody's where the list does not show it, and nothing where it has not moved", () => {
    expect(told("d", "b", [push("a", "c")])).toEqual(["b..d by null"]);
    expect(told("b", "b", [push("a", "b")])).toEqual([]);
  });

  test("each payload shows the head of then, and every name is its own", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.stringMatching(/^[0-9a-f]{4,8}$/), { minLength: 2, maxLength: 8 }),
        (shas) => {
          const pushes = shas
            .slice(1)
            .map((after, n) => push(shas[n] ?? "", after))
            .toReversed();
          const happenings = pushHappenings(pull(shas.at(-1) ?? ""), shas[0] ?? "", pushes);
          expect(
            happenings.map(({ payload }) => Object(payload["pull_request"])["head"]["sha"]),
          ).toEqual(shas.slice(1));
          expect(new Set(happenings.map(({ identity }) => identity)).size).toBe(shas.length - 1);
        },
      ),
    );
  });

  test("becomes the webhook that the host sends for it", () => {
    const { repository: where, item } = pull("b");
    expect(pushHappenings(pull("b"), "a", [push("a", "b")])).toEqual([
      {
        event: "pull_request",
        at,
        kind: "push",
        number: 12,
        current: item,
        editedNode: null,
        identity: `pull-request:12:push:a..b:${at}`,
        payload: {
          action: "synchronize",
          before: "a",
          after: "b",
          number: 12,
          pull_request: item,
          repository: where,
          sender: { login: "ada", id: 1 },
        },
      },
    ]);
  });

  const odd: readonly (readonly [string, object])[] = [
    ["a head", { head: undefined }],
    ["a head that is an object", { head: ["b"] }],
    ["a commit", { head: { sha: 7 } }],
    ["a time", { updated_at: null }],
  ];
  test.each(odd)("is nothing where the item lacks %s", (_name, over) => {
    const { item, ...subject } = pull("b");
    expect(
      pushHappenings({ ...subject, item: { ...item, ...over } }, "a", [push("a", "b")]),
    ).toEqual([]);
  });

  test("only pushes are read of the list of activity", () => {
    const raw = { activity_type: "push", before: "a", after: "b", timestamp: at, actor: null };
    expect(readPush(raw)).toEqual(push("a", "b", null));
    expect(readPush({ ...raw, activity_type: "force_push" })).not.toBeNull();
    for (const odd of [
      null,
      [],
      { ...raw, activity_type: "branch_deletion" },
      { ...raw, before: 7 },
      { ...raw, after: 7 },
      { ...raw, timestamp: "x" },
    ])
      expect(readPush(odd)).toBeNull();
  });
});

describe("a text that was edited", () => {
  const edited = (edit: Parameters<typeof editedHappening>[2]): unknown =>
    editedHappening(pull("a"), [], edit)?.payload["sender"];

  test("is told with who edited it, by number where that is the author, and by nobody where nobody says", () => {
    expect(edited({ at, editor: personCalled("Agent") })).toEqual({ login: "agent", id: 3 });
    expect(edited({ at, editor: personCalled("mallory") })).toEqual({
      login: "mallory",
      type: "User",
    });
    expect(edited({ at, editor: undefined })).toBeUndefined();
    expect(edited(null)).toBeUndefined();
  });

  test("becomes the webhook that the host sends for it, with the item as it was then", () => {
    const { item, ...subject } = pull("a");
    const labelled = { ...item, labels: [{ name: "late" }] };
    const changes = [{ id: 9, at: "2024-05-06T12:30:00Z", action: "labeled", label: "late" }];
    expect(
      editedHappening({ ...subject, item: labelled }, changes, {
        at,
        editor: personCalled("agent"),
      }),
    ).toEqual({
      event: "pull_request",
      at,
      kind: "change",
      number: 12,
      current: labelled,
      editedNode: null,
      identity: `pull-request:12:edited:${at}`,
      payload: {
        action: "edited",
        changes: { body: {} },
        number: 12,
        pull_request: { ...item, closed_at: undefined },
        repository,
        sender: { login: "agent", id: 3 },
      },
    });
  });

  test("is of the item's last change where nobody says when, and nothing where that says nothing", () => {
    const { item, ...subject } = pull("a");
    expect(editedHappening(pull("a"), [], null)?.at).toBe(at);
    expect(
      editedHappening({ ...subject, item: { ...item, updated_at: null } }, [], null),
    ).toBeNull();
    expect(
      editedHappening({ ...subject, item: { ...item, user: { login: 7 } } }, [], {
        at,
        editor: personCalled("7"),
      })?.payload["sender"],
    ).toEqual({ login: "7", type: "User" });
  });

  test("at the time of its last edit, so that webhook and poll name it alike", () => {
    expect(
      editedHappening(pull("a"), [], { at: "2024-05-06T11:00:00Z", editor: personCalled("ada") }),
    ).toMatchObject({
      at: "2024-05-06T11:00:00Z",
      identity: "pull-request:12:edited:2024-05-06T11:00:00Z",
    });
  });
});
