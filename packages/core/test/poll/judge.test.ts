import { describe, expect, test } from "vitest";
import { countsAtFirstSight } from "../../src/poll/first-sight.ts";
import { type Happening, sortHappenings } from "../../src/poll/happening.ts";
import { missingFromListing, trackedIn } from "../../src/poll/reconcile-closed.ts";
import { issueRef, itemOf, linkOf, pullRef, sessionOf } from "../../src/testing/build-state.ts";
import { emptyItemState, type ItemState } from "../../src/work-item/records.ts";
import { formatRef, type RefText } from "../../src/ref/ref.ts";

const label = "loop: auto-execute";
const firstSight = "2024-05-06T12:00:00Z";
const armed = { state: "open", labels: [{ name: "Loop: Auto-Execute" }] };

function happening(over: Partial<Happening> = {}): Happening {
  return {
    event: "issue_comment",
    payload: { action: "created" },
    identity: "comment:1:created",
    at: "2024-05-06T11:00:00Z",
    kind: "comment",
    number: 1,
    current: armed,
    editedNode: null,
    ...over,
  };
}

describe("first sight", () => {
  const judge = (over: Partial<Happening>, recorded: readonly number[] = []): boolean =>
    countsAtFirstSight(happening(over), {
      firstSight,
      autoExecuteLabel: label,
      recorded: new Set(recorded),
    });
  const old = "2024-04-29T11:59:59Z";
  const rows: readonly (readonly [string, Partial<Happening>, readonly number[], boolean])[] = [
    ["a comment on an armed open item", {}, [], true],
    [
      "a comment on an item without the label",
      { current: { state: "open", labels: [] } },
      [],
      false,
    ],
    [
      "a comment on an armed item that is closed by now",
      { current: { ...armed, state: "closed" } },
      [],
      false,
    ],
    ["the label of an armed item", { kind: "change", payload: { action: "labeled" } }, [], true],
    [
      "another change of an armed item",
      { kind: "change", payload: { action: "reopened" } },
      [],
      false,
    ],
    ["the opening of an armed item", { kind: "opened" }, [], false],
    ["the closing of an item without records", { kind: "closed" }, [], false],
    [
      "the closing of an item on record",
      { kind: "closed", current: { state: "closed", labels: [] } },
      [1],
      true,
    ],
    [
      "a comment on an item on record without the label",
      { current: { state: "open", labels: [] } },
      [1],
      true,
    ],
    ["a comment that is older than seven days", { at: old }, [], false],
    ["the same on an item on record", { at: old }, [1], false],
    ["a check of a recorded head", { kind: "ci", number: null, current: null }, [], true],
    ["a comment of an item that nobody can look at any more", { current: null }, [], false],
    ["a comment that is seven days old to the second", { at: "2024-04-29T12:00:00Z" }, [], true],
    [
      "anything of a time that nobody can read",
      { at: "yesterday", current: { state: "open", labels: [] } },
      [],
      true,
    ],
    [
      "anything from the first poll on",
      { at: firstSight, current: { state: "open", labels: [] } },
      [],
      true,
    ],
  ];
  for (const [name, over, recorded, expected] of rows)
    test(`${name}: ${expected ? "counts" : "does not"}`, () =>
      expect(judge(over, recorded)).toBe(expected));
});

