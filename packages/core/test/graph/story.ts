import { settle } from "../../src/flow.ts";
import { carryGraph, type GraphFacts } from "../../src/graph/advance.ts";
import { type ConfiguredGraph, type ObservedWork, subjectOf } from "../../src/graph/progress.ts";
import { type GraphSignal, withSignal } from "../../src/work-item/graph-record.ts";
import type { InboundEvent } from "../../src/event/event.ts";
import type { Decided } from "../../src/decide/decision-row.ts";
import {
  alice,
  carol,
  commentEvent,
  controlEvent,
  hostNoonMs,
  mallory,
  pullRequestOf,
  someBot,
} from "../../src/testing/build-event.ts";
import { itemOf, policyOf, sessionOf, stateOf } from "../../src/testing/build-state.ts";
import type { ItemState } from "../../src/work-item/records.ts";
import { configured, node, row } from "./build.ts";

/** A graph with one of each gate: artifacts and hooks, critics, a person. */
export const graph: ConfiguredGraph = configured(
  row(
    node("draft", { produces: [{ file: "draft.md", headings: ["Goal"] }] }),
    node("review", {
      produces: [{ file: "review.md", headings: ["Findings"] }],
      critics: "all",
      scope: "work-item",
    }),
    node("approval", { gate: "human" }),
    node("complete", { terminal: true }),
  ),
  { hooks: [{ node: "draft", command: ["check"] }], roster: ["careful"] },
);
export const nodes: readonly string[] = graph.definition.nodes.map(({ id }) => id);

/** What happens: somebody says something, the work changes, or the service judges it. */
export type Letter =
  | { readonly kind: "said"; readonly event: InboundEvent; readonly agentAtWork: boolean }
  | {
      readonly kind: "wrote";
      readonly file: "draft.md" | "review.md";
      readonly digest: string;
      readonly filled: boolean;
    }
  | { readonly kind: "removed"; readonly file: "draft.md" | "review.md" }
  | { readonly kind: "committed"; readonly head: string }
  | { readonly kind: "hooks"; readonly passed: boolean }
  | { readonly kind: "critics"; readonly outcome: "passed" | "rework" | "escalated" }
  | { readonly kind: "forged"; readonly node: string };

const pull = pullRequestOf();
const review = (
  reviewState: string,
  commitId: string | undefined = pull.branches?.headSha,
): Parameters<typeof commentEvent>[1] => ({
  surface: "review",
  item: pull,
  comment: { reviewState, commitId },
});
const events: readonly InboundEvent[] = [
  ...[alice, alice, carol, mallory, someBot].map((by) => commentEvent("approved", { by })),
  ...[carol, mallory, someBot].map((by) => commentEvent("", { by, ...review("approved") })),
  commentEvent("", review("approved")),
  commentEvent("", review("approved", "f".repeat(40))),
  commentEvent("", review("changes_requested")),
  commentEvent("approved", { change: "edited" }),
  commentEvent("What does the draft say?"),
  controlEvent({ verb: "say", text: "approved" }),
  ...[1, 2, 3].map(() => controlEvent({ verb: "graph", step: "advance", node: null })),
  controlEvent({ verb: "graph", step: "complete", node: "approval" }),
  controlEvent({ verb: "graph", step: "skip", node: "approval" }),
];

/** Every letter; likely ones stand there more than once. */
export const letters: readonly Letter[] = [
  ...events.map((event) => ({ kind: "said", event, agentAtWork: false }) as const),
  { kind: "said", event: commentEvent("approved"), agentAtWork: true },
  ...(["draft.md", "review.md"] as const).flatMap((file) => [
    ...["1", "1", "1", "2"].map(
      (digest) => ({ kind: "wrote", file, digest, filled: true }) as const,
    ),
    { kind: "wrote", file, digest: "empty", filled: false } as const,
    { kind: "removed", file } as const,
  ]),
  ...["a", "b"].map((head) => ({ kind: "committed", head }) as const),
  ...[true, true, true, false].map((passed) => ({ kind: "hooks", passed }) as const),
  ...(["passed", "passed", "passed", "rework", "escalated"] as const).map(
    (outcome) => ({ kind: "critics", outcome }) as const,
  ),
  ...["review", "approval", "complete"].map(
    (forged) => ({ kind: "forged", node: forged }) as const,
  ),
];

