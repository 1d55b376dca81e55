import fc from "fast-check";
import type { Policy } from "../../src/config/policy.ts";
import type { State } from "../../src/decide/state.ts";
import type { Actor, ControlVerb, InboundEvent } from "../../src/event/event.ts";
import {
  activityEvent,
  alice,
  carol,
  ciEvent,
  closedEvent,
  commentEvent,
  controlEvent,
  hostNoonMs,
  issueOf,
  labelEvent,
  mallory,
  pullRequestOf,
  someBot,
} from "../../src/testing/build-event.ts";
import {
  issueRef,
  itemOf,
  laneOf,
  linkOf,
  policyOf,
  pullRef,
  sessionOf,
  stateOf,
  targetOf,
} from "../../src/testing/build-state.ts";
import {
  type ControlStatus,
  emptyItemState,
  type HoldReason,
  type ItemState,
} from "../../src/work-item/records.ts";

export const verbs: readonly ControlVerb[] = [
  "start",
  "stop",
  "pause",
  "resume",
  "cleanup",
  "add-collaborator",
  "remove-collaborator",
];

export const actors: fc.Arbitrary<Actor> = fc.constantFrom(
  alice,
  carol,
  mallory,
  someBot,
  { ...alice, id: "77" },
  { ...alice, login: "ALICE" },
  { ...mallory, login: "аlice" },
);
export const keywordTexts = fc.constantFrom(
  ...verbs.map((verb) => (verb.endsWith("collaborator") ? `loop ${verb} @dave` : `loop ${verb}`)),
);
export const texts = fc.oneof(
  keywordTexts,
  fc.constantFrom(
    "go on",
    "",
    "instance:other go on",
    "loop stop instance:other",
    "> loop stop",
    "loop start loop stop",
  ),
  fc.string({ maxLength: 40 }),
);
const times = fc
  .integer({ min: 0, max: 59 })
  .map((minute) => `2026-03-01T12:${String(minute).padStart(2, "0")}:00Z`);
const items = fc
  .record({
    pull: fc.boolean(),
    open: fc.boolean(),
    labels: fc.subarray(["loop: auto-execute", "bug"]),
    updatedAt: times,
  })
  .map(({ pull, ...over }) => (pull ? pullRequestOf(over) : issueOf(over)));

export const events: fc.Arbitrary<InboundEvent> = fc.oneof(
  fc
    .record({
      text: texts,
      by: actors,
      item: items,
      createdAt: times,
      change: fc.constantFrom("created", "created", "created", "edited", "deleted"),
    })
    .map(({ text, by, item, createdAt, change }) =>
      commentEvent(text, { by, item, change, action: change, comment: { createdAt } }),
    ),
  fc
    .record({
      by: actors,
      item: items,
      change: fc.constantFrom("added", "removed"),
      label: fc.constantFrom("loop: auto-execute", "bug"),
    })
    .map((over) => labelEvent(over)),
  fc
    .record({
      by: actors,
      item: items,
      action: fc.constantFrom("opened", "edited", "reopened", "synchronize", "pinned"),
    })
    .map((over) => activityEvent(over)),
  fc
    .record({ by: fc.oneof(actors, fc.constant(null)), item: items })
    .map((over) => closedEvent(over)),
  fc
    .record({
      name: fc.constantFrom("test", "lint"),
      headSha: fc.constantFrom("a", "b", "c", "d", "e").map((letter) => letter.repeat(40)),
      conclusion: fc.constantFrom("failure", "success", "cancelled", "neutral"),
      pullRequests: fc.constantFrom([12], []),
    })
    .map((check) => ciEvent(check)),
  fc
    .oneof(
      fc.record({
        verb: fc.constantFrom(...verbs),
        login: fc.constantFrom(null, "dave", "-x"),
        instance: fc.constantFrom(null, "default", "other"),
      }),
      fc.record({ verb: fc.constant("say" as const), text: fc.string() }),
    )
    .map((request) => controlEvent(request)),
);

const holdReasons: readonly HoldReason[] = [
  "paused",
  "uncertain",
  "budget",
  "backoff",
  "ending",
  "releasing",
];
export const itemStates: fc.Arbitrary<ItemState> = fc.oneof(
  fc.constant(emptyItemState),
  fc
    .record({
      status: fc.constantFrom<ControlStatus>("idle", "started", "paused", "stopped", "closed"),
      sessions: fc.subarray([
        sessionOf(),
        sessionOf({
          endpoint: "host:octo/shop#12" as ReturnType<typeof sessionOf>["endpoint"],
          status: "lost",
        }),
      ]),
      lanes: fc.subarray([laneOf(issueRef), laneOf(pullRef)]).chain((lanes) =>
        fc.option(fc.constantFrom(...holdReasons), { nil: null }).map((reason) =>
          lanes.map((lane) => ({
            ...lane,
            hold: reason === null ? null : { reason, until: null, detail: "" },
          })),
        ),
      ),
      pullRequests: fc.subarray([linkOf()]),
      collaborators: fc.subarray([{ login: "carol", id: null, grantedBy: "alice", at: 0 }]),
      workItem: fc.record({ open: fc.boolean(), armed: fc.boolean() }),
      control: fc.record({
        before: fc.constantFrom<ControlStatus | null>(null, "idle", "started", "stopped"),
      }),
    })
    .map(({ status, ...over }) => itemOf(status, over)),
);

export const states: fc.Arbitrary<State> = fc
  .record({
    item: itemStates,
    target: fc.constantFrom(
      targetOf(),
      targetOf({ provenance: "head-branch" }),
      targetOf({ endpoint: pullRef, provenance: "recorded-link" }),
      null,
    ),
    own: fc.constantFrom("no" as const, "no" as const, "comment" as const, "activity" as const),
    pinnedActorId: fc.constantFrom(null, null, "1", "3"),
    seenAs: fc.constantFrom(null, null, null, "first"),
    ownedBy: fc.constantFrom(null, null, null, "other"),
    now: fc.integer({ min: hostNoonMs, max: hostNoonMs + 9 * 86_400_000 }),
  })
  .map((over) => stateOf(over));

export const policies: fc.Arbitrary<Policy> = fc
  .record({
    requireStartCommand: fc.boolean(),
    spawnOnUnmatched: fc.constantFrom("labeled" as const, "never" as const),
    ciWakeOn: fc.constantFrom("changes" as const, "all" as const, "never" as const),
    ownActivity: fc.constantFrom("ignore" as const, "wake" as const),
    instance: fc
      .constantFrom("open" as const, "addressed" as const, "locked" as const)
      .map((scope) => ({ name: "default", scope, workItems: new Set<never>() })),
  })
  .map((over) => policyOf(over));
