import { describe, expect, it } from "vitest";
import { settle } from "../../src/flow.ts";
import type { CommentEvent, InboundEvent } from "../../src/event/event.ts";
import {
  activityEvent,
  commentEvent,
  mallory,
  pullRequestOf,
} from "../../src/testing/build-event.ts";
import { issueRef, itemOf, policyOf, sessionOf, stateOf } from "../../src/testing/build-state.ts";
import { emptyItemState, type ItemState } from "../../src/work-item/records.ts";
import { formatRef } from "../../src/ref/ref.ts";
import { questionsOf } from "../../src/linking/questions.ts";
import type { LookupAnswers } from "../../src/linking/lookups.ts";
import { noAnswers, resolve } from "../../src/linking/resolve.ts";

const eight = { ...issueRef, number: 8 };
const labelled = ["loop: auto-execute"];
const first = itemOf("started", { sessions: [sessionOf()] });
const second = itemOf("started", {
  workItem: { ref: formatRef(eight), hostId: "10008" },
  sessions: [sessionOf({ endpoint: formatRef(eight), workItem: formatRef(eight) })],
});

/** Resolves and settles as the shell does: the state is that of the resolved work item. */
function decided(
  event: InboundEvent,
  items: readonly ItemState[],
  answers: Partial<LookupAnswers> = {},
  policy = policyOf(),
): {
  readonly target: string | null;
  readonly says: string;
  readonly turns: readonly string[];
  readonly links: number;
} {
  const target = resolve(
    event,
    { ...noAnswers, items, ...answers },
    policy,
    questionsOf(event, policy),
  );
  const ref = target === null ? null : formatRef(target.workItem);
  const item = items.find((each) => each.workItem?.ref === ref) ?? emptyItemState;
  const { decision, after } = settle(event, stateOf({ target, item }), policy);
  const turns = decision.effects.flatMap((effect) =>
    effect.kind === "turn" ? [`${effect.mode} #${effect.endpoint.number}`] : [],
  );
  return {
    target: ref,
    says: `${decision.verdict.kind}: ${decision.reason}`,
    turns,
    links: after?.pullRequests.length ?? 0,
  };
}

const onPull = (text: string, over: Parameters<typeof pullRequestOf>[0] = {}): CommentEvent =>
  commentEvent(text, { item: pullRequestOf(over) });

describe("S01: a pull request that is linked to two issues", () => {
  const both = {
    body: "Closes #8\nCloses #7",
    branches: {
      head: "patch-1",
      headSha: "a".repeat(40),
      headRepository: "octo/shop",
      base: "main",
      sameRepository: true,
    },
  };

  it.each([
    ["one order", [first, second]],
    ["the other", [second, first]],
  ])("tells one session, whatever the order of what is known: %s", (_order, items) => {
    expect(decided(onPull("look here", both), items)).toEqual({
      target: "host:octo/shop#8",
      says: "delivered: input-of-authorized",
      turns: ["resume #8"],
      links: 0,
    });
  });

  it("tells the one that is at work, where the first named is not", () => {
    expect(
      decided(onPull("look here", both), [
        first,
        itemOf("stopped", { workItem: { ref: formatRef(eight) } }),
      ]),
    ).toMatchObject({ target: "host:octo/shop#7", turns: ["resume #7"] });
  });

  it("spawns once for both, with the label on both", () => {
    const idle = [
      itemOf("idle"),
      itemOf("idle", { workItem: { ref: formatRef(eight), hostId: "10008" } }),
    ];
    expect(decided(onPull("loop start", { ...both, labels: labelled }), idle).turns).toEqual([
      "spawn #8",
    ]);
  });
});

describe("S02: a stranger's fork with a head branch named issue-7", () => {
  const fork = {
    author: mallory,
    labels: labelled,
    branches: {
      head: "issue-7",
      headSha: "f".repeat(40),
      headRepository: "mallory/shop",
      base: "main",
      sameRepository: false,
    },
  };

  it("does not reach the session of issue 7", () => {
    expect(
      decided(activityEvent({ item: pullRequestOf(fork), by: mallory }), [first]),
    ).toMatchObject({ target: "host:octo/shop#12", turns: [] });
  });

  it("does not even when somebody authorized comments on it", () => {
    expect(decided(onPull("what is this?", fork), [first])).toMatchObject({
      target: "host:octo/shop#12",
      turns: [],
    });
  });

  it("does where routing.trustForkBranches restores that", () => {
    expect(
      decided(onPull("what is this?", fork), [first], {}, policyOf({ trustForkBranches: true })),
    ).toMatchObject({ target: "host:octo/shop#7", turns: ["resume #7"] });
  });
});

describe("S03: Closes #7 in a stranger's pull request", () => {
  const claiming = {
    author: mallory,
    body: "Closes #7",
    branches: {
      head: "patch-1",
      headSha: "f".repeat(40),
      headRepository: "mallory/shop",
      base: "main",
      sameRepository: false,
    },
  };
  const known: Partial<LookupAnswers> = { author: { pinned: { id: null, as: [] }, own: false } };

  it("brings nothing that the stranger does to the session", () => {
    for (const action of ["opened", "synchronize", "edited"])
      expect(
        decided(
          activityEvent({ action, item: pullRequestOf(claiming), by: mallory }),
          [first],
          known,
        ),
      ).toMatchObject({
        target: "host:octo/shop#12",
        says: "ignored: stranger-dropped",
        turns: [],
        links: 0,
      });
    expect(
      decided(
        commentEvent("loop start", { item: pullRequestOf(claiming), by: mallory }),
        [first],
        known,
      ).says,
    ).toBe("ignored: stranger-dropped");
  });

  it("brings no authorized person's words to the session of the issue either", () => {
    expect(decided(onPull("please look at this one", claiming), [first], known)).toEqual({
      target: "host:octo/shop#12",
      says: "noted: foreign-pull-request",
      turns: [],
      links: 0,
    });
    expect(decided(onPull("loop stop", claiming), [first], known)).toMatchObject({
      target: "host:octo/shop#12",
      says: "stopped: stop-requested",
    });
  });
});