const wrote = (file: "draft.md" | "review.md"): Letter => ({
  kind: "wrote",
  file,
  digest: "1",
  filled: true,
});
const advance: Letter = {
  kind: "said",
  event: controlEvent({ verb: "graph", step: "advance", node: null }),
  agentAtWork: false,
};

/** How work comes to the gate of a person. */
export const toTheGate: readonly Letter[] = [
  advance,
  wrote("draft.md"),
  { kind: "hooks", passed: true },
  advance,
  wrote("review.md"),
  { kind: "critics", outcome: "passed" },
  advance,
];

/** One event on its way through the graph; a mutant stands in front of it or behind it. */
export type Passage = {
  readonly event: InboundEvent;
  readonly item: ItemState;
  readonly seen: Omit<ObservedWork, "pullRequests">;
  readonly graph: ConfiguredGraph;
  readonly agentAtWork: GraphFacts["agentAtWork"];
  readonly authorized: readonly string[];
};
export type Carries = (passage: Passage) => {
  readonly decided: Decided;
  readonly carried: Decided;
};

export const carries: Carries = ({ event, item, seen, graph: by, agentAtWork, authorized }) => {
  const policy = policyOf({ authorizedUsers: new Set(authorized) });
  const decided = settle(event, stateOf({ item, now: hostNoonMs }), policy);
  return { decided, carried: carryGraph(decided, { graph: by, seen, agentAtWork }, policy) };
};

export const invariants = [
  "only the new words of an authorized person open a gate, and only for what stands there",
  "a node whose artifacts are missing or empty is not passed",
  "a node whose checks did not pass on what stands there is not passed",
  "a node that critics did not let pass is not passed",
  "an event moves the work by one node at most",
] as const;
export type Invariant = (typeof invariants)[number];

/**
 * What was true of each state of the work, told by the letters alone: what the graph itself
 * remembers of it is what is tested.
 */
type Truth = {
  /** The state that the thread was told of last. */ told: string | null;
  readonly approved: Set<string>;
  readonly checked: Map<string, boolean>;
  readonly judged: Map<string, string>;
};

/**
 * Lets the letters happen one after the other; answers with the first invariant that does not hold,
 * null where all do.
 */
export function play(story: readonly Letter[], carry: Carries): Invariant | null {
  let item = itemOf("started", {
    sessions: [sessionOf()],
    collaborators: [{ login: "carol", id: "3", grantedBy: "alice", at: 0 }],
  });
  let seen: Omit<ObservedWork, "pullRequests"> = { artifacts: [], head: "a" };
  const truth: Truth = { told: null, approved: new Set(), checked: new Map(), judged: new Map() };
  for (const letter of story) {
    switch (letter.kind) {
      case "said": {
        const { decided, carried } = carry({
          event: letter.event,
          item,
          seen,
          graph,
          agentAtWork: letter.agentAtWork ? { own: alice } : null,
          authorized: ["alice"],
        });
        if (approves(letter) && truth.told === worldOf(seen)) truth.approved.add(worldOf(seen));
        if (
          carried.decision.effects.some(
            (effect) =>
              effect.kind === "reply" && effect.text.includes("To approve what stands there now"),
          )
        )
          truth.told = worldOf(seen);
        const broken =
          carried === decided ? null : brokenBy(indexOf(item), indexOf(carried.after), seen, truth);
        if (broken !== null) return broken;
        item = carried.after ?? item;
        break;
      }
      case "wrote":
        seen = {
          ...seen,
          artifacts: [
            ...seen.artifacts.filter(({ file }) => file !== letter.file),
            {
              file: letter.file,
              digest: letter.digest,
              filled: letter.filled ? ["goal", "findings"] : [],
            },
          ],
        };
        break;
      case "removed":
        seen = { ...seen, artifacts: seen.artifacts.filter(({ file }) => file !== letter.file) };
        break;
      case "committed":
        seen = { ...seen, head: letter.head };
        break;
      case "hooks":
        truth.checked.set(worldOf(seen, "review.md"), letter.passed);
        item = judged(item, {
          kind: "hooks",
          node: "draft",
          subject: subject("draft", seen),
          failed: letter.passed ? [] : ["`check` ended with 1"],
          at: 1,
        });
        break;
      case "critics":
        truth.judged.set(worldOf(seen), letter.outcome);
        item = judged(item, {
          kind: "critics",
          node: "review",
          subject: subject("review", seen),
          round: 1,
          outcome: letter.outcome,
          findings: [
            {
              severity: "major",
              title: "x",
              detail: "",
              file: null,
              line: null,
              critics: ["careful"],
              rounds: 1,
            },
          ],
          why: null,
          at: 1,
        });
        break;
      case "forged":
        item = withGraph(item, (record) => ({ ...record, node: letter.node }));
    }
  }
  return null;
}

