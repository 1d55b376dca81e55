import { describe, expect, it } from "vitest";
import { type ItemView, refOf, viewOf } from "../../src/decide/item-view.ts";
import type { InboundEvent } from "../../src/event/event.ts";
import {
  activityEvent,
  ciEvent,
  commentEvent,
  controlEvent,
  issueOf,
  pullRequestOf,
} from "../../src/testing/build-event.ts";
import {
  itemOf,
  linkOf,
  policyOf,
  pullRef,
  sessionOf,
  stateOf,
  targetOf,
} from "../../src/testing/build-state.ts";
import { given } from "../../src/testing/given.ts";
import type { ItemState, WorkItem } from "../../src/work-item/records.ts";
import { formatRef } from "../../src/ref/ref.ts";

const closedUnarmed = itemOf("stopped", { workItem: { open: false, armed: false } });
const nothing = controlEvent({ verb: "stop", login: null, instance: null });
const at = (minute: number): string => `2026-03-01T12:0${minute}:00Z`;

/** What the event shows, unless the record is newer. */
describe("the work item as best known when deciding", () => {
  it.each<[string, InboundEvent, ItemView]>([
    [
      "a request that shows nothing",
      nothing,
      { open: false, armed: false, itself: false, stale: false },
    ],
    [
      "a check, which shows none",
      ciEvent(),
      { open: false, armed: false, itself: false, stale: false },
    ],
    [
      "a pull request of it",
      activityEvent({ item: pullRequestOf({ updatedAt: at(5) }) }),
      { open: false, armed: false, itself: false, stale: false },
    ],
    [
      "a pull request of it with the label",
      activityEvent({ item: pullRequestOf({ labels: ["loop: auto-execute"] }) }),
      { open: false, armed: true, itself: false, stale: false },
    ],
    [
      "itself, as it was before",
      activityEvent({ item: issueOf({ updatedAt: "2026-03-01T11:00:00Z" }) }),
      { open: false, armed: false, itself: true, stale: true },
    ],
    [
      "itself, as it is now",
      activityEvent({ item: issueOf({ updatedAt: at(5) }) }),
      { open: true, armed: true, itself: true, stale: false },
    ],
  ])("%s", (_what, event, view) => {
    expect(viewOf(event, stateOf({ item: closedUnarmed }), policyOf())).toEqual(view);
  });

  it("is what is on record where the event belongs nowhere", () => {
    expect(
      viewOf(activityEvent(), stateOf({ target: null, item: closedUnarmed }), policyOf()),
    ).toEqual({ open: false, armed: false, itself: false, stale: false });
  });

  it("is what was told last where nobody can tell which is newer", () => {
    const item = itemOf("stopped", { workItem: { open: false, hostUpdatedAt: null } });
    expect(
      given({ item }).when(activityEvent({ action: "edited", item: issueOf({ updatedAt: null }) }))
        .after.workItem?.open,
    ).toBe(true);
  });

  it("is not made older by the picture of a pull request, whose push is remembered also where the item is closed", () => {
    const item = itemOf("closed", { pullRequests: [linkOf()] });
    const branches = {
      head: "issue-7",
      headSha: "b".repeat(40),
      headRepository: "octo/shop",
      base: "main",
      sameRepository: true,
    };
    const pushed = activityEvent({
      action: "synchronize",
      item: pullRequestOf({ updatedAt: at(5), branches }),
    });
    expect(
      given({ item, target: targetOf({ provenance: "recorded-link" }) }).when(pushed).after
        .pullRequests[0]?.headSha,
    ).toBe("b".repeat(40));
  });
});

describe("an end", () => {
  it("is for every session that is not over, also one that has no lane", () => {
    const sessions = [
      sessionOf(),
      sessionOf({ endpoint: formatRef(pullRef) }),
      sessionOf({ endpoint: formatRef({ ...pullRef, number: 13 }), status: "closed" }),
    ];
    const { does } = given({ item: itemOf("started", { sessions, lanes: [] }) }).when(
      commentEvent("loop stop"),
    );
    expect(does).toEqual([
      "react eyes",
      "drop-turns #7",
      "end-session #7",
      "drop-turns #12",
      "end-session #12",
      "react hooray",
    ]);
  });
});

it("a ref in a record that does not parse is a bug, and is named", () => {
  const broken = "host:octo#7" as WorkItem["ref"];
  expect(() => refOf(broken)).toThrow("A recorded ref does not parse: host:octo#7");
  const item: ItemState = itemOf("started", { lanes: [{ endpoint: broken, hold: null }] });
  expect(() => given({ item }).when(commentEvent("loop stop"))).toThrow(broken);
});
