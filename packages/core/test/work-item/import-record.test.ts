import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { importRecord } from "../../src/work-item/import-record.ts";
import { formatPortableRecord, parsePortableRecord } from "../../src/work-item/portable-record.ts";
import { emptyItemState, type ItemState } from "../../src/work-item/records.ts";
import { issueRef, itemOf, laneOf, sessionOf } from "../../src/testing/build-state.ts";
import { itemStates } from "../decide/arbitraries.ts";

const brought: ItemState = { ...itemOf("started"), sessions: [], lanes: [] };
const startedOtherwise: ItemState = {
  ...withParts(itemOf("started"), [["title", "as it is called here"]]),
  sessions: [],
  lanes: [],
};
const terms = { instance: "south", take: false, replace: false, unendedTurn: false };
const ownerOf = (item: ItemState): string | null | undefined => item.workItem?.control.instance;

function after(present: ItemState, over: Partial<typeof terms> = {}): ItemState {
  const result = importRecord(brought, present, { ...terms, ...over });
  if (result.kind !== "imported") throw new Error(`it was ${JSON.stringify(result)}`);
  return result.after;
}

describe("a portable record that is brought here", () => {
  test("stands as it was written where nothing stood, and stays with the instance that it names", () => {
    expect(after(emptyItemState)).toEqual({
      ...emptyItemState,
      workItem: brought.workItem,
      pullRequests: brought.pullRequests,
      collaborators: brought.collaborators,
    });
  });

  test("becomes this instance's when that is said; what nobody was asked for stays nobody's", () => {
    expect(ownerOf(after(emptyItemState, { take: true }))).toBe("south");
    const nobodys = {
      ...itemOf("idle"),
      workItem: {
        ...itemOf("idle").workItem,
        control: { ...itemOf("idle").workItem?.control, instance: null },
      },
    } as ItemState;
    expect(importRecord(nobodys, emptyItemState, { ...terms, take: true })).toMatchObject({
      kind: "imported",
      after: { workItem: { control: { instance: null } } },
    });
  });

  test("is the same a second time", () => {
    expect(importRecord(brought, after(emptyItemState), terms)).toEqual({ kind: "same" });
    expect(
      importRecord(brought, after(emptyItemState, { take: true }), { ...terms, take: true }),
    ).toEqual({ kind: "same" });
  });

  test("takes the place of another one only when that is said, and what is of this machine stays", () => {
    const present: ItemState = {
      ...itemOf("stopped"),
      sessions: [sessionOf({ status: "closed" })],
      lanes: [laneOf(issueRef, null)],
    };
    expect(importRecord(brought, present, terms)).toEqual({ kind: "refused", why: "differs" });
    expect(after(present, { replace: true })).toMatchObject({
      workItem: brought.workItem,
      sessions: present.sessions,
      lanes: present.lanes,
    });
  });

  test("goes on from what was pushed once it is this instance's, as after an adoption; of another's nothing is said", () => {
    expect(after(emptyItemState, { take: true }).workItem?.control.adoptedFrom).toBe("default");
    expect(after(emptyItemState, { instance: "default" }).workItem?.control.adoptedFrom).toBe(
      "default",
    );
    expect(after(emptyItemState).workItem?.control).not.toHaveProperty("adoptedFrom");
  });

  test("that has no work item changes nothing, whatever stands here", () => {
    expect(importRecord(emptyItemState, emptyItemState, terms)).toEqual({ kind: "same" });
    expect(importRecord(emptyItemState, itemOf("stopped"), { ...terms, replace: true })).toEqual({
      kind: "same",
    });
  });

  test("leaves on record which delivery steered the item here last", () => {
    const present = withParts(itemOf("stopped"), [["steered", "d-9"]]);
    expect(
      after({ ...present, sessions: [], lanes: [] }, { replace: true }).workItem?.steered,
    ).toBe("d-9");
    expect(after(emptyItemState).workItem).not.toHaveProperty("steered");
  });

  test("takes the place of one that was started here and came to no lane", () => {
    expect(after(startedOtherwise, { replace: true }).workItem?.title).toBe(
      brought.workItem?.title,
    );
  });

  test("is left alone where a turn of it has not ended", () => {
    expect(
      importRecord(brought, itemOf("stopped"), { ...terms, replace: true, unendedTurn: true }),
    ).toEqual({ kind: "refused", why: "at-work" });
  });

  test.each<[string, ItemState]>([
    [
      "a conversation about it lives here",
      { ...itemOf("stopped"), sessions: [sessionOf({ status: "active" })] },
    ],
    ["one is being ended", { ...itemOf("stopped"), sessions: [sessionOf({ status: "closing" })] }],
    [
      "it was started here, and its lane stands",
      { ...startedOtherwise, lanes: [laneOf(issueRef, null)] },
    ],
    [
      "it was paused here, and its lane stands",
      { ...itemOf("paused"), sessions: [], lanes: [laneOf(issueRef, null)] },
    ],
  ])("is left alone where %s, whatever is said", (_, present) => {
    expect(importRecord(brought, present, { ...terms, take: true, replace: true })).toEqual({
      kind: "refused",
      why: "at-work",
    });
  });

  test("is written again as it came, for any item", () => {
    fc.assert(
      fc.property(itemStates, late, fc.boolean(), (state, parts, take) => {
        const item = withParts(state, parts);
        const record = formatPortableRecord(item);
        const read = parsePortableRecord(JSON.parse(JSON.stringify(record ?? null)));
        expect(read.ok).toBe(record !== null);
        if (record === null || !read.ok) return;
        const result = importRecord(read.item, emptyItemState, {
          ...terms,
          instance: record.workItem.control.instance ?? "south",
          take,
        });
        expect(
          result.kind === "imported" && JSON.stringify(formatPortableRecord(result.after)),
        ).toBe(JSON.stringify(record));
        expect(importRecord(read.item, { ...item, sessions: [], lanes: [] }, terms)).toEqual({
          kind: "same",
        });
      }),
    );
  });
});

/** What an item gets only in the course of its life, and in any order. */
const late = fc.shuffledSubarray<readonly [string, unknown]>([
  ["closedAgain", true],
  ["steered", "d-9"],
  ["revoked", [{ login: null, clock: "host", at: 1 }]],
  [
    "graph",
    {
      node: "review",
      graph: "work-item",
      signals: [{ kind: "waived", node: "review", how: "skipped", by: "operator", at: 1 }],
      announced: null,
      waits: null,
    },
  ],
  ["title", "é: 'quoted' # \u2028\n- not a list"],
  [
    "control",
    {
      before: "started",
      adoptedFrom: "north",
      since: { clock: "host", at: 3 },
      beforePause: "idle",
      status: "closed",
      at: 4,
      source: null,
      deliveryId: null,
      requestedBy: null,
      instance: "desk",
    },
  ],
]);

function withParts(state: ItemState, parts: readonly (readonly [string, unknown])[]): ItemState {
  return state.workItem === null
    ? state
    : ({ ...state, workItem: { ...state.workItem, ...Object.fromEntries(parts) } } as ItemState);
}
