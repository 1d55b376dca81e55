import { describe, expect, test } from "vitest";
import { importRecord } from "../../src/control/import-record.ts";
import { emptyItemState, type ItemState } from "../../src/work-item/records.ts";
import { issueRef, itemOf, laneOf, sessionOf } from "../../src/testing/index.ts";

const brought: ItemState = { ...itemOf("started"), sessions: [], lanes: [] };
const terms = { instance: "south", take: false, replace: false };
const ownerOf = (item: ItemState): string | null | undefined => item.workItem?.control.instance;

function after(present: ItemState, over: Partial<typeof terms> = {}): ItemState {
  const result = importRecord(brought, present, { ...terms, ...over });
  if (result.kind !== "imported") throw new Error(`it was ${JSON.stringify(result)}`);
  return result.after;
}

describe("a portable record that is brought here", () => {
  test("stands as it was written where nothing stood, and stays with the instance that it names", () => {
    expect(after(emptyItemState)).toEqual({ ...emptyItemState, workItem: brought.workItem, pullRequests: brought.pullRequests, collaborators: brought.collaborators });
  });

  test("becomes this instance's when that is said; what nobody was asked for stays nobody's", () => {
    expect(ownerOf(after(emptyItemState, { take: true }))).toBe("south");
    const nobodys = { ...itemOf("idle"), workItem: { ...itemOf("idle").workItem, control: { ...itemOf("idle").workItem?.control, instance: null } } } as ItemState;
    expect(importRecord(nobodys, emptyItemState, { ...terms, take: true })).toMatchObject({ kind: "imported", after: { workItem: { control: { instance: null } } } });
  });

  test("is the same a second time", () => {
    expect(importRecord(brought, after(emptyItemState), terms)).toEqual({ kind: "same" });
    expect(importRecord(brought, after(emptyItemState, { take: true }), { ...terms, take: true })).toEqual({ kind: "same" });
  });

  test("takes the place of another one only when that is said, and what is of this machine stays", () => {
    const present: ItemState = { ...itemOf("stopped"), sessions: [sessionOf({ status: "closed" })], lanes: [laneOf(issueRef, null)] };
    expect(importRecord(brought, present, terms)).toEqual({ kind: "refused", why: "differs" });
    expect(after(present, { replace: true })).toMatchObject({ workItem: brought.workItem, sessions: present.sessions, lanes: present.lanes });
  });

  test.each<[string, ItemState]>([
    ["a conversation about it lives here", { ...itemOf("stopped"), sessions: [sessionOf({ status: "active" })] }],
    ["it was started here, and its lane stands", { ...itemOf("paused"), sessions: [], lanes: [laneOf(issueRef, null)] }],
  ])("is left alone where %s, whatever is said", (_, present) => {
    expect(importRecord(brought, present, { ...terms, take: true, replace: true })).toEqual({ kind: "refused", why: "at-work" });
  });
});
