import { verbatimPost } from "../../src/message/post.ts";
import { describe, expect, it } from "vitest";
import type { Decision } from "../../src/decide/decision.ts";
import type { Effect } from "../../src/decide/effect.ts";
import { ownOfNobody, type LookedUp } from "../../src/decide/lookup-facts.ts";
import type { Policy } from "../../src/config/policy.ts";
import { redecide, type Replayed } from "../../src/decide/replay.ts";
import type { State } from "../../src/decide/state.ts";
import { canMatter } from "../../src/control/relevance.ts";
import { formatInstant, instantOf, isBefore } from "../../src/text/instant.ts";
import type { InboundEvent } from "../../src/event/event.ts";
import {
  activityEvent,
  ciEvent,
  closedEvent,
  commentEvent,
  controlEvent,
  issueOf,
  labelEvent,
  mallory,
  pullRequestOf,
} from "../../src/testing/build-event.ts";
import {
  issueRef,
  itemOf,
  linkOf,
  policyOf,
  pullRef,
  sessionOf,
  stateOf,
} from "../../src/testing/build-state.ts";
import { given } from "../../src/testing/given.ts";
import { emptyItemState, type ItemState } from "../../src/work-item/records.ts";
import { formatRef } from "../../src/ref/ref.ts";
import { noAnswers } from "../../src/linking/resolve.ts";

const working = itemOf("started", { sessions: [sessionOf()] });
const anew = (
  event: InboundEvent,
  state: State,
  decision: Decision,
  other: Partial<Policy> = {},
): Replayed => redecide({ event, state, decision }, policyOf(other));
const decided = (event: InboundEvent, state: State, policy: Partial<Policy> = {}): Decision =>
  given(state, policy).when(event).decision;
const foundOf = (over: Partial<LookedUp>): LookedUp => ({
  answers: noAnswers,
  asked: "nothing",
  loaded: [],
  confirmed: null,
  own: null,
  ...over,
});

/**
 * What the way through the graph added was derived from artifacts as they stood, and nobody kept
 * those.
 */
describe("a decision to which the process graph added something", () => {
  const request = controlEvent({ verb: "graph", step: "advance", node: null });
  const state = stateOf({
    item: working,
    found: foundOf({ loaded: [formatRef(issueRef)], answers: { ...noAnswers, items: [working] } }),
  });
  const plain = decided(request, state);
  const added: readonly Effect[] = [
    { kind: "phase-label", workItem: issueRef, phase: "design", phases: ["design"] },
    {
      kind: "turn",
      endpoint: issueRef,
      mode: "resume",
      event: request,
      authority: "authorized",
      node: "design",
    },
    { kind: "reply", thread: issueRef, text: verbatimPost("waits"), node: "design" },
  ];

  it("is the same without it", () => {
    expect(plain).toMatchObject({ verdict: { kind: "noted" }, reason: "graph-requested" });
    expect(anew(request, state, { ...plain, effects: [...plain.effects, ...added] })).toEqual({
      kind: "same",
    });
  });

  it.each(["no-graph", "graph-broken", "no-such-node", "node-not-optional"] as const)(
    "and which it refused (%s) is the same request",
    (reason) => {
      expect(
        anew(request, state, { ...plain, verdict: { kind: "refused", verb: "graph" }, reason }),
      ).toEqual({ kind: "same" });
    },
  );

  it("another refusal, or the refusal of another verb, is not the graph's", () => {
    expect(
      anew(request, state, {
        ...plain,
        verdict: { kind: "refused", verb: "graph" },
        reason: "owned-elsewhere",
      }).kind,
    ).toBe("changed");
    expect(
      anew(request, state, {
        ...plain,
        verdict: { kind: "refused", verb: "say" },
        reason: "no-graph",
      }).kind,
    ).toBe("changed");
  });

  it("what a person is told without a node is not the graph's", () => {
    const reply: Effect = { kind: "reply", thread: issueRef, text: verbatimPost("x") };
    expect(
      anew(request, state, { ...plain, effects: [...plain.effects, reply, reply] }),
    ).toMatchObject({ kind: "changed", gone: [reply, reply], added: [] });
  });

  it("what is told first and no more is gone, and what follows it stays", () => {
    const event = commentEvent("go on");
    const once = decided(event, state);
    const reply: Effect = { kind: "reply", thread: issueRef, text: verbatimPost("x") };
    expect(anew(event, state, { ...once, effects: [reply, ...once.effects] })).toMatchObject({
      kind: "changed",
      gone: [reply],
      added: [],
    });
  });

  it("an effect that is there twice is gone once where it is now decided once", () => {
    const event = commentEvent("go on");
    const once = decided(event, state);
    const [turn] = once.effects;
    if (turn === undefined) throw new Error("no turn");
    expect(anew(event, state, { ...once, effects: [turn, turn] })).toMatchObject({
      kind: "changed",
      gone: [turn],
      added: [],
    });
    expect(anew(event, state, { ...once, effects: [] })).toMatchObject({
      kind: "changed",
      gone: [],
      added: [turn],
    });
  });
});

describe("whose doing it was, told anew", () => {
  const event = activityEvent({ action: "edited", by: mallory });
  const wake = { ownActivity: "wake" } as const;
  const was = (state: Partial<State>): Replayed => {
    const full = stateOf({ item: working, ...state });
    return anew(event, full, decided(event, full, wake), {});
  };

  it("is what was seen then", () => {
    expect(was({ found: foundOf({ own: { inCheckout: true, byOwnLogin: false } }) })).toMatchObject(
      { kind: "changed", decision: { reason: "own-activity" } },
    );
    expect(was({ found: foundOf({ own: ownOfNobody }) }).kind).not.toBe("unknown");
  });

  it("cannot be told where nobody looked and a session had a checkout", () => {
    expect(was({})).toEqual({
      kind: "unknown",
      open: { question: "own-activity", about: "host:octo/shop#7" },
    });
  });

  it.each([
    ["no session", itemOf("started")],
    ["a session that is over", itemOf("started", { sessions: [sessionOf({ status: "closed" })] })],
    [
      "a session without a checkout yet",
      itemOf("started", { sessions: [sessionOf({ workdir: null })] }),
    ],
  ])("is nobody's where there was %s", (_what, item) => {
    expect(was({ item }).kind).not.toBe("unknown");
  });
});

