import { describe, expect, it } from "vitest";
import { asksForOwn, mayBeHeard, ownActivity } from "../../src/decide/lookup-facts.ts";
import type { InboundEvent } from "../../src/event/event.ts";
import {
  activityEvent,
  carol,
  ciEvent,
  closedEvent,
  commentEvent,
  labelEvent,
  mallory,
} from "../../src/testing/build-event.ts";
import { policyOf } from "../../src/testing/build-state.ts";

const shouting = { login: "CAROL", id: "3", bot: false };

describe("a comment of somebody whom nobody may hear anywhere", () => {
  it.each<[string, InboundEvent, boolean]>([
    ["an authorized user's", commentEvent("hello"), true],
    [
      "an authorized user's in other letters",
      commentEvent("hello", { by: { login: "Alice", id: "1", bot: false } }),
      true,
    ],
    ["a guest's", commentEvent("hello", { by: carol }), true],
    ["a guest's in other letters", commentEvent("hello", { by: shouting }), true],
    [
      "a guest's who was renamed",
      commentEvent("hello", { by: { ...carol, login: "carol-2", id: "33" } }),
      true,
    ],
    ["a stranger's", commentEvent("hello", { by: mallory }), false],
    ["of nobody", { ...commentEvent("hello"), actor: null }, false],
    ["what else a stranger does", closedEvent({ by: mallory }), true],
    ["what a machine reports", ciEvent(), true],
  ])("%s", (_what, event, heard) => {
    expect(
      mayBeHeard(event, policyOf(), { logins: new Set(["carol"]), ids: new Set(["33"]) }),
    ).toBe(heard);
  });
});

describe("the session's own doing", () => {
  it.each<[string, { inCheckout: boolean; byOwnLogin: boolean }, InboundEvent, "activity" | "no"]>([
    [
      "a head that stands in its checkout, by whose login ever",
      { inCheckout: true, byOwnLogin: false },
      activityEvent(),
      "activity",
    ],
    [
      "under the token's login, where nobody steers under it",
      { inCheckout: false, byOwnLogin: true },
      activityEvent({ by: mallory }),
      "activity",
    ],
    [
      "under the token's login, where a person steers under it",
      { inCheckout: false, byOwnLogin: true },
      activityEvent(),
      "no",
    ],
    [
      "the same, written in other letters",
      { inCheckout: false, byOwnLogin: true },
      activityEvent({ by: { login: "ALICE", id: "1", bot: false } }),
      "no",
    ],
    ["neither", { inCheckout: false, byOwnLogin: false }, activityEvent({ by: mallory }), "no"],
    [
      "nobody's, with nothing that speaks for it",
      { inCheckout: false, byOwnLogin: false },
      ciEvent(),
      "no",
    ],
    [
      "nobody's, of the token's login",
      { inCheckout: false, byOwnLogin: true },
      ciEvent(),
      "activity",
    ],
  ])("%s", (_what, evidence, event, own) => {
    expect(ownActivity(evidence, event, policyOf())).toBe(own);
  });

  it.each<[string, InboundEvent, "ignore" | "wake", boolean]>([
    ["an activity", activityEvent(), "ignore", true],
    ["a label", labelEvent(), "ignore", true],
    ["a closing, which is told whoever made it", closedEvent(), "ignore", false],
    ["a comment", commentEvent("hello"), "ignore", false],
    ["an activity where own activity is wanted", activityEvent(), "wake", false],
  ])("is asked for of %s", (_what, event, own, asked) => {
    expect(asksForOwn(event, policyOf({ ownActivity: own }))).toBe(asked);
  });
});
