import {
  decide,
  type Decision,
  evolve,
  type InboundEvent,
  instantOf,
  type Policy,
  type Recorded,
  type State,
} from "@loopwork/core";
import type { ItemState, RefText, Revocation } from "@loopwork/core/ports";
import type { Chapter } from "./alphabet.ts";
import type { Invariant } from "./invariants.ts";
import type { Rules } from "./letter.ts";
import { textAt } from "./world.ts";

/**
 * A rule that is broken on purpose: the search has to find that the invariant does not hold any
 * more.
 */
export type Mutant = {
  readonly breaks: Invariant;
  readonly how: string;
  readonly chapter: Chapter["name"];
  readonly rules: Rules;
};

const deciding = (
  change: (decision: Decision, event: InboundEvent, state: State, policy: Policy) => Decision,
): Rules => ({
  decide: (event, state, policy) => change(decide(event, state, policy), event, state, policy),
  evolve,
});
const folding = (
  change: (after: ItemState, before: ItemState, recorded: Recorded) => ItemState,
): Rules => ({
  decide,
  evolve: (item, recorded) => change(evolve(item, recorded), item, recorded),
});
const started = ({ target }: State, event: InboundEvent): Decision =>
  target === null
    ? { verdict: { kind: "ignored" }, reason: "no-work-item", effects: [] }
    : {
        verdict: { kind: "started", by: "", endpoint: target.workItem },
        reason: "start-requested",
        effects: [
          {
            kind: "turn",
            endpoint: target.workItem,
            mode: "spawn",
            event,
            authority: "authorized",
          },
        ],
      };
const openLanes = (item: ItemState, reason: string): ItemState => ({
  ...item,
  lanes: item.lanes.map((lane) => (lane.hold?.reason === reason ? { ...lane, hold: null } : lane)),
});
const verdictOf = (recorded: Recorded): Decision["verdict"]["kind"] | null =>
  recorded.kind === "decided" ? recorded.decision.verdict.kind : null;