describe("what was seen before", () => {
  it("is still that, whatever else was not looked up", () => {
    const event = commentEvent("go on", { item: pullRequestOf() });
    const state = stateOf({ seenAs: "first" });
    expect(anew(event, state, decided(event, state))).toEqual({ kind: "same" });
  });

  it("and was turned away before anything was looked up: nobody can tell", () => {
    const event = commentEvent("go on");
    const state = stateOf({ target: null, seenAs: "first" });
    expect(anew(event, state, decided(event, state, { enabled: false }))).toEqual({
      kind: "unknown",
      open: { question: "anything", about: null },
    });
  });
});

/** Where an event can cause nothing, the host is not asked what it belongs to (ADR 0009). */
describe("whether an event can matter", () => {
  const armed = { item: issueOf() };
  const bare = { item: issueOf({ labels: [] }) };
  it.each<[string, InboundEvent, boolean, boolean]>([
    ["the command line", controlEvent({ verb: "stop", login: null, instance: null }), true, true],
    ["words", commentEvent("hello", bare), true, false],
    [
      "words that were deleted",
      commentEvent("loop start", { ...armed, change: "deleted" }),
      false,
      false,
    ],
    ["words that were edited", commentEvent("hello", { ...bare, change: "edited" }), true, false],
    ["words on a labelled item", commentEvent("hello", armed), true, true],
    ["a keyword", commentEvent("loop start", bare), true, true],
    ["the label", labelEvent(), true, true],
    ["the label in other letters", labelEvent({ label: "LOOP: auto-execute" }), true, true],
    ["another label", labelEvent({ label: "bug" }), false, false],
    ["a labelled item opened", activityEvent(armed), true, true],
    [
      "another one pushed to",
      activityEvent({ action: "synchronize", item: pullRequestOf() }),
      true,
      false,
    ],
    ["another one assigned", activityEvent({ action: "assigned", ...bare }), false, false],
    ["a closing", closedEvent(bare), true, false],
    ["a closing of a labelled item", closedEvent(armed), true, true],
    ["a check", ciEvent(), true, false],
    ["a check that runs", ciEvent({ phase: "running", conclusion: null }), false, false],
  ])("%s: where something is on record %s, else %s", (_what, event, known, fresh) => {
    expect([canMatter(event, policyOf(), "known"), canMatter(event, policyOf(), "new")]).toEqual([
      known,
      fresh,
    ]);
  });

  it("a check does not where checks wake nobody", () => {
    expect(canMatter(ciEvent(), policyOf({ ciWakeOn: "never" }), "known")).toBe(false);
  });
});

describe("instants at their edges", () => {
  it.each([
    "2026-00-01T12:00:00Z",
    "2026-03-00T12:00:00Z",
    "2026-03-01T12:00:61Z",
    "2026-03-01T25:00:00Z",
    `2026-03-01T12:00:00.1Z${" ".repeat(20)}`,
  ])("%s is none", (text) => {
    expect(instantOf(text)).toBeNull();
  });

  it("a leap second and the end of a day are instants", () => {
    expect(instantOf("2016-12-31T23:59:60Z")).toBe(Date.parse("2017-01-01T00:00:00Z"));
    expect(instantOf("2026-03-01T24:00:00Z")).toBe(Date.parse("2026-03-02T00:00:00Z"));
  });

  it("the last days of each era are written right", () => {
    for (const day of [
      "2000-02-29",
      "2000-03-01",
      "1999-12-31",
      "2100-02-28",
      "2100-03-01",
      "2399-12-31",
      "2400-02-29",
      "2400-03-01",
      "2096-02-29",
      "0400-02-29",
      "1600-02-29",
    ])
      expect(formatInstant(Date.parse(`${day}T00:00:00Z`))).toBe(`${day}T00:00:00Z`);
  });

  it("an instant is before none that nobody can read", () => {
    expect([isBefore("1969-12-31T00:00:00Z", null), isBefore(null, null)]).toEqual([false, false]);
  });
});

it.each<[string, readonly ItemState[], string]>([
  ["at work", [itemOf("started", { sessions: [sessionOf()] })], "resume"],
  ["started, without a session yet", [itemOf("started")], "spawn"],
  [
    "of which only a session is on record, beside one of which only a pull request is",
    [
      { ...emptyItemState, pullRequests: [linkOf()] },
      { ...emptyItemState, sessions: [sessionOf()] },
    ],
    "resume",
  ],
])(
  "a request about a pull request of its own is placed by what was read then: with an item %s",
  (_what, items, mode) => {
    const event = commentEvent("go on", { item: pullRequestOf() });
    const found = foundOf({
      answers: { ...noAnswers, linked: [formatRef(issueRef)], items },
      loaded: [formatRef(issueRef), formatRef(pullRef)],
    });
    const state = stateOf({
      target: { workItem: pullRef, endpoint: pullRef, provenance: "itself" },
      found,
    });
    expect(anew(event, state, decided(event, state))).toMatchObject({
      kind: "changed",
      decision: {
        verdict: { kind: "delivered", endpoint: issueRef },
        effects: [{ kind: "turn", mode }],
      },
    });
  },
);