function approves({ event, agentAtWork }: Extract<Letter, { readonly kind: "said" }>): boolean {
  if (
    event.kind !== "comment" ||
    event.change !== "created" ||
    event.actor?.login !== "alice" ||
    agentAtWork
  )
    return false;
  return (
    (event.comment.reviewState === "approved" &&
      event.comment.commitId === pull.branches?.headSha) ||
    (event.comment.reviewState === null && event.comment.body === "approved")
  );
}

/** Looked at only where the event was carried: whoever is not heard moves nothing, back neither. */
function brokenBy(
  before: number,
  after: number,
  seen: Omit<ObservedWork, "pullRequests">,
  truth: Truth,
): Invariant | null {
  const isWritten = (file: string): boolean =>
    seen.artifacts.some((each) => each.file === file && each.filled.length > 0);
  const [past, world] = [(id: string): boolean => after > nodes.indexOf(id), worldOf(seen)];
  if (after > before + 1) return "an event moves the work by one node at most";
  if ((past("draft") && !isWritten("draft.md")) || (past("review") && !isWritten("review.md")))
    return "a node whose artifacts are missing or empty is not passed";
  if (past("draft") && truth.checked.get(worldOf(seen, "review.md")) !== true)
    return "a node whose checks did not pass on what stands there is not passed";
  const verdict = truth.judged.get(world);
  if (
    past("review") &&
    verdict !== "passed" &&
    !(truth.approved.has(world) && verdict !== undefined)
  )
    return "a node that critics did not let pass is not passed";
  return past("approval") && !truth.approved.has(world)
    ? "only the new words of an authorized person open a gate, and only for what stands there"
    : null;
}

/** Names a state of the work, perhaps without one of its files. */
function worldOf({ artifacts, head }: Omit<ObservedWork, "pullRequests">, without = ""): string {
  const files = artifacts
    .filter(({ file }) => file !== without)
    .map(({ file, digest }) => `${file} ${digest}`);
  return [head ?? "", ...files].toSorted().join(", ");
}

export function subject(id: string, seen: Omit<ObservedWork, "pullRequests">): string {
  const of = graph.definition.nodes.find((each) => each.id === id) ?? node(id);
  return subjectOf(of, "work-item", graph.definition, { ...seen, pullRequests: [] });
}

type Record = NonNullable<NonNullable<ItemState["workItem"]>["graph"]>;

export function withGraph(item: ItemState, change: (record: Record) => Record): ItemState {
  return item.workItem?.graph === undefined
    ? item
    : { ...item, workItem: { ...item.workItem, graph: change(item.workItem.graph) } };
}

function judged(item: ItemState, signal: GraphSignal): ItemState {
  return withGraph(item, (record) => withSignal(record, signal));
}

/** Where the record says that the work is; at the entry where it says nothing. */
export function indexOf(item: ItemState | null): number {
  return Math.max(0, nodes.indexOf(item?.workItem?.graph?.node ?? ""));
}
