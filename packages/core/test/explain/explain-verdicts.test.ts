import { describe, expect, it } from "vitest";
import type { Verdict } from "../../src/decide/decision.ts";
import type { Effect } from "../../src/decide/effect.ts";
import { effectSentence, explain } from "../../src/explain/explain-decision.ts";
import { lateness } from "../../src/explain/lateness.ts";
import type { State } from "../../src/decide/state.ts";
import { formatRef } from "../../src/ref/ref.ts";
import { ciEvent, commentEvent, hostNoonMs, labelEvent } from "../../src/testing/build-event.ts";
import {
  issueRef,
  itemOf,
  laneOf,
  pullRef,
  sessionOf,
  stateOf,
  targetOf,
} from "../../src/testing/build-state.ts";

const told = (verdict: Verdict, state: State | null = null): readonly string[] =>
  explain({ event: null, state, decision: { verdict, reason: "nothing-to-tell", effects: [] } });
const stood = (state: Partial<State>): readonly string[] =>
  told({ kind: "noted" }, stateOf(state)).slice(0, -1);

/** `loop why` tells the whole reasoning in sentences, and each verdict begins its own. */
describe("every verdict", () => {
  it.each<[string, Verdict]>([
    ["Rejected:", { kind: "rejected", why: "shape" }],
    ["Ignored:", { kind: "ignored" }],
    ["Refused:", { kind: "refused", verb: null }],
    ["Refused (pause):", { kind: "refused", verb: "pause" }],
    ["Noted:", { kind: "noted" }],
    ["Started by @alice:", { kind: "started", by: "alice", endpoint: issueRef }],
    ["Delivered:", { kind: "delivered", endpoint: issueRef }],
    ["Paused by @alice:", { kind: "paused", by: "alice" }],
    ["Resumed by @alice:", { kind: "resumed", by: "alice" }],
    ["Stopped by @alice:", { kind: "stopped", by: "alice" }],
    ["Cleaned up by @alice:", { kind: "cleaned-up", by: "alice" }],
    ["Closed:", { kind: "closed", endpoint: issueRef, whole: true }],
    ["Closed (this session only):", { kind: "closed", endpoint: issueRef, whole: false }],
    ["Close deferred:", { kind: "close-deferred" }],
    ["Reopened (paused again):", { kind: "reopened", to: "paused" }],
    ["Granted to @carol by @alice:", { kind: "granted", login: "carol", by: "alice" }],
    ["Revoked for @carol by @alice:", { kind: "revoked", login: "carol", by: "alice" }],
  ])("begins with %s", (beginning, verdict) => {
    expect(told(verdict).at(-1)).toBe(`${beginning} Nothing in it concerns a session.`);
  });

  it("without an event, only a rejected one says what was wrong with the payload", () => {
    expect(told({ kind: "ignored" })).toHaveLength(1);
    expect(told({ kind: "rejected", why: "not-json" })).toHaveLength(2);
  });
});

describe("every effect", () => {
  it.each<[string, Effect]>([
    [
      "Opens a session for host:octo/shop#7 with this as its first message.",
      {
        kind: "turn",
        mode: "spawn",
        endpoint: issueRef,
        event: commentEvent("x"),
        authority: "authorized",
      },
    ],
    [
      "Delivers it to the session of host:octo/shop#7.",
      {
        kind: "turn",
        mode: "resume",
        endpoint: issueRef,
        event: commentEvent("x"),
        authority: "authorized",
      },
    ],
    [
      "Drops queued messages for the session of host:octo/shop#12.",
      { kind: "drop-turns", endpoint: pullRef, why: "stopped" },
    ],
    [
      "Labels host:octo/shop#7 with the node design.",
      { kind: "phase-label", workItem: issueRef, phase: "design", phases: ["design"] },
    ],
    [
      "Ends the session of host:octo/shop#7 now.",
      { kind: "end-session", endpoint: issueRef, why: "stopped", graceMs: 0 },
    ],
    [
      "Ends the session of host:octo/shop#7 after its turn, within 10 min.",
      { kind: "end-session", endpoint: issueRef, why: "closed", graceMs: 600_000 },
    ],
    [
      "Releases the checkout and session records of host:octo/shop#7.",
      { kind: "release", workItem: issueRef, why: "closed" },
    ],
  ])("%s", (sentence, effect) => {
    expect(effectSentence(effect)).toBe(sentence);
  });
});

