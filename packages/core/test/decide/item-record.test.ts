import { describe, expect, it } from "vitest";
import type { DecidedFact } from "../../src/decide/effect.ts";
import { decidedFact, evolve } from "../../src/decide/evolve.ts";
import { emptyRecord } from "../../src/work-item/empty-record.ts";
import type { Authority } from "../../src/control/authority-type.ts";
import type { InboundEvent, Item } from "../../src/event/event.ts";
import {
  activityEvent,
  alice,
  commentEvent,
  issueOf,
  mallory,
  pullRequestOf,
  repository,
} from "../../src/testing/build-event.ts";
import {
  issueRef,
  itemOf,
  linkOf,
  policyOf,
  sessionOf,
  stateOf,
  targetOf,
} from "../../src/testing/build-state.ts";
import { given } from "../../src/testing/given.ts";
import {
  emptyItemState,
  idleControl,
  type ItemState,
  type WorkItem,
} from "../../src/work-item/records.ts";
import { formatRef } from "../../src/ref/ref.ts";

const later = "2026-03-01T12:05:00Z";
const shows = (over: Partial<Item>, by = alice): InboundEvent =>
  activityEvent({ action: "edited", by, at: later, item: issueOf({ updatedAt: later, ...over }) });
const recordAfter = (item: ItemState, event: InboundEvent): WorkItem | null =>
  given({ item }).when(event).after.workItem;
const atWork = itemOf("started", { sessions: [sessionOf()] });

/**
 * What is remembered of an item: what the host last showed of it, and a title only of those who may
 * write it.
 */
describe("the record of a work item", () => {
  it("of which nothing was known", () => {
    expect(emptyRecord(formatRef(issueRef))).toEqual({
      ref: "host:octo/shop#7",
      hostId: null,
      repositoryId: null,
      type: "issue",
      title: "",
      url: null,
      cloneUrl: null,
      defaultBranch: null,
      open: true,
      armed: false,
      labels: [],
      control: idleControl,
      closeDeferred: false,
      spend: { turns: 0, usd: 0, minutes: 0 },
      hostUpdatedAt: null,
    });
  });

  it("of an item that is seen for the first time", () => {
    const {
      control: _control,
      spend: _spend,
      ...seen
    } = recordAfter(
      itemOf("idle", { workItem: { ...emptyRecord(formatRef(issueRef)) } }),
      shows({}),
    ) ?? {};
    expect(seen).toEqual({
      ref: "host:octo/shop#7",
      hostId: "10007",
      repositoryId: "500",
      type: "issue",
      title: "Cart forgets its items",
      url: "https://github.com/octo/shop/issues/7",
      cloneUrl: "https://github.com/octo/shop.git",
      defaultBranch: "main",
      open: true,
      armed: true,
      labels: ["loop: auto-execute"],
      closeDeferred: false,
      hostUpdatedAt: later,
    });
  });

  it("keeps what the host does not tell this time", () => {
    const silent = {
      ...shows({ id: null, url: null, updatedAt: null }),
      repository: { ...repository, id: null, cloneUrl: null, defaultBranch: null },
    };
    expect(recordAfter(atWork, silent)).toEqual(atWork.workItem);
  });

  it.each<[string, ItemState, InboundEvent, string]>([
    ["an authorized user's", atWork, shows({ title: "New" }), "New"],
    [
      "a stranger's, before anybody started the item",
      itemOf("idle"),
      shows({ title: "New" }, mallory),
      "New",
    ],
    [
      "a stranger's, once it was started",
      atWork,
      shows({ title: "New" }, mallory),
      "Cart forgets its items",
    ],
    [
      "a stranger's, where none is known",
      itemOf("started", { workItem: { title: "" } }),
      shows({ title: "New" }, mallory),
      "New",
    ],
  ])("takes a title: %s", (_what, item, event, title) => {
    expect(recordAfter(item, event)?.title).toBe(title);
  });

  it.each<[readonly string[]]>([[["loop: auto-execute", "bug"]], [["bug"]], [[]]])(
    "takes the labels as they are now: %j",
    (labels) => {
      expect(recordAfter(atWork, shows({ labels }))?.labels).toEqual(labels);
    },
  );

  it("takes a label as gone that goes within the second in which the item was seen", () => {
    expect(
      recordAfter(
        itemOf("started", { workItem: { labels: ["loop: auto-execute", "bug"] } }),
        shows({ updatedAt: "2026-03-01T12:00:00Z" }),
      )?.labels,
    ).toEqual(["loop: auto-execute"]);
  });

  it("of labels in the same number, one of which is another", () => {
    expect(
      recordAfter(
        itemOf("started", { workItem: { labels: ["loop: auto-execute", "bug"] } }),
        shows({ updatedAt: "2026-03-01T12:00:00Z", labels: ["loop: auto-execute", "wish"] }),
      )?.labels,
    ).toEqual(["loop: auto-execute", "wish"]);
  });

  it("stays the very object where nothing changed", () => {
    expect(recordAfter(atWork, activityEvent({ action: "assigned" }))).toBe(atWork.workItem);
  });

  it("of what the host does not tell of a repository has nothing", () => {
    const event = {
      ...shows({}),
      repository: { ...repository, id: null, cloneUrl: null, defaultBranch: null },
    };
    expect(given().when(event).after.workItem).toMatchObject({
      repositoryId: null,
      cloneUrl: null,
      defaultBranch: null,
    });
  });

  it("takes what a refused event shows of an item on record", () => {
    const { says, after } = given({ item: itemOf("idle") }).when(
      commentEvent("any news?", { item: issueOf({ title: "New", updatedAt: later }) }),
    );
    expect([says, after.workItem?.title]).toEqual(["refused: not-started", "New"]);
  });

  it("leaves the very object where something is told late (R19)", () => {
    expect(
      given({ item: atWork }).when(
        activityEvent({
          action: "assigned",
          item: issueOf({ title: "Old", updatedAt: "2026-03-01T11:00:00Z" }),
        }),
      ).after,
    ).toBe(atWork);
  });

  it("is not made older by what is told late (R19)", () => {
    expect(
      recordAfter(atWork, shows({ title: "Old", updatedAt: "2026-03-01T11:00:00Z" }))?.title,
    ).toBe("Cart forgets its items");
  });
});

