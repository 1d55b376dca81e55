import { describe, expect, it } from "vitest";
import { closedMeanwhile, mayBeOvertaken } from "../../src/decide/unrecorded-closing.ts";
import {
  activityEvent,
  closedEvent,
  commentEvent,
  controlEvent,
  issueOf,
  labelEvent,
  pullRequestOf,
} from "../../src/testing/build-event.ts";
import { itemOf, policyOf, targetOf } from "../../src/testing/build-state.ts";
import { emptyItemState } from "../../src/work-item/records.ts";

const at = (minute: number): string => `2026-03-01T12:0${minute}:00Z`;
const closing = (minute: number): ReturnType<typeof closedEvent> =>
  closedEvent({ item: issueOf({ open: false, labels: [], updatedAt: at(minute) }) });
const start = (minute: number): ReturnType<typeof commentEvent> =>
  commentEvent("loop start", { item: issueOf({ updatedAt: at(minute) }) });

describe("R19: a closing that left no record", () => {
  it.each([
    ["before it", start(3), [closing(5)], at(5)],
    ["in its second", start(5), [closing(5)], at(5)],
    ["before the newest of several", start(4), [closing(5), closing(7), closing(2)], at(7)],
  ])("counts for what shows the item %s", (_when, event, closings, updatedAt) => {
    expect(closedMeanwhile(emptyItemState, event, closings).workItem).toMatchObject({
      ref: "host:octo/shop#7",
      open: false,
      armed: false,
      hostUpdatedAt: updatedAt,
    });
  });

  it.each([
    ["what shows the item after it", emptyItemState, start(6)],
    ["an item on record", itemOf("idle"), start(3)],
    [
      "a request that shows no item",
      emptyItemState,
      controlEvent({ verb: "start", login: null, instance: null }),
    ],
  ])("changes nothing for %s", (_what, item, event) => {
    expect(closedMeanwhile(item, event, [closing(5)])).toBe(item);
    expect(closedMeanwhile(item, event, [])).toBe(item);
  });

  it("only a closing is one", () => {
    const edited = activityEvent({
      action: "edited",
      item: issueOf({ open: false, updatedAt: at(7) }),
    });
    expect(closedMeanwhile(emptyItemState, start(3), [edited])).toBe(emptyItemState);
    expect(
      closedMeanwhile(emptyItemState, start(3), [edited, closing(5)]).workItem?.hostUpdatedAt,
    ).toBe(at(5));
  });

  it.each([
    ["a comment on an item with the label", start(3), true],
    ["the label itself", labelEvent(), true],
    [
      "an item without the label",
      commentEvent("loop start", { item: issueOf({ labels: [] }) }),
      false,
    ],
    ["a closing", closedEvent(), false],
    [
      "another item than the one it belongs to",
      activityEvent({ item: pullRequestOf({ labels: ["loop: auto-execute"] }) }),
      false,
    ],
  ])("is looked for, or not: %s", (_what, event, asks) => {
    expect(mayBeOvertaken(event, targetOf(), policyOf())).toBe(asks);
    expect(mayBeOvertaken(event, null, policyOf())).toBe(false);
  });
});
