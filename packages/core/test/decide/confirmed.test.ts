import { describe, expect, it } from "vitest";
import { asksForGrant } from "../../src/decide/grant.ts";
import {
  isConfirmed,
  situationOf,
  wantsConfirming,
  whyUnconfirmed,
} from "../../src/decide/lifecycle-facts.ts";
import type { Provenance } from "../../src/linking/target.ts";
import type { State, UnansweredQuestion } from "../../src/decide/state.ts";
import { lives, turnFor } from "../../src/decide/deliver-input.ts";
import type { InboundEvent } from "../../src/event/event.ts";
import {
  activityEvent,
  carol,
  ciEvent,
  closedEvent,
  commentEvent,
  controlEvent,
  pullRequestOf,
} from "../../src/testing/build-event.ts";
import {
  issueRef,
  itemOf,
  laneOf,
  policyOf,
  pullRef,
  sessionOf,
  stateOf,
  targetOf,
} from "../../src/testing/build-state.ts";
import { given } from "../../src/testing/given.ts";
import type { HoldReason, SessionStatus } from "../../src/work-item/records.ts";
import { formatRef } from "../../src/ref/ref.ts";

const placed = (provenance: Provenance, over: Partial<State> = {}): State =>
  stateOf({ target: targetOf({ provenance }), ...over });
const open = (
  question: UnansweredQuestion["question"],
  why: UnansweredQuestion["why"],
): Partial<State> => ({ unanswered: [{ question, why }] });

/** A branch name alone is a guess, and a host that is silent may yet name an issue. */
describe("whether it is sure enough what is meant", () => {
  it.each<[string, State, boolean]>([
    ["nothing is meant", stateOf({ target: null }), true],
    ["a pull request that nothing links", placed("itself"), true],
    [
      "the host was asked what it closes, and is silent",
      placed("itself", open("closing-references", "LOOP_E_HOST_UNREACHABLE")),
      false,
    ],
    ["the host was not asked for its branch", placed("itself", open("head", "not-asked")), false],
    [
      "the host did not say whose token it is",
      placed("itself", open("own-login", "not-asked")),
      true,
    ],
    [
      "the host did not say which pull requests have the commit",
      placed("itself", open("pull-requests-of-commit", "not-asked")),
      true,
    ],
    ["the host says no", placed("itself", open("head", "LOOP_E_HOST_FORBIDDEN")), true],
    ["the host refuses", placed("itself", open("head", "LOOP_E_HOST_REFUSED")), true],
    ["the host knows of none", placed("itself", open("head", "LOOP_E_HOST_NOT_FOUND")), true],
    [
      "the host has none any more",
      placed("itself", open("closing-references", "LOOP_E_HOST_GONE")),
      true,
    ],
    ["only a branch says so", placed("head-branch"), false],
    [
      "a branch says so, and the host has the issue",
      placed("head-branch", { branchConfirmed: true }),
      true,
    ],
    [
      "a branch says so, and the host has no such issue",
      placed("head-branch", { branchConfirmed: false }),
      false,
    ],
    [
      "a branch says so, and the issue was seen here",
      placed("head-branch", { item: itemOf("idle") }),
      true,
    ],
    [
      "a branch says so, and the issue is only spoken of",
      placed("head-branch", { item: itemOf("idle", { workItem: { hostId: null } }) }),
      false,
    ],
    ["a keyword says so", placed("closing-keyword", open("head", "not-asked")), true],
  ])("%s: %s", (_what, state, sure) => {
    expect(isConfirmed(state)).toBe(sure);
  });

  it.each<[State, string]>([
    [placed("itself"), "link-unanswered"],
    [placed("head-branch"), "link-unconfirmed"],
    [stateOf({ target: null }), "link-unconfirmed"],
  ])("says why not", (state, why) => {
    expect(whyUnconfirmed(state)).toBe(why);
  });

  const labelled = pullRequestOf({ labels: ["Loop: Auto-Execute"] });
  it.each<[string, InboundEvent, Provenance | null, boolean]>([
    ["a labelled pull request of a branch", activityEvent({ item: labelled }), "head-branch", true],
    ["one without the label", activityEvent({ item: pullRequestOf() }), "head-branch", false],
    ["one that closes", closedEvent({ item: labelled }), "head-branch", false],
    ["one that a keyword links", activityEvent({ item: labelled }), "closing-keyword", false],
    ["a check", ciEvent(), "head-branch", false],
    ["nothing", activityEvent({ item: labelled }), null, false],
  ])("the host is asked for the issue of %s: %s", (_what, event, provenance, asked) => {
    expect(
      wantsConfirming(event, provenance === null ? null : targetOf({ provenance }), policyOf()),
    ).toBe(asked);
  });
});

