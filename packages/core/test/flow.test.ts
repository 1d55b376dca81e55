import { describe, expect, it } from "vitest";
import {
  settle,
  settleCanary,
  settleForgotten,
  settleRejected,
  turnedAway,
  understand,
} from "../src/flow.ts";
import type { State } from "../src/decide/state.ts";
import type { InboundEvent } from "../src/event/event.ts";
import type { KnownAs } from "../src/event/repository-names.ts";
import {
  carol,
  closedEvent,
  commentEvent,
  controlEvent,
  hostNoonMs,
  labelEvent,
  mallory,
} from "../src/testing/build-event.ts";
import { itemOf, policyOf, sessionOf, stateOf } from "../src/testing/build-state.ts";

const policy = policyOf();
const working = itemOf("started", {
  sessions: [sessionOf()],
  collaborators: [{ login: "carol", id: null, grantedBy: "alice", at: 0 }],
});

describe("understanding a delivery", () => {
  const delivery = { id: "d-1", source: "webhook", event: "issue_comment" } as const;

  it.each([
    ["{", "not-json"],
    ["[]", "not-an-object"],
    ["{}", "shape"],
    ["[".repeat(100), "too-deep"],
  ])("R05, R10: %s is rejected as %s", (text, why) => {
    expect(understand(delivery, text, policy)).toEqual({ ok: false, why });
  });

  it("S04: reads a repository by the policy's own host, and by the name under which it is known here", () => {
    const own = policyOf({ defaultHost: "code.example" });
    const text = JSON.stringify({
      action: "created",
      issue: { number: 7 },
      comment: { id: 5 },
      repository: {
        id: 500,
        name: "shop",
        owner: { login: "octo" },
        html_url: "https://code.example/octo/shop",
      },
    });
    const repositoryOf = (...rest: [] | [KnownAs]): unknown =>
      understand(delivery, text, own, ...rest);
    expect(repositoryOf()).toMatchObject({
      ok: true,
      event: { repository: { host: null, owner: "octo", name: "shop" } },
    });
    expect(
      repositoryOf((_host, id) => (id === "500" ? { owner: "before", name: "store" } : null)),
    ).toMatchObject({ ok: true, event: { repository: { owner: "before", name: "store" } } });
  });

  it("R05: what was rejected is written down and never routed", () => {
    const decided = settleRejected(delivery, "shape", policy, 5);
    expect(decided).toMatchObject({
      event: null,
      state: null,
      after: null,
      key: null,
      pin: null,
      decision: {
        verdict: { kind: "rejected", why: "shape" },
        reason: "payload-rejected",
        effects: [],
      },
    });
    expect(decided.lines).toEqual([
      {
        time: 5,
        kind: "delivery.decided",
        level: "warn",
        instance: "default",
        workItem: null,
        delivery: "d-1",
        reason: "payload-rejected",
        fields: { verdict: "rejected", why: "shape", source: "webhook", event: "issue_comment" },
      },
    ]);
  });
});

describe("a body that is no longer kept", () => {
  it("is written down quietly, and nothing follows", () => {
    const decided = settleForgotten(
      { id: "d-1", source: "webhook", event: "issue_comment" },
      policy,
      5,
    );
    expect(decided).toMatchObject({
      event: null,
      state: null,
      after: null,
      key: null,
      pin: null,
      decision: { verdict: { kind: "ignored" }, reason: "body-forgotten", effects: [] },
    });
    expect(decided.lines).toEqual([
      {
        time: 5,
        kind: "delivery.decided",
        level: "debug",
        instance: "default",
        workItem: null,
        delivery: "d-1",
        reason: "body-forgotten",
        fields: { verdict: "ignored", source: "webhook", event: "issue_comment" },
      },
    ]);
  });
});