/** At least one for each invariant. */
export const mutants: readonly Mutant[] = [
  {
    breaks: "no spawn without a start",
    how: "words on an armed item start it",
    chapter: "steering",
    rules: deciding((decision, event, state) =>
      decision.reason === "not-started" ? started(state, event) : decision,
    ),
  },
  {
    breaks: "no spawn without a start",
    how: "a refused start is remembered until the label comes",
    chapter: "steering",
    rules: deciding((decision, event, state) =>
      decision.reason === "armed" && state.item.workItem?.control.status === "idle"
        ? started(state, event)
        : decision,
    ),
  },
  {
    breaks: "no spawn without a start",
    how: "a start of before a stop of the command line undoes it",
    chapter: "the command line",
    rules: {
      decide: (event, state, policy) =>
        decide(event, { ...state, item: unmeasured(state.item) }, policy),
      evolve,
    },
  },
  {
    breaks: "paused means nothing delivered",
    how: "a resume of before a pause of the command line undoes it",
    chapter: "the command line",
    rules: {
      decide: (event, state, policy) =>
        decide(event, { ...state, item: unmeasured(state.item) }, policy),
      evolve,
    },
  },
  {
    breaks: "nothing is told without a start",
    how: "a stop lets what waits on the lane stand",
    chapter: "steering",
    rules: deciding((decision) => ({
      ...decision,
      effects: decision.effects.filter(({ kind }) => kind !== "drop-turns"),
    })),
  },
  {
    breaks: "nothing is told without a start",
    how: "a stop can come too late, like a start",
    chapter: "the command line",
    rules: deciding((decision, event, { item }) =>
      decision.reason === "stop-requested" &&
      event.kind === "comment" &&
      (instantOf(event.comment.createdAt) ?? 0) < (item.workItem?.control.since?.at ?? 0)
        ? { verdict: { kind: "refused", verb: "stop" }, reason: "older-than-known", effects: [] }
        : decision,
    ),
  },
  {
    breaks: "paused means nothing delivered",
    how: "a pause holds no lane",
    chapter: "steering",
    rules: folding((after, _before, recorded) =>
      verdictOf(recorded) === "paused" ? openLanes(after, "paused") : after,
    ),
  },
  {
    breaks: "paused means nothing delivered",
    how: "reopening what was paused holds no lane",
    chapter: "steering",
    rules: folding((after, _before, recorded) =>
      verdictOf(recorded) === "reopened" ? openLanes(after, "paused") : after,
    ),
  },
  {
    breaks: "two keywords mean nothing",
    how: "of two keywords the second counts",
    chapter: "steering",
    rules: deciding((decision, event, state, policy) =>
      decision.reason === "ambiguous-keywords" && event.kind === "comment"
        ? decide({ ...event, comment: { ...event.comment, body: "loop stop" } }, state, policy)
        : decision,
    ),
  },
  {
    breaks: "never two sessions for one work item",
    how: "a lane does not wait for its session to end",
    chapter: "steering",
    rules: folding((after, _before, recorded) =>
      verdictOf(recorded) === "stopped" ? openLanes(after, "ending") : after,
    ),
  },
  {
    breaks: "no command from someone unauthorized",
    how: "everybody may steer",
    chapter: "steering",
    rules: {
      decide: (event, state, policy) =>
        decide(event, state, {
          ...policy,
          authorizedUsers: new Set(["alice", "carol", "mallory", "helper[bot]"]),
        }),
      evolve,
    },
  },
  {
    breaks: "no command from someone unauthorized",
    how: "a login is enough, whatever its number",
    chapter: "steering",
    rules: {
      decide: (event, state, policy) => decide(event, { ...state, pinnedActorId: null }, policy),
      evolve,
    },
  },
  {
    breaks: "no command from someone unauthorized",
    how: "our own comments are read",
    chapter: "steering",
    rules: {
      decide: (event, state, policy) => decide(event, { ...state, own: "no" }, policy),
      evolve,
    },
  },
  {
    breaks: "what must move nobody moves nobody",
    how: "an edit carries its keyword",
    chapter: "steering",
    rules: {
      decide: (event, state, policy) =>
        decide(event.kind === "comment" ? { ...event, change: "created" } : event, state, policy),
      evolve,
    },
  },
  {
    breaks: "what must move nobody moves nobody",
    how: "a repetition counts again",
    chapter: "order",
    rules: {
      decide: (event, state, policy) => decide(event, { ...state, seenAs: null }, policy),
      evolve,
    },
  },
  {
    breaks: "what must move nobody moves nobody",
    how: "a keyword is never too old",
    chapter: "order",
    rules: {
      decide: (event, state, policy) => decide(event, { ...state, now: 0 }, policy),
      evolve,
    },
  },
  {
    breaks: "another instance's item is left alone",
    how: "nobody asks whose the item is",
    chapter: "instances",
    rules: {
      decide: (event, state, policy) => decide(event, { ...state, ownedBy: null }, policy),
      evolve,
    },
  },
  {
    breaks: "another instance's item is left alone",
    how: "an address does not matter",
    chapter: "instances",
    rules: {
      decide: (event, state, policy) =>
        decide(
          event.kind === "comment"
            ? {
                ...event,
                comment: {
                  ...event.comment,
                  body: event.comment.body.replace("instance:other", ""),
                },
              }
            : event,
          state,
          policy,
        ),
      evolve,
    },
  },
  {
    breaks: "a grant lets one login speak, until the item closes",
    how: "a closing leaves grants standing",
    chapter: "collaborators",
    rules: folding((after, before, recorded) =>
      recorded.kind === "decided" && recorded.event.kind === "closed"
        ? { ...after, collaborators: before.collaborators }
        : after,
    ),
  },
  {
    breaks: "a grant lets one login speak, until the item closes",
    how: "a grant of before its end counts when it is told late",
    chapter: "late grants",
    rules: {
      decide: (event, state, policy) =>
        decide(event, { ...state, item: withRevoked(state.item, () => false) }, policy),
      evolve,
    },
  },
  {
    breaks: "a grant lets one login speak, until the item closes",
    how: "a closing is not remembered for grants",
    chapter: "late grants",
    rules: folding((after) => withRevoked(after, ({ login }) => login !== null)),
  },
  {
    breaks: "a grant lets one login speak, until the item closes",
    how: "a revocation that found nobody is forgotten",
    chapter: "late grants",
    rules: folding((after, before, recorded) =>
      verdictOf(recorded) === "refused" ? before : after,
    ),
  },
  {
    breaks: "a grant lets one login speak, until the item closes",
    how: "a closing that is told after its reopening ends no grant",
    chapter: "late grants",
    rules: deciding((decision) =>
      decision.reason === "closing-overtaken"
        ? { ...decision, verdict: { kind: "ignored" } }
        : decision,
    ),
  },
  {
    breaks: "a grant lets one login speak, until the item closes",
    how: "who was revoked once is never let in again",
    chapter: "late grants",
    rules: deciding((decision, _event, { item }) =>
      decision.verdict.kind === "granted" && (item.workItem?.revoked ?? []).length > 0
        ? {
            verdict: { kind: "refused", verb: "add-collaborator" },
            reason: "older-than-known",
            effects: [],
          }
        : decision,
    ),
  },
  {
    breaks: "an older event never re-arms",
    how: "the last event that came is the newest",
    chapter: "order",
    rules: {
      decide: (event, state, policy) =>
        decide(event, { ...state, item: forgetful(state.item) }, policy),
      evolve: (item, recorded) => evolve(forgetful(item), recorded),
    },
  },
  {
    breaks: "no lane waits for an end that nobody carries out",
    how: "a closing releases nothing",
    chapter: "steering",
    rules: deciding((decision) => ({
      ...decision,
      effects: decision.effects.filter(({ kind }) => kind !== "release"),
    })),
  },
  {
    breaks: "a pull request is part of its issue",
    how: "a pull request that is recorded first makes a work item of itself",
    chapter: "pull requests",
    rules: folding((after, before, recorded) =>
      recorded.kind === "pull-request-linked" && before.workItem === null
        ? renamed(after, textAt.pull)
        : after,
    ),
  },
];

function renamed(item: ItemState, ref: RefText): ItemState {
  return item.workItem === null ? item : { ...item, workItem: { ...item.workItem, ref } };
}

function withRevoked(item: ItemState, keeps: (revocation: Revocation) => boolean): ItemState {
  return item.workItem?.revoked === undefined
    ? item
    : { ...item, workItem: { ...item.workItem, revoked: item.workItem.revoked.filter(keeps) } };
}

/** By this machine's clock nothing comes too late. */
function unmeasured(item: ItemState): ItemState {
  const control = item.workItem?.control;
  return item.workItem === null || control?.since?.clock !== "machine"
    ? item
    : { ...item, workItem: { ...item.workItem, control: { ...control, since: null } } };
}

function forgetful(item: ItemState): ItemState {
  return item.workItem === null
    ? item
    : { ...item, workItem: { ...item.workItem, hostUpdatedAt: null } };
}
