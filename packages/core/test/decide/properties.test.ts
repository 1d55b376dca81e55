import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decide } from "../../src/decide/decide.ts";
import type { Recorded } from "../../src/decide/effect.ts";
import { decidedFact, evolve } from "../../src/decide/evolve.ts";
import { explain } from "../../src/explain/explain-decision.ts";
import type { Policy } from "../../src/config/policy.ts";
import { settle } from "../../src/flow.ts";
import type { InboundEvent } from "../../src/event/event.ts";
import { commentEvent } from "../../src/testing/build-event.ts";
import { issueRef, itemOf, pullRef, sessionOf, stateOf } from "../../src/testing/build-state.ts";
import { emptyItemState, type ItemState } from "../../src/work-item/records.ts";
import { events, keywordTexts, policies, states, texts } from "./arbitraries.ts";

const commands = new Set([
  "started",
  "paused",
  "resumed",
  "stopped",
  "cleaned-up",
  "granted",
  "revoked",
]);

const runs = { numRuns: 4000 };
const frozen = <T>(value: T): T => {
  if (
    typeof value === "object" &&
    value !== null &&
    !Object.isFrozen(value) &&
    !(value instanceof Set)
  ) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
};

describe("decide", () => {
  it("is a function of its inputs, and changes none of them", () => {
    fc.assert(
      fc.property(events, states, policies, (event, state, policy) => {
        const first = JSON.stringify(settle(frozen(event), frozen(state), policy));
        expect(JSON.stringify(settle(structuredClone(event), structuredClone(state), policy))).toBe(
          first,
        );
      }),
      runs,
    );
  });

  it("P07, P08: carries out nothing for anybody without authority", () => {
    fc.assert(
      fc.property(events, states, policies, (event, state, policy) => {
        const { verdict, effects } = decide(event, state, policy);
        const operator = event.kind === "control";
        const actor = event.actor;
        const authorized =
          operator ||
          (actor !== null &&
            actor.login.toLowerCase() === "alice" &&
            !actor.bot &&
            (state.pinnedActorId === null || state.pinnedActorId === actor.id));
        if (authorized) return;
        expect(commands).not.toContain(verdict.kind);
        expect(verdict.kind === "closed" && verdict.whole).toBe(false);
        expect(
          effects.filter(
            (effect) =>
              effect.kind === "release" ||
              (effect.kind === "turn" && effect.authority === "authorized"),
          ),
        ).toEqual([]);
      }),
      runs,
    );
  });

  it("never reads what a stranger wrote", () => {
    fc.assert(
      fc.property(events, texts, states, policies, (event, text, state, policy) => {
        if (
          event.kind !== "comment" ||
          (event.actor?.login !== "mallory" && event.actor?.bot !== true)
        )
          return;
        const other = { ...event, comment: { ...event.comment, body: text } };
        expect(decide(other, state, policy)).toEqual(decide(event, state, policy));
      }),
      runs,
    );
  });

  it("P02: does nothing for two different keywords", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(keywordTexts, { minLength: 2, maxLength: 3 }),
        states,
        policies,
        (keywords, state, policy) => {
          const { verdict, effects } = decide(commentEvent(keywords.join("\n")), state, policy);
          expect([effects, verdict.kind === "refused" || verdict.kind === "ignored"]).toEqual([
            [],
            true,
          ]);
        },
      ),
      runs,
    );
  });

  it("says a refusal on the thread only to somebody authorized, in two effects, and an ignored keyword's in one", () => {
    fc.assert(
      fc.property(events, states, policies, (event, state, policy) => {
        const { verdict, reason, effects } = decide(event, state, policy);
        if (verdict.kind === "refused")
          expect(
            reason === "keyword-not-visible" || reason === "keyword-not-in-created"
              ? [["react"]]
              : [[], ["react", "reply"]],
          ).toContainEqual(effects.map((effect) => effect.kind));
        if (verdict.kind === "ignored" || verdict.kind === "rejected") expect(effects).toEqual([]);
      }),
      runs,
    );
  });

  it("CI never spawns, arms, or starts", () => {
    fc.assert(
      fc.property(events, states, policies, (event, state, policy) => {
        if (event.kind !== "ci") return;
        const { verdict, effects } = decide(event, state, policy);
        expect(effects.some((effect) => effect.kind === "turn" && effect.mode === "spawn")).toBe(
          false,
        );
        expect(["ignored", "noted", "delivered"]).toContain(verdict.kind);
      }),
      runs,
    );
  });

  it("can always be explained", () => {
    fc.assert(
      fc.property(events, states, policies, (event, state, policy) => {
        const sentences = explain({ event, state, decision: decide(event, state, policy) });
        expect(sentences.length).toBeGreaterThan(1);
        expect(sentences.every((sentence) => sentence.length > 10)).toBe(true);
      }),
      runs,
    );
  });
});

