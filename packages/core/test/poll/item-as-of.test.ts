import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Change, rewind } from "../../src/poll/item-as-of.ts";

type Shown = { readonly state: string; readonly labels: readonly { readonly name: string }[] };

/**
 * Carries out changes that make sense one after the other and keeps what the item looked like after
 * each.
 */
function live(wishes: readonly { readonly what: number; readonly later: boolean }[]): {
  readonly changes: readonly Change[];
  readonly after: readonly Shown[];
  readonly now: Shown;
} {
  const changes: Change[] = [];
  const after: Shown[] = [];
  let now: Shown = { state: "open", labels: [] };
  let second = 0;
  for (const [n, { what, later }] of wishes.entries()) {
    if (later) second += 1;
    const label = `label-${what}`;
    const has = now.labels.some(({ name }) => name === label);
    const [action, next] =
      what === 0
        ? now.state === "open"
          ? (["closed", { ...now, state: "closed" }] as const)
          : (["reopened", { ...now, state: "open" }] as const)
        : has
          ? ([
              "unlabeled",
              { ...now, labels: now.labels.filter(({ name }) => name !== label) },
            ] as const)
          : (["labeled", { ...now, labels: [...now.labels, { name: label }] }] as const);
    now = next;
    changes.push({
      id: n + 1,
      at: `2024-05-06T12:00:${String(second).padStart(2, "0")}Z`,
      action,
      label: what === 0 ? null : label,
    });
    after.push(now);
  }
  return { changes, after, now };
}

const looks = (item: unknown): unknown => {
  const { state, labels } = JSON.parse(JSON.stringify(item)) as Shown;
  return { state, labels: labels.map(({ name }) => name).toSorted() };
};

test("taking back what came later shows the item as it was after each change, in any order of the list", () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ what: fc.integer({ min: 0, max: 3 }), later: fc.boolean() }), {
        maxLength: 40,
      }),
      fc.boolean(),
      (wishes, turned) => {
        const { changes, after, now } = live(wishes);
        for (const [n, change] of changes.entries()) {
          const then = rewind(
            { ...now, updated_at: "later" },
            turned ? changes.toReversed() : changes,
            { at: change.at, id: change.id },
          );
          expect(looks(then)).toEqual(looks(after[n]));
          expect(then["updated_at"]).toBe(change.at);
        }
      },
    ),
  );
});

test("before its closing a pull request was not merged, in both of its shapes", () => {
  const closed: Change = { id: 2, at: "2024-05-06T12:00:05Z", action: "closed", label: null };
  const before = { at: "2024-05-06T12:00:00Z", id: null };
  expect(
    rewind({ state: "closed", head: {}, merged: true, merged_at: "x" }, [closed], before),
  ).toMatchObject({ state: "open", merged: false, merged_at: null });
  expect(
    rewind({ state: "closed", pull_request: { url: "u", merged_at: "x" } }, [closed], before),
  ).toMatchObject({ pull_request: { url: "u", merged_at: null } });
  expect(
    rewind({ state: "closed", head: {}, merged: true }, [closed], { at: closed.at, id: 2 }),
  ).toMatchObject({ state: "closed", merged: true });
});

const noon = "2024-05-06T12:00:00Z";
const bug = { name: "bug" };
const item = { state: "closed", closed_at: noon, labels: [bug], merged: true, head: {} };
const change = (over: Partial<Change>): Change => ({
  id: 5,
  at: "2024-05-06T12:00:05Z",
  action: "labeled",
  label: "bug",
  ...over,
});

