import { describe, expect, it } from "vitest";
import { adoptedBy } from "../../src/work-item/adopted-item.ts";
import { managedItems } from "../../src/control/instance.ts";
import { awayAfterMs, instanceStatus } from "../../src/control/instance-life.ts";
import {
  issueRef,
  itemOf,
  laneOf,
  linkOf,
  policyOf,
  pullRef,
  sessionOf,
} from "../../src/testing/build-state.ts";
import { emptyItemState, type HoldReason, type ItemState } from "../../src/work-item/records.ts";
import { formatRef, type RefText } from "../../src/ref/ref.ts";

const refOf = (number: number): RefText => formatRef({ ...issueRef, number });
const itemAt = (number: number, item: ItemState): ItemState => ({
  ...item,
  workItem: item.workItem === null ? null : { ...item.workItem, ref: refOf(number) },
});

describe("how an instance stands", () => {
  it.each([
    [false, 0, "running"],
    [false, awayAfterMs, "running"],
    [false, awayAfterMs + 1, "away"],
    [true, 0, "stopped"],
    [true, awayAfterMs + 1, "stopped"],
  ] as const)("ended: %s, seen %i ms ago: %s", (ended, seenAgoMs, standing) => {
    expect(instanceStatus({ ended, seenAgoMs })).toBe(standing);
  });
});

/** By what an instance manages a work item, in every scope mode. */
describe("the work items of an instance", () => {
  const policy = policyOf({
    instance: { name: "default", scope: "open", workItems: new Set([refOf(9), refOf(3)]) },
  });

  it("are those that are declared, those with a session, and those that somebody asked for, by ref", () => {
    const items: readonly ItemState[] = [
      itemAt(7, itemOf("started", { sessions: [sessionOf({ workItem: refOf(7) })] })),
      itemAt(5, itemOf("stopped")),
      itemAt(3, itemOf("idle")),
      itemAt(1, itemOf("idle")),
      { ...emptyItemState, sessions: [sessionOf({ workItem: refOf(4) })] },
      emptyItemState,
    ];
    expect(managedItems(items, policy)).toEqual([
      { ref: refOf(3), sources: ["declared"] },
      { ref: refOf(4), sources: ["session"] },
      { ref: refOf(5), sources: ["control"] },
      { ref: refOf(7), sources: ["session", "control"] },
      { ref: refOf(9), sources: ["declared"] },
    ]);
  });

  it("a request that led back to idle still counts", () => {
    const lifted = itemOf("idle");
    const asked: ItemState = {
      ...lifted,
      workItem:
        lifted.workItem === null
          ? null
          : { ...lifted.workItem, control: { ...lifted.workItem.control, instance: "default" } },
    };
    expect(managedItems([asked], policyOf()).map(({ sources }) => sources)).toEqual([["control"]]);
    expect(
      [itemOf("started", { control: { instance: null } }), itemOf("idle")].map((item) =>
        managedItems([item], policyOf()).map(({ sources }) => sources),
      ),
    ).toEqual([[["control"]], []]);
  });
});

/** A new checkout and a new session are made from what survives machines. */
describe("an item that another instance takes over", () => {
  const item = itemOf("started", {
    sessions: [sessionOf()],
    pullRequests: [linkOf()],
    collaborators: [{ login: "carol", id: null, grantedBy: "alice", at: 0 }],
    lanes: [laneOf(issueRef)],
  });

  it("belongs to the new one, which knows from whom, and has no sessions", () => {
    const after = adoptedBy(item, "old", "new");
    expect(after.workItem?.control).toEqual({
      ...item.workItem?.control,
      instance: "new",
      adoptedFrom: "old",
    });
    expect([after.sessions, after.pullRequests, after.collaborators]).toEqual([
      [],
      item.pullRequests,
      item.collaborators,
    ]);
    expect(after.workItem).not.toHaveProperty("steered");
  });

  it("keeps the last request that steered it, which names a delivery that both know", () => {
    const steered: ItemState = {
      ...item,
      workItem: item.workItem === null ? null : { ...item.workItem, steered: "d-1" },
    };
    expect(adoptedBy(steered, "old", "new").workItem?.steered).toBe("d-1");
  });

  it("stays nobody's where it was nobody's, and nothing where nothing was known", () => {
    expect(adoptedBy(itemOf("idle"), "old", "new").workItem?.control).toEqual(
      itemOf("idle").workItem?.control,
    );
    expect(adoptedBy(emptyItemState, "old", "new")).toEqual(emptyItemState);
  });

  it.each<[HoldReason, boolean]>([
    ["ending", false],
    ["releasing", false],
    ["session-busy", false],
    ["attached", false],
    ["workspace", false],
    ["spawn-refused", false],
    ["not-installed", false],
    ["login", false],
    ["billing", false],
    ["usage-limit", false],
    ["backoff", false],
    ["paused", true],
    ["uncertain", true],
    ["loop-breaker", true],
    ["budget", true],
    ["failed", true],
  ])("a lane held for %s stays held: %s", (reason, stays) => {
    const hold = { reason, until: null, detail: "x" };
    expect(
      adoptedBy({ ...item, lanes: [laneOf(issueRef, hold), laneOf(pullRef)] }, "old", "new").lanes,
    ).toEqual([laneOf(issueRef, stays ? hold : null), laneOf(pullRef)]);
  });
});