describe("a recorded pull request", () => {
  const linked = itemOf("started", {
    sessions: [sessionOf()],
    pullRequests: [linkOf({ pullRequest: formatRef({ ...issueRef, number: 13 }) }), linkOf()],
  });
  const target = targetOf({ provenance: "recorded-link" });
  const after = (item: Partial<Item>): unknown =>
    given({ item: linked, target }).when(
      activityEvent({
        action: "synchronize",
        at: later,
        item: pullRequestOf({ updatedAt: later, ...item }),
      }),
    ).after.pullRequests;

  it("takes state and head, and the time of both; another one stays", () => {
    const branches = {
      head: "more",
      headSha: "c".repeat(40),
      headRepository: "octo/shop",
      base: "main",
      sameRepository: true,
    };
    expect(after({ open: false, branches })).toEqual([
      linked.pullRequests[0],
      {
        ...linked.pullRequests[1],
        open: false,
        headSha: "c".repeat(40),
        headBranch: "more",
        updatedAt: later,
      },
    ]);
  });

  it("keeps its head where the host shows none", () => {
    expect(after({ branches: null })).toEqual([
      linked.pullRequests[0],
      { ...linked.pullRequests[1], updatedAt: later },
    ]);
  });

  it("has no time where the host has told none", () => {
    const [, link] = given({ item: linked, target }).when(
      commentEvent("x", { item: pullRequestOf({ updatedAt: null, open: false }) }),
    ).after.pullRequests;
    expect(link).toEqual({ ...linked.pullRequests[1], open: false });
    expect(link).not.toHaveProperty("updatedAt");
  });
});

/** Total: a log that another version wrote can hold any of them. */
it.each<[string, Partial<DecidedFact>]>([
  [
    "a rejection",
    {
      decision: {
        verdict: { kind: "rejected", why: "shape" },
        reason: "payload-rejected",
        effects: [],
      },
    },
  ],
  [
    "what was ignored",
    { decision: { verdict: { kind: "ignored" }, reason: "nothing-to-tell", effects: [] } },
  ],
  [
    "what belongs nowhere, noted",
    {
      target: null,
      decision: { verdict: { kind: "noted" }, reason: "nothing-to-tell", effects: [] },
    },
  ],
  [
    "what belongs nowhere, refused",
    {
      target: null,
      decision: { verdict: { kind: "refused", verb: "resume" }, reason: "not-paused", effects: [] },
    },
  ],
])("%s leaves no trace, whatever its event shows", (_what, over) => {
  const { decision } = given({ item: atWork }).when(shows({ title: "New" }));
  const fact: DecidedFact = {
    ...decidedFact(shows({ title: "New" }), decision, stateOf({ item: atWork }), policyOf()),
    ...over,
  };
  expect(evolve(atWork, fact)).toBe(atWork);
});

it("what is refused makes no record of an item that had none", () => {
  const refused = {
    verdict: { kind: "refused", verb: "resume" },
    reason: "not-paused",
    effects: [],
  } as const;
  expect(
    evolve(
      emptyItemState,
      decidedFact(commentEvent("loop resume"), refused, stateOf(), policyOf()),
    ),
  ).toBe(emptyItemState);
});

const authorities: readonly Authority[] = ["authorized", "stranger"];
it.each(authorities)(
  "an event that no work item can be found for leaves nothing behind, whoever caused it (%s)",
  (authority) => {
    expect(
      given({ target: null }).when(shows({}, authority === "authorized" ? alice : mallory)).after
        .workItem,
    ).toBeNull();
  },
);