describe("how the item stood", () => {
  it.each<[string, Partial<State>, readonly string[]]>([
    [
      "whose session it is for, where it is not the item's own",
      { target: targetOf({ endpoint: pullRef }) },
      [
        "It belongs to host:octo/shop#7, because it happened there, and goes to the session of host:octo/shop#12.",
        "Not on record; no session was active.",
      ],
    ],
    [
      "unlabelled and closed",
      { item: itemOf("closed", { workItem: { armed: false }, lanes: [] }) },
      [
        "It belongs to host:octo/shop#7, because it happened there.",
        "It was closed, not labelled and closed; no session was active.",
      ],
    ],
    [
      "sessions that are active, and no others",
      {
        item: itemOf("started", {
          sessions: [
            sessionOf(),
            sessionOf({ endpoint: formatRef(pullRef) }),
            sessionOf({ endpoint: formatRef({ ...pullRef, number: 13 }), status: "closed" }),
          ],
        }),
      },
      [
        "It belongs to host:octo/shop#7, because it happened there.",
        "It was started, labelled and open; 2 sessions were active.",
      ],
    ],
    [
      "every lane that is held",
      {
        item: itemOf("started", {
          lanes: [
            laneOf(issueRef, { reason: "budget", until: null, detail: "" }),
            laneOf(pullRef),
            laneOf(pullRef, { reason: "login", until: null, detail: "" }),
          ],
        }),
      },
      [
        "It belongs to host:octo/shop#7, because it happened there.",
        "It was started, labelled and open; no session was active, on hold (budget, login).",
      ],
    ],
    [
      "what the host did not tell",
      {
        target: null,
        unanswered: [
          { question: "head", why: "LOOP_E_HOST_UNREACHABLE" },
          { question: "own-login", why: "not-asked" },
        ],
      },
      [
        "The code host didn't say which branch the pull request comes from (LOOP_E_HOST_UNREACHABLE). The event itself was used instead.",
        "The code host wasn't asked whose token the service has (it had left several questions unanswered). The event itself was used instead.",
      ],
    ],
  ])("tells %s", (_what, state, sentences) => {
    expect(stood(state)).toEqual(sentences);
  });
});

describe("what came", () => {
  it("from nobody, without an action, at no known time", () => {
    const event = { ...commentEvent("x"), actor: null, action: "", at: null };
    expect(
      explain({
        event,
        state: null,
        decision: { verdict: { kind: "noted" }, reason: "nothing-to-tell", effects: [] },
      })[0],
    ).toBe("issue_comment by webhook from nobody.");
  });

  it.each([
    ["completed", null, "ended with no result"],
    ["running", null, "hasn't finished"],
    ["completed", "success", "ended with success"],
  ] as const)("a check that is %s with %s %s", (phase, conclusion, how) => {
    const event = ciEvent({ phase, conclusion });
    expect(
      explain({
        event,
        state: null,
        decision: { verdict: { kind: "noted" }, reason: "ci-no-change", effects: [] },
      })[1],
    ).toBe(`The check ${how} on the commit aaaaaaaaaaaa.`);
  });
});

/**
 * Whether a clock is wrong can be seen only where a request came too late; of anything else nothing
 * is said of clocks.
 */
describe("what overtook it", () => {
  const newer = stateOf({
    item: itemOf("started", { control: { since: { at: hostNoonMs + 60_000, clock: "host" } } }),
  });
  const told = (over: Partial<Parameters<typeof explain>[0]>): readonly string[] =>
    lateness({
      event: commentEvent("loop start"),
      state: newer,
      decision: {
        verdict: { kind: "refused", verb: "start" },
        reason: "older-than-known",
        effects: [],
      },
      ...over,
    });
  const decided = (
    verdict: Verdict,
    reason: "older-than-known" | "not-armed" = "older-than-known",
  ): Partial<Parameters<typeof explain>[0]> => ({ decision: { verdict, reason, effects: [] } });

  const clocks =
    "A newer command arrived at 2026-03-01T12:01:00Z by the code host's clock. This was written at 2026-03-01T12:00:00Z.";
  it.each<[string, Parameters<typeof told>[0], boolean]>([
    ["a request that came too late", {}, true],
    ["another refusal", decided({ kind: "refused", verb: "start" }, "not-armed"), false],
    ["an event that was ignored as older", decided({ kind: "ignored" }), false],
    ["a refusal of no verb", decided({ kind: "refused", verb: null }), false],
    ["a refusal of words", decided({ kind: "refused", verb: "say" }), false],
    ["a refusal about the graph", decided({ kind: "refused", verb: "graph" }), false],
    ["a label", { event: labelEvent() }, false],
    ["an event that is not kept", { event: null }, false],
    ["a state that is not kept", { state: null }, false],
    [
      "a grant whose login an earlier version did not keep",
      decided({ kind: "refused", verb: "add-collaborator" }),
      false,
    ],
    ["a request that nothing overtook", { state: stateOf({ item: itemOf("started") }) }, false],
  ])("%s: %s", (_what, over, late) => {
    expect(told(over)).toEqual(late ? [clocks] : []);
  });
});