describe("what is taken back", () => {
  const rows: readonly (readonly [string, Change, number | null, object])[] = [
    [
      "nothing of the same second, where the moment is no change itself",
      change({ at: noon }),
      null,
      {},
    ],
    ["what came later in the same second", change({ at: noon }), 4, { labels: [] }],
    [
      "nothing that came before, whatever its number",
      change({ at: "2024-05-06T11:59:59Z" }),
      4,
      {},
    ],
    ["no merge, where it was only labelled since", change({}), null, { labels: [] }],
    [
      "a reopening: it was closed",
      change({ action: "reopened", label: null }),
      null,
      { state: "closed" },
    ],
    ["a label under any case", change({ label: "BUG" }), null, { labels: [] }],
    ["no label by a change that is about none", change({ label: null }), null, {}],
    [
      "a label that was taken off",
      change({ action: "unlabeled", label: "old" }),
      null,
      { labels: [bug, { name: "old" }] },
    ],
    [
      "no label that was taken off without a name",
      change({ action: "unlabeled", label: null }),
      null,
      {},
    ],
    ["no label by a change of another kind", change({ action: "review_requested" }), null, {}],
  ];
  test.each(rows)("%s", (_name, one, id, expected) =>
    expect(rewind(item, [one], { at: noon, id })).toEqual({
      ...item,
      updated_at: noon,
      ...expected,
    }),
  );

  test("also where the list of labels is odd", () => {
    expect(
      rewind({ labels: [7, "bug", null] }, [change({})], { at: noon, id: null })["labels"],
    ).toEqual([7, null]);
    expect(
      rewind({ labels: null }, [change({ action: "unlabeled" })], { at: noon, id: null })["labels"],
    ).toEqual([bug]);
  });

  test("a plain issue gets no word about merging", () => {
    expect(
      rewind({ state: "closed", labels: [] }, [change({ action: "closed", label: null })], {
        at: noon,
        id: null,
      }),
    ).toEqual({ state: "open", closed_at: null, labels: [], updated_at: noon });
  });
});

describe("an item that was listed before what happened", () => {
  const at = (second: number): string => `2024-05-06T12:00:${String(second).padStart(2, "0")}Z`;
  const listed = { state: "open", closed_at: null, labels: [bug], updated_at: at(20) };
  const closing: Change = { id: 6, at: at(30), action: "closed", label: null };

  test("is shown no newer than it was listed: what it lacks is not known to be missing", () => {
    expect(rewind(listed, [], { at: at(34), id: null })).toMatchObject({
      state: "open",
      updated_at: at(20),
    });
    expect(rewind(listed, [], { at: at(20), id: null })).toMatchObject({ updated_at: at(20) });
    expect(rewind(listed, [], { at: at(10), id: null })).toMatchObject({ updated_at: at(10) });
    expect(rewind({ state: "open" }, [], { at: at(34), id: null })).toMatchObject({
      updated_at: at(34),
    });
  });

  test("is shown as new as the change that is told, where the moment is one", () => {
    expect(rewind(listed, [], { at: at(34), id: 9 })).toMatchObject({ updated_at: at(34) });
  });

  test("keeps a label that it has already where it stands, and gets none by a change that is about none", () => {
    const labels = [{ name: "bug", color: "red" }, { name: "other" }];
    expect(
      rewind({ ...listed, labels }, [change({ id: 8, at: at(31) })], { at: at(33), id: null })[
        "labels"
      ],
    ).toEqual(labels);
    expect(
      rewind({ ...listed, labels }, [change({ id: 8, at: at(31), label: null })], {
        at: at(33),
        id: null,
      })["labels"],
    ).toEqual(labels);
  });

  test("is shown with the changes since, as far as they are told", () => {
    expect(rewind(listed, [closing], { at: at(34), id: null })).toMatchObject({
      state: "closed",
      closed_at: at(30),
      updated_at: at(30),
    });
    const reopening: Change = { id: 7, at: at(30), action: "reopened", label: null };
    expect(rewind(listed, [reopening, closing], { at: at(34), id: null })).toMatchObject({
      state: "open",
      closed_at: null,
      updated_at: at(30),
    });
    const [off, on] = [
      change({ id: 8, at: at(31), action: "unlabeled" }),
      change({ id: 9, at: at(32), action: "labeled", label: "other" }),
    ];
    expect(rewind(listed, [on, off, closing], { at: at(32), id: 9 })).toMatchObject({
      state: "closed",
      labels: [{ name: "other" }],
      updated_at: at(32),
    });
    expect(rewind(listed, [on, off], { at: at(31), id: 8 })).toMatchObject({
      labels: [],
      updated_at: at(31),
    });
    expect(
      rewind(listed, [change({ id: 8, at: at(31), action: "labeled" })], { at: at(33), id: null }),
    ).toMatchObject({ labels: [bug] });
  });
});