describe("how the lanes of an item stand", () => {
  const lanes = (...reasons: readonly (HoldReason | null)[]): unknown => {
    const item = itemOf("started", {
      lanes: reasons.map((reason) =>
        laneOf(issueRef, reason === null ? null : { reason, until: null, detail: "" }),
      ),
    });
    return situationOf(
      { open: true, armed: true } as Parameters<typeof situationOf>[0],
      stateOf({ item }),
      policyOf(),
    ).lanes;
  };

  it.each<[readonly (HoldReason | null)[], string]>([
    [[], "open"],
    [[null], "open"],
    [["ending"], "open"],
    [["releasing"], "open"],
    [["uncertain"], "uncertain"],
    [["uncertain", null], "uncertain"],
    [["uncertain", "ending", "budget"], "held"],
    [["paused"], "held"],
  ])("%j: %s", (reasons, standing) => {
    expect(lanes(...reasons)).toBe(standing);
  });
});

describe("which comments may be grants", () => {
  it.each<[string, InboundEvent, boolean]>([
    ["a grant", commentEvent("loop add-collaborator @dave"), true],
    [
      "a grant that was edited in",
      commentEvent("loop add-collaborator @dave", { change: "edited" }),
      false,
    ],
    [
      "a grant of a name that is no login, which counts for nothing",
      commentEvent("loop add-collaborator @org/team"),
      false,
    ],
    ["a revocation", commentEvent("loop remove-collaborator @dave"), false],
    ["two keywords", commentEvent("loop add-collaborator @dave loop stop"), false],
    ["words", commentEvent("let dave in"), false],
    [
      "the command line",
      controlEvent({ verb: "add-collaborator", login: "dave", instance: null }),
      false,
    ],
    ["an activity", activityEvent(), false],
  ])("%s: %s", (_what, event, asks) => {
    expect(asksForGrant(event, policyOf())).toBe(asks);
  });
});

/** Each endpoint has a conversation of its own. */
describe("whose session an event is for", () => {
  const other = sessionOf({ endpoint: formatRef(pullRef) });
  const withOwn = (status: SessionStatus): ReturnType<typeof itemOf> =>
    itemOf("started", { sessions: [other, sessionOf({ status })] });

  it.each<[SessionStatus, "resume" | "spawn", boolean]>([
    ["active", "resume", true],
    ["lost", "resume", false],
    ["closing", "spawn", false],
    ["closed", "spawn", false],
  ])("one that is %s: %s", (status, mode, living) => {
    expect([
      turnFor(commentEvent("x"), issueRef, withOwn(status), "authorized", policyOf()).mode,
      lives(issueRef, withOwn(status)),
    ]).toEqual([mode, living]);
  });

  it("another endpoint's counts for nothing", () => {
    const item = itemOf("started", { sessions: [other] });
    expect([
      turnFor(commentEvent("x"), issueRef, item, "authorized", policyOf()).mode,
      lives(issueRef, item),
    ]).toEqual(["spawn", false]);
    expect(
      given({ item: itemOf("idle", { sessions: [other] }) }).when(commentEvent("x")).says,
    ).toBe("refused: not-started");
    expect(
      given({ item: itemOf("idle", { sessions: [other, sessionOf()] }) }).when(commentEvent("x"))
        .says,
    ).toBe("delivered: input-of-authorized");
    expect(
      given({ item: itemOf("idle", { sessions: [other, sessionOf({ status: "lost" })] }) }).when(
        commentEvent("x"),
      ).says,
    ).toBe("refused: not-started");
  });

  it.each<[string, readonly ReturnType<typeof sessionOf>[], string]>([
    [
      "its own is active, another one closed",
      [sessionOf(), sessionOf({ endpoint: formatRef(pullRef), status: "closed" })],
      "delivered: input-of-collaborator",
    ],
    [
      "its own is closed, another one active",
      [other, sessionOf({ status: "closed" })],
      "refused: collaborator-may-not-spawn",
    ],
    ["its own is lost", [sessionOf({ status: "lost" })], "delivered: input-of-collaborator"],
    ["none has begun yet", [], "delivered: input-of-collaborator"],
  ])("a collaborator speaks where %s", (_what, sessions, says) => {
    const item = itemOf("started", {
      sessions,
      collaborators: [{ login: "carol", id: null, grantedBy: "alice", at: 0 }],
    });
    expect(given({ item }).when(commentEvent("x", { by: carol })).says).toBe(says);
  });

  it.each<[string, Parameters<typeof itemOf>[0], Parameters<typeof itemOf>[1], string]>([
    ["paused at work", "paused", {}, "delivered: input-of-authorized"],
    [
      "paused before anybody started it",
      "paused",
      { control: { before: "idle" } },
      "refused: not-started",
    ],
    ["stopped", "stopped", {}, "ignored: not-running"],
    [
      "closed while stopped, and shown open again",
      "closed",
      { control: { before: "stopped" }, workItem: { open: true } },
      "ignored: not-running",
    ],
    [
      "closed while paused, and shown open again",
      "closed",
      { control: { before: "paused" }, workItem: { open: true } },
      "refused: not-started",
    ],
    [
      "closed while at work, and shown open again",
      "closed",
      { control: { before: "started" }, workItem: { open: true } },
      "started: start-by-activity",
    ],
  ])("an item that is %s hears: %s", (_what, status, over, says) => {
    expect(
      given({ item: itemOf(status, { lanes: [], ...over }) }, { requireStartCommand: false }).when(
        commentEvent("x"),
      ).says,
    ).toBe(says);
  });
});
