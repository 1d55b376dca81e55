import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { settle } from "../../src/flow.ts";
import type { InboundEvent } from "../../src/event/event.ts";
import {
  activityEvent,
  ciEvent,
  closedEvent,
  commentEvent,
  labelEvent,
  pullRequestOf,
} from "../../src/testing/build-event.ts";
import { policyOf, stateOf } from "../../src/testing/build-state.ts";
import { emptyItemState } from "../../src/work-item/records.ts";
import { questionsOf } from "../../src/linking/questions.ts";
import { noAnswers, resolve } from "../../src/linking/resolve.ts";
import type { Familiarity } from "../../src/control/relevance.ts";
import type { Policy } from "../../src/config/policy.ts";
import type { Decided } from "../../src/decide/decision-row.ts";
import { events, policies } from "../decide/arbitraries.ts";

const closesSeven = pullRequestOf({ body: "Closes #7" });

function settled(event: InboundEvent, policy: Policy, repository: Familiarity): Decided {
  const target = resolve(event, noAnswers, policy, questionsOf(event, policy, repository));
  return settle(event, stateOf({ item: emptyItemState, target }), policy);
}

describe("a repository of which nothing is on record", () => {
  it("causes the same, and leaves the same behind, as one that is known; what it ignores it may ignore for another reason", () => {
    const [effects, differing] = [new Set<string>(), new Set<string>()];
    fc.assert(
      fc.property(events, policies, (event, policy) => {
        const [fresh, known] = [settled(event, policy, "new"), settled(event, policy, "known")];
        expect([fresh.decision.effects, fresh.pin, fresh.key]).toEqual([
          known.decision.effects,
          known.pin,
          known.key,
        ]);
        if (JSON.stringify(fresh.decision) !== JSON.stringify(known.decision))
          differing.add(
            `${known.decision.verdict.kind} ${known.decision.reason} → ${fresh.decision.verdict.kind} ${fresh.decision.reason}`,
          );
        expect(fresh.after ?? emptyItemState).toEqual(known.after ?? emptyItemState);
        for (const { kind } of known.decision.effects) effects.add(kind);
      }),
      { numRuns: 8000 },
    );
    expect(effects).toContain("turn");
    expect([...differing].toSorted()).toEqual([
      "ignored pull-request-closed → ignored close-without-session",
      "ignored unlabelled → ignored item-closed",
    ]);
  });

  it.each<[string, InboundEvent]>([
    ["a push", activityEvent({ action: "synchronize", item: closesSeven })],
    ["a new pull request", activityEvent({ action: "opened", item: closesSeven })],
    ["a merge", closedEvent({ item: closesSeven })],
    [
      "a comment that can hold no keyword",
      commentEvent("Looks good, the loop is tight.", { item: closesSeven }),
    ],
    ["another label", labelEvent({ item: closesSeven, label: "bug" })],
  ])("%s is not looked into, and the host is not asked", (_, event) => {
    expect(questionsOf(event, policyOf(), "new")).toMatchObject({
      pullRequests: [{ number: 12 }],
      candidates: [],
      ask: "nothing",
    });
  });

  it("a check asks the host for no pull requests", () => {
    expect(questionsOf(ciEvent({ pullRequests: [] }), policyOf(), "known").ask).toBe(
      "pull-requests-of-commit",
    );
    expect(questionsOf(ciEvent({ pullRequests: [] }), policyOf(), "new").ask).toBe("nothing");
  });

  it("does not hold for one of which something is: any comment there may be meant for a session", () => {
    const questions = questionsOf(
      commentEvent("Looks good, the loop is tight.", { item: closesSeven }),
      policyOf(),
      "known",
    );
    expect(questions).toMatchObject({
      candidates: [{ ref: { number: 7 } }],
      ask: expect.stringContaining("closing-references"),
    });
  });

  it.each<[string, InboundEvent]>([
    ["a comment", commentEvent("loop start", { item: closesSeven })],
    ["words about a start, keyword or not", commentEvent("> loop start", { item: closesSeven })],
    ["an address", commentEvent("instance:north, look at this.", { item: closesSeven })],
    [
      "any comment where the label is",
      commentEvent("Nice.", { item: { ...closesSeven, labels: ["loop: auto-execute"] } }),
    ],
    ["the label", labelEvent({ item: closesSeven })],
    [
      "a new pull request that has the label",
      activityEvent({ action: "opened", item: { ...closesSeven, labels: ["loop: auto-execute"] } }),
    ],
  ])("%s can begin something, so it is looked into", (_, event) => {
    expect(questionsOf(event, policyOf(), "new")).toEqual(questionsOf(event, policyOf(), "known"));
    expect(questionsOf(event, policyOf(), "new").candidates).toMatchObject([
      { ref: { number: 7 } },
    ]);
  });
});
