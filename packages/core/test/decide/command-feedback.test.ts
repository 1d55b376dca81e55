import { describe, expect, it } from "vitest";
import type { Effect } from "../../src/decide/effect.ts";
import type { Policy } from "../../src/config/policy.ts";
import { sentenceOf } from "../../src/control/reason-sentences.ts";
import type { ControlRequest, InboundEvent } from "../../src/event/event.ts";
import { alice, commentEvent, controlEvent } from "../../src/testing/build-event.ts";
import { issueRef, itemOf, laneOf, policyOf, sessionOf } from "../../src/testing/build-state.ts";
import { given } from "../../src/testing/given.ts";

const item = itemOf("started", { sessions: [sessionOf()] });
const effectsOf = (event: InboundEvent, policy: Partial<Policy> = {}): readonly Effect[] =>
  given({ item }, policy).when(event).decision.effects;
const posted = (event: InboundEvent, policy: Partial<Policy> = {}): readonly string[] =>
  effectsOf(event, policy).flatMap((effect) => (effect.kind === "reply" ? [effect.text] : []));
const asked = (request: ControlRequest, source: "cli" | "api" = "cli"): InboundEvent =>
  controlEvent(request, { source });

describe("what the thread is told of a request that was not made there", () => {
  it.each<[string, InboundEvent, string]>([
    [
      "a stop of the command line",
      asked({ verb: "stop", login: null, instance: null }),
      "`loop stop` (asked for on the command line)",
    ],
    [
      "one through the API",
      asked({ verb: "stop", login: null, instance: null }, "api"),
      "`loop stop` (asked for through the API)",
    ],
    [
      "one that names its instance",
      asked({ verb: "pause", login: null, instance: "default" }),
      "`loop pause instance:default` (asked for on the command line)",
    ],
    [
      "a grant, with the login",
      asked({ verb: "add-collaborator", login: "dave", instance: null }),
      "`loop add-collaborator @dave` (asked for on the command line)",
    ],
  ])("%s", (_what, event, text) => {
    expect(posted(event)).toEqual([text]);
  });

  it("names the keyword as configured", () => {
    expect(
      posted(asked({ verb: "stop", login: null, instance: null }), {
        keywords: { ...policyOf().keywords, stop: "robot off" },
      }),
    ).toEqual(["`robot off` (asked for on the command line)"]);
  });
});

describe("what the thread is told of a request that is refused", () => {
  it("is the sentence and the remedy", () => {
    expect(posted(commentEvent("loop start"))).toEqual([
      "The item is already started. Comment to add instructions, or type `loop stop` first to start over.",
    ]);
  });

  it("is the sentence alone where nothing is left to be done", () => {
    expect(posted(commentEvent("loop remove-collaborator @dave"))).toEqual([
      sentenceOf("not-a-collaborator", policyOf()),
    ]);
  });
});

describe("an end that people ask for says why to those who carry it out", () => {
  it.each<[string, string, readonly string[]]>([
    ["loop stop", "stopped", ["drop-turns", "end-session"]],
    ["loop cleanup", "cleaned-up", ["drop-turns", "end-session", "release"]],
  ])("%s: %s, and without a grace", (text, why, kinds) => {
    const ends = effectsOf(commentEvent(text)).filter((effect) => effect.kind !== "react");
    expect(ends.map((effect) => [effect.kind, "why" in effect ? effect.why : null])).toEqual(
      kinds.map((kind) => [kind, why]),
    );
    expect(
      ends.flatMap((effect) => (effect.kind === "end-session" ? [effect.graceMs] : [])),
    ).toEqual([0]);
  });
});

it("a grant of the command line counts while an agent is at work, also under a login that its tools may have (P06)", () => {
  const from = given({
    item: itemOf("started", { lanes: [laneOf(issueRef)] }),
    agentAtWork: { own: alice },
  });
  expect(
    from.when(
      controlEvent({ verb: "add-collaborator", login: "dave", instance: null }, { actor: alice }),
    ).says,
  ).toBe("granted: collaborator-granted");
});