describe("closings", () => {
  test("only a complete list shows that something is missing", () => {
    const tracked = { open: new Set([9, 2, 5]) };
    expect(missingFromListing({ complete: true, numbers: new Set([5, 7]) }, tracked)).toEqual([
      2, 9,
    ]);
    expect(missingFromListing({ complete: false, numbers: new Set([5, 7]) }, tracked)).toEqual([]);
    expect(missingFromListing({ complete: false, numbers: new Set() }, tracked)).toEqual([]);
  });

  test("what is at work is looked for, what is on record is known, recorded open heads are read", () => {
    const [issue, pull] = [formatRef(issueRef), formatRef(pullRef)];
    const repository = {
      host: issueRef.host,
      owner: issueRef.owner.toUpperCase(),
      name: issueRef.repo,
    };
    const started = itemOf("started", {
      pullRequests: [linkOf()],
      sessions: [sessionOf({ endpoint: pull })],
    });
    expect(trackedIn([started], repository)).toEqual({
      open: new Set([issueRef.number, pullRef.number]),
      recorded: new Set([issueRef.number, pullRef.number]),
      heads: new Set(["a".repeat(40)]),
    });
    expect(trackedIn([started], { ...repository, name: "elsewhere" })).toEqual({
      open: new Set(),
      recorded: new Set(),
      heads: new Set(),
    });
    const over = itemOf("closed", {
      pullRequests: [linkOf({ open: false })],
      sessions: [sessionOf({ endpoint: issue, status: "closed" })],
    });
    expect(trackedIn([over], repository)).toEqual({
      open: new Set(),
      recorded: new Set([issueRef.number, pullRef.number]),
      heads: new Set(),
    });
  });

  const repository = { host: issueRef.host, owner: issueRef.owner, name: issueRef.repo };
  const [own, pull] = [sessionOf(), sessionOf({ endpoint: formatRef(pullRef) })];
  const ended = { ...own, status: "closed" } as const;
  const work: readonly (readonly [string, ItemState, readonly number[], readonly number[]])[] = [
    ["nothing about nothing", emptyItemState, [], []],
    ["what was only heard of", itemOf("idle"), [], [7]],
    ["what is started", itemOf("started"), [7], [7]],
    ["what is paused", itemOf("paused"), [7], [7]],
    ["what is stopped", itemOf("stopped"), [], [7]],
    [
      "what is stopped with a session that goes on",
      itemOf("stopped", { sessions: [ended, own] }),
      [7],
      [7],
    ],
    [
      "what is stopped with sessions that are over",
      itemOf("stopped", { sessions: [ended] }),
      [],
      [7],
    ],
    [
      "what is started and closed on the host",
      itemOf("started", { workItem: { open: false }, sessions: [own] }),
      [],
      [7],
    ],
    [
      "a pull request's session beside a closed item",
      itemOf("started", { workItem: { open: false }, sessions: [pull] }),
      [12],
      [7, 12],
    ],
    ["a session without an item", { ...emptyItemState, sessions: [own, pull] }, [7, 12], [7, 12]],
    ["a session that is over without an item", { ...emptyItemState, sessions: [ended] }, [], []],
    [
      "a ref that nobody can read",
      itemOf("started", { workItem: { ref: "host:octo" as RefText } }),
      [],
      [],
    ],
  ];
  test.each(work)("of %s are looked for and known", (_name, item, open, recorded) =>
    expect(trackedIn([item], repository)).toMatchObject({
      open: new Set(open),
      recorded: new Set(recorded),
    }),
  );

  test.each([{ host: "code.example" }, { owner: "else" }, { name: "else" }])(
    "nothing of another repository: %j",
    (over) => {
      expect(
        trackedIn([itemOf("started", { sessions: [pull], pullRequests: [linkOf()] })], {
          ...repository,
          ...over,
        }),
      ).toEqual({ open: new Set(), recorded: new Set(), heads: new Set() });
    },
  );

  test("of links without a head none is read", () => {
    expect(
      trackedIn([itemOf("idle", { pullRequests: [linkOf({ headSha: null })] })], repository),
    ).toEqual({ open: new Set(), recorded: new Set([7, 12]), heads: new Set() });
  });
});

test("one row whatever the order of the lists: by time, then opening, changes, words, pushes, checks, closing; nothing twice", () => {
  const kinds = ["closed", "ci", "push", "comment", "change", "opened"] as const;
  const all = kinds.flatMap((kind) =>
    ["2024-05-06T12:00:01Z", "2024-05-06T12:00:00Z"].map((at) =>
      happening({ kind, at, identity: `${kind} ${at}` }),
    ),
  );
  const expected = all
    .toReversed()
    .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    .map(({ identity }) => identity);
  expect(sortHappenings([...all, ...all]).map(({ identity }) => identity)).toEqual(expected);
  expect(sortHappenings(all.toReversed()).map(({ identity }) => identity)).toEqual(expected);
});

test("of two by one name the first is told; in one second and kind shorter names come first, as lower numbers do", () => {
  const told = sortHappenings([
    happening({ identity: "comment:10:created" }),
    happening({ identity: "comment:9:created" }),
    happening({ identity: "comment:8:created" }),
    happening({ identity: "comment:9:created", number: 2 }),
  ]);
  expect(told.map(({ identity, number }) => [identity, number])).toEqual([
    ["comment:8:created", 1],
    ["comment:9:created", 1],
    ["comment:10:created", 1],
  ]);
});