describe("settling an event", () => {
  it("writes the facts, the state after it, the key, and one line for the decision and each turn", () => {
    const event = commentEvent("go on");
    const state = stateOf({ item: working });
    const decided = settle(event, state, policy);
    expect([decided.event, decided.state, decided.key]).toEqual([
      event,
      state,
      "comment:4242:created",
    ]);
    expect(decided.after?.workItem?.control).toEqual(working.workItem?.control);
    expect(decided.lines).toEqual([
      {
        time: hostNoonMs + 10_000,
        kind: "delivery.decided",
        level: "info",
        instance: "default",
        workItem: "host:octo/shop#7",
        delivery: event.deliveryId,
        reason: "input-of-authorized",
        fields: {
          verdict: "delivered",
          source: "webhook",
          event: "issue_comment",
          action: "created",
          actor: "alice",
        },
      },
      {
        time: hostNoonMs + 10_000,
        kind: "turn.queued",
        level: "info",
        instance: "default",
        workItem: "host:octo/shop#7",
        delivery: event.deliveryId,
        reason: "input-of-authorized",
        fields: { endpoint: "host:octo/shop#7", mode: "resume", authority: "authorized" },
      },
    ]);
  });

  it("writes one line where nothing follows, louder where somebody was refused", () => {
    const lines = (text: string, by = mallory): readonly string[] =>
      settle(commentEvent(text, { by }), stateOf({ item: working }), policy).lines.map(
        (line) => `${line.kind} ${line.level} ${line.reason}`,
      );
    expect(lines("loop stop")).toEqual(["delivery.decided info stranger-dropped"]);
    expect(settle(labelEvent(), stateOf(), policy).lines.map((line) => line.level)).toEqual([
      "debug",
    ]);
    expect(lines("loop stop", carol)).toEqual(["delivery.decided warn collaborator-may-not-steer"]);
  });

  it.each<
    readonly [
      what: string,
      event: InboundEvent,
      over: Partial<State>,
      level: string,
      verdict: string,
    ]
  >([
    ["what nobody said and is passed over", labelEvent(), { seenAs: "first" }, "debug", "ignored"],
    ["what nobody said and is only remembered", labelEvent(), {}, "debug", "noted"],
    ["what nobody said and has an effect", closedEvent(), {}, "info", "closed"],
    ["a comment that is passed over", commentEvent("x", { by: mallory }), {}, "info", "ignored"],
    [
      "a request that is passed over",
      controlEvent({ verb: "start", login: null, instance: null }),
      { target: null },
      "info",
      "ignored",
    ],
  ])(
    "never writes below info about what somebody said: %s",
    (_what, event, over, level, verdict) => {
      expect(settle(event, stateOf({ item: working, ...over }), policy).lines[0]).toMatchObject({
        level,
        fields: { verdict },
      });
    },
  );

  it("R20: the key belongs to the first of two deliveries", () => {
    expect(
      settle(commentEvent("go on"), stateOf({ item: working, seenAs: "first" }), policy),
    ).toMatchObject({ key: null, decision: { reason: "seen-before" } });
  });

  it("writes no state where no work item is concerned", () => {
    expect(settle(commentEvent("go on"), stateOf({ target: null }), policy).after).toBeNull();
  });

  it("P08: pins who may steer or speak when first seen, and nobody else", () => {
    const pin = (
      event = commentEvent("go on"),
      state = stateOf({ item: working }),
      rules = policy,
    ): unknown => settle(event, state, rules).pin;
    expect(pin()).toEqual({ login: "alice", id: "1" });
    expect(pin(commentEvent("go on", { by: carol }))).toEqual({ login: "carol", id: "3" });
    expect(pin(commentEvent("go on", { by: mallory }))).toBeNull();
    expect(pin(commentEvent("go on"), stateOf({ item: working, pinnedActorId: "1" }))).toBeNull();
    expect(
      pin(commentEvent("go on"), stateOf({ item: working }), policyOf({ enabled: false })),
    ).toBeNull();
    expect(pin(commentEvent("go on", { by: { login: "alice", id: null, bot: false } }))).toBeNull();
  });

  it("says before anything is looked up whether the configuration turns an event away", () => {
    expect([
      turnedAway(commentEvent("x"), policy),
      turnedAway(commentEvent("x"), policyOf({ enabled: false })),
    ]).toEqual([null, "routing-disabled"]);
  });
});

describe("settling a canary", () => {
  it("is decided with its own reason, for no work item, and nothing follows from it", () => {
    const decided = settleCanary(
      { id: "canary-1", source: "webhook", event: "loop_canary" },
      policy,
      5,
    );
    expect(decided).toMatchObject({
      event: null,
      state: null,
      after: null,
      key: null,
      pin: null,
      decision: { verdict: { kind: "noted" }, reason: "canary", effects: [] },
    });
    expect(decided.lines).toMatchObject([
      {
        kind: "delivery.decided",
        level: "info",
        workItem: null,
        delivery: "canary-1",
        reason: "canary",
      },
    ]);
  });
});