const recordings: fc.Arbitrary<Recorded> = fc.constantFrom<Recorded>(
  {
    kind: "session-opened",
    endpoint: issueRef,
    harness: "A",
    harnessSessionId: "s",
    workdir: "/w",
    runner: "headless",
    at: 1,
  },
  { kind: "session-begun", endpoint: issueRef },
  { kind: "session-lost", endpoint: issueRef },
  { kind: "session-closed", endpoint: issueRef },
  { kind: "turn-ended", endpoint: issueRef, outcome: "done", usd: 1, minutes: 1, at: 1 },
  { kind: "lane-held", endpoint: issueRef, hold: { reason: "backoff", until: 5, detail: "" } },
  { kind: "lane-held", endpoint: issueRef, hold: { reason: "uncertain", until: null, detail: "" } },
  { kind: "lane-opened", endpoint: issueRef },
  {
    kind: "pull-request-linked",
    workItem: issueRef,
    pullRequest: pullRef,
    headSha: null,
    headBranch: null,
    at: 1,
  },
  { kind: "released", workItem: issueRef, salvage: null, at: 1 },
);

/** A story: decisions and reports in any order, folded one after another. */
const stories = fc.array(
  fc.oneof({ weight: 3, arbitrary: events }, { weight: 1, arbitrary: recordings }),
  { maxLength: 25 },
);

function follow(
  story: readonly (InboundEvent | Recorded)[],
  policy: Policy,
  see: (item: ItemState, step: InboundEvent | Recorded, before: ItemState) => void,
  first: ItemState = emptyItemState,
): void {
  let item = first;
  for (const step of story) {
    const before = item;
    if ("deliveryId" in step) {
      const state = stateOf({ item });
      item = evolve(item, decidedFact(step, decide(step, state, policy), state, policy));
    } else item = evolve(item, step);
    see(item, step, before);
  }
}

describe("evolve", () => {
  it("paused means that no lane is open, whatever happens meanwhile", () => {
    fc.assert(
      fc.property(stories, policies, (story, policy) => {
        follow(story, policy, (item) => {
          if (item.workItem?.control.status === "paused")
            expect(
              item.lanes.filter((lane) => lane.hold === null || lane.hold.until !== null),
            ).toEqual([]);
        });
      }),
      runs,
    );
  });

  it("an uncertain lane is opened by a report or by an end, never by a resume", () => {
    fc.assert(
      fc.property(stories, policies, (story, policy) => {
        follow(story, policy, (item, step, before) => {
          const was = before.lanes
            .filter((lane) => lane.hold?.reason === "uncertain")
            .map((lane) => lane.endpoint);
          const opened = item.lanes.filter(
            (lane) => lane.hold === null && was.includes(lane.endpoint),
          );
          if ("deliveryId" in step) expect(opened).toEqual([]);
        });
      }),
      runs,
    );
  });

  it("keeps one session an endpoint, one lane an endpoint, one link a pull request, one grant a login", () => {
    fc.assert(
      fc.property(stories, policies, (story, policy) => {
        follow(story, policy, (item) => {
          for (const keys of [
            item.sessions.map((each) => each.endpoint),
            item.lanes.map((each) => each.endpoint),
            item.pullRequests.map((each) => each.pullRequest),
            item.collaborators.map((each) => each.login),
            item.ciAttempts.map((each) => `${each.pullRequest} ${each.check}`),
          ]) {
            expect(new Set(keys).size).toBe(keys.length);
          }
        });
      }),
      runs,
    );
  });

  it("a check wakes for three heads at most", () => {
    fc.assert(
      fc.property(stories, policies, (story, policy) => {
        follow(story, policy, (item) =>
          expect(item.ciAttempts.every((each) => each.headShas.length <= 3)).toBe(true),
        );
      }),
      runs,
    );
  });

  it("a closing ends every grant that there was before it", () => {
    let ended = 0;
    const granted = itemOf("started", {
      sessions: [sessionOf()],
      collaborators: [{ login: "carol", id: null, grantedBy: "alice", at: 1 }],
    });
    fc.assert(
      fc.property(stories, policies, (story, policy) => {
        const see = (item: ItemState, _step: InboundEvent | Recorded, before: ItemState): void => {
          if (item.workItem?.control.status !== "closed" || item.workItem.open) return;
          expect(item.collaborators).toEqual([]);
          if (before.collaborators.length > 0) ended += 1;
        };
        follow(story, policy, see, granted);
      }),
      runs,
    );
    expect(ended).toBeGreaterThan(100);
  });

  it("every lane of a stopped item that has a session to end waits for that", () => {
    fc.assert(
      fc.property(stories, policies, (story, policy) => {
        follow(story, policy, (item) => {
          if (item.sessions.some((session) => session.status === "closing"))
            expect(
              item.lanes.some(
                (lane) => lane.hold?.reason === "ending" || lane.hold?.reason === "releasing",
              ),
            ).toBe(true);
        });
      }),
      runs,
    );
  });
});
