import { describe, expect, it } from "vitest";
import type { Verdict } from "../../src/decide/decision.ts";
import type { Effect } from "../../src/decide/effect.ts";
import type { InboundEvent } from "../../src/event/event.ts";
import {
  alice,
  closedEvent,
  commentEvent,
  controlEvent,
  pullRequestOf,
} from "../../src/testing/build-event.ts";
import {
  issueRef,
  itemOf,
  laneOf,
  pullRef,
  sessionOf,
  targetOf,
} from "../../src/testing/build-state.ts";
import { type Given, given } from "../../src/testing/given.ts";
import { formatRef } from "../../src/ref/ref.ts";

const idle = itemOf("idle");
const elsewhere = { ownedBy: "other" };
const say = controlEvent({ verb: "say", text: "hello" });
const graph = controlEvent({ verb: "graph", step: "advance", node: null });

/**
 * What was refused stands in the verdict, so that the log and `loop why` can name it, and nothing
 * else does.
 */
describe("a refusal names what was asked for", () => {
  it.each<[string, Given, InboundEvent, Verdict]>([
    [
      "a keyword",
      given({ item: idle, ...elsewhere }),
      commentEvent("loop start"),
      { kind: "refused", verb: "start" },
    ],
    [
      "a keyword with a login",
      given({ item: idle }),
      commentEvent("loop remove-collaborator @dave"),
      { kind: "refused", verb: "remove-collaborator", login: "dave" },
    ],
    [
      "words in a comment",
      given({ item: idle }),
      commentEvent("hello"),
      { kind: "refused", verb: null },
    ],
    [
      "words on the command line, where nobody started the item",
      given({ item: idle }),
      say,
      { kind: "refused", verb: "say" },
    ],
    [
      "words on the command line, where another instance owns it",
      given({ item: idle, ...elsewhere }),
      say,
      { kind: "refused", verb: "say" },
    ],
    [
      "a request about the graph, where nobody started the item",
      given({ item: idle }),
      graph,
      { kind: "refused", verb: "graph" },
    ],
    [
      "a request about the graph, where another instance owns it",
      given({ item: idle, ...elsewhere }),
      graph,
      { kind: "refused", verb: "graph" },
    ],
  ])("%s", (_what, from, event, verdict) => {
    expect(from.when(event).decision.verdict).toEqual(verdict);
  });
});

describe("a move says who asked for it", () => {
  const start = { verb: "start", login: null, instance: null } as const;

  it.each<[string, InboundEvent, string]>([
    ["the author of the comment", commentEvent("loop start"), "alice"],
    [
      "whoever typed it on the command line",
      controlEvent(start, { actor: { ...alice, login: "root" } }),
      "root",
    ],
    [
      "the operator, where the request names nobody",
      controlEvent(start, { actor: null }),
      "operator",
    ],
  ])("%s", (_who, event, by) => {
    expect(given({ item: idle }).when(event).decision.verdict).toEqual({
      kind: "started",
      by,
      endpoint: issueRef,
    });
  });
});

/**
 * A handler looks whether its effect is still due by what it is for, and gives a turn in flight its
 * time only where nobody asked for an end.
 */
describe("what ends a session says why", () => {
  const sessions = [sessionOf(), sessionOf({ endpoint: formatRef(pullRef) })];
  const atWork = given({ item: itemOf("started", { sessions: [sessionOf()] }) });
  const withPull = given({
    item: itemOf("started", { sessions, lanes: [laneOf(issueRef), laneOf(pullRef)] }),
    target: targetOf({ provenance: "recorded-link" }),
  });
  const reasonOf = (effect: Effect): unknown => ("why" in effect ? effect.why : null);
  const graceOf = (effects: readonly Effect[]): unknown =>
    effects.flatMap((effect) => (effect.kind === "end-session" ? [effect.graceMs] : []));

  it.each<[string, Given, InboundEvent, readonly unknown[], number]>([
    ["a closing", atWork, closedEvent(), ["closed", "closed", "closed"], 600_000],
    [
      "the closing of a pull request",
      withPull,
      closedEvent({ item: pullRequestOf() }),
      ["closed", "closed"],
      600_000,
    ],
    ["a stop", atWork, commentEvent("loop stop"), [null, "stopped", "stopped", null], 0],
    [
      "a cleanup",
      atWork,
      commentEvent("loop cleanup"),
      [null, "cleaned-up", "cleaned-up", "cleaned-up", null],
      0,
    ],
  ])("%s", (_what, from, event, why, graceMs) => {
    const { effects } = from.when(event).decision;
    expect(effects.map(reasonOf)).toEqual(why);
    expect(graceOf(effects)).toEqual([graceMs]);
  });
});
