import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { GraphSignal } from "../../src/work-item/graph-record.ts";
import { commentEvent } from "../../src/testing/build-event.ts";
import {
  type Carries,
  carries,
  graph,
  indexOf,
  type Invariant,
  invariants,
  letters,
  nodes,
  type Passage,
  play,
  subject,
  toTheGate,
  withGraph,
} from "./story.ts";

/** Half of them begin where a person is asked, because few find their way there. */
const stories = fc
  .tuple(
    fc.constantFrom([], toTheGate),
    fc.array(fc.constantFrom(...letters), { minLength: 5, maxLength: 80 }),
  )
  .map(([begun, rest]) => [...begun, ...rest]);

/**
 * A gate without one of its guards: the search has to find that an invariant does not hold any
 * more.
 */
type Mutant = { readonly breaks: Invariant; readonly how: string; readonly carry: Carries };

const opens: Invariant =
  "only the new words of an authorized person open a gate, and only for what stands there";
const artifacts: Invariant = "a node whose artifacts are missing or empty is not passed";
const checks: Invariant = "a node whose checks did not pass on what stands there is not passed";
const critics: Invariant = "a node that critics did not let pass is not passed";
const oneNode: Invariant = "an event moves the work by one node at most";

const before =
  (change: (passage: Passage) => Passage): Carries =>
  (passage) =>
    carries(change(passage));
const signals = (change: (signal: GraphSignal, passage: Passage) => GraphSignal): Carries =>
  before((passage) => ({
    ...passage,
    item: withGraph(passage.item, (record) => ({
      ...record,
      signals: record.signals.map((signal) => change(signal, passage)),
    })),
  }));
/** A signal that holds for whatever stands there now. */
const lasting = (kind: GraphSignal["kind"]): Carries =>
  signals((signal, { seen }) =>
    signal.kind === kind && signal.kind !== "waived"
      ? { ...signal, subject: subject(signal.node, seen) }
      : signal,
  );
const letting = (login: string): Carries =>
  before((passage) => ({ ...passage, authorized: [...passage.authorized, login] }));

const asPerson = (event: Passage["event"]): Passage["event"] =>
  event.kind === "comment" && event.actor !== null
    ? {
        ...event,
        actor: { ...event.actor, login: event.actor.login.replace("[bot]", ""), bot: false },
        comment: { ...event.comment, author: { ...event.actor, bot: false } },
      }
    : event;

const mutants: readonly Mutant[] = [
  { breaks: opens, how: "a stranger is heard like an authorized user", carry: letting("mallory") },
  {
    breaks: opens,
    how: "a collaborator is heard like an authorized user",
    carry: letting("carol"),
  },
  {
    breaks: opens,
    how: "a bot is heard like a person",
    carry: before((passage) => ({
      ...passage,
      authorized: [...passage.authorized, "helper"],
      event: asPerson(passage.event),
    })),
  },
  {
    breaks: opens,
    how: "what an agent wrote under its operator's login counts",
    carry: before((passage) => ({ ...passage, agentAtWork: null })),
  },
  {
    breaks: opens,
    how: "an edited comment counts",
    carry: before((passage) =>
      passage.event.kind === "comment" && passage.event.change === "edited"
        ? { ...passage, event: commentEvent("approved") }
        : passage,
    ),
  },
  {
    breaks: opens,
    how: "what is said on the command line counts",
    carry: before((passage) =>
      passage.event.kind === "control" && passage.event.request.verb === "say"
        ? { ...passage, event: commentEvent("approved") }
        : passage,
    ),
  },
  {
    breaks: opens,
    how: "an operator's command counts",
    carry: before((passage) =>
      passage.event.kind === "control" &&
      passage.event.request.verb === "graph" &&
      passage.event.request.step !== "advance"
        ? { ...passage, event: commentEvent("approved") }
        : passage,
    ),
  },
  {
    breaks: opens,
    how: "an approval counts whatever changed since the gate was announced",
    carry: before((passage) => ({
      ...passage,
      item: withGraph(passage.item, (record) => ({
        ...record,
        announced: record.announced
          ? { ...record.announced, subject: subject(record.announced.node, passage.seen) }
          : null,
      })),
    })),
  },
  {
    breaks: opens,
    how: "a gate that nobody was told of is opened",
    carry: before((passage) => ({
      ...passage,
      item: withGraph(passage.item, (record) => ({
        ...record,
        announced: { node: record.node, subject: subject(record.node, passage.seen), at: 0 },
      })),
    })),
  },
  {
    breaks: opens,
    how: "a review of another commit counts",
    carry: before((passage) =>
      passage.event.kind === "comment" && passage.event.surface === "review"
        ? {
            ...passage,
            event: {
              ...passage.event,
              comment: {
                ...passage.event.comment,
                commitId: passage.event.item.branches?.headSha ?? null,
              },
            },
          }
        : passage,
    ),
  },
  { breaks: opens, how: "an approval holds whatever changes after it", carry: lasting("answer") },
  {
    breaks: artifacts,
    how: "a file is enough, whatever stands in it",
    carry: before((passage) => ({
      ...passage,
      seen: {
        ...passage.seen,
        artifacts: passage.seen.artifacts.map((each) => ({
          ...each,
          filled: ["goal", "findings"],
        })),
      },
    })),
  },
  {
    breaks: artifacts,
    how: "nobody looks whether files are there",
    carry: before((passage) => ({
      ...passage,
      graph: {
        ...graph,
        definition: {
          ...graph.definition,
          nodes: graph.definition.nodes.map((node) => ({ ...node, produces: [] })),
        },
      },
    })),
  },
  {
    breaks: artifacts,
    how: "what is remembered is where the work stands",
    carry: (passage) => trusting(passage),
  },
  {
    breaks: checks,
    how: "nobody runs the checks",
    carry: before((passage) => ({ ...passage, graph: { ...graph, hooks: [] } })),
  },
  {
    breaks: checks,
    how: "checks that failed count",
    carry: signals((signal) => (signal.kind === "hooks" ? { ...signal, failed: [] } : signal)),
  },
  { breaks: checks, how: "checks hold whatever changes after them", carry: lasting("hooks") },
  {
    breaks: critics,
    how: "nobody asks the critics",
    carry: before((passage) => ({ ...passage, graph: { ...graph, roster: [] } })),
  },
  {
    breaks: critics,
    how: "what critics want changed passes",
    carry: signals((signal) =>
      signal.kind === "critics" ? { ...signal, outcome: "passed" } : signal,
    ),
  },
  { breaks: critics, how: "a verdict holds whatever changes after it", carry: lasting("critics") },
  {
    breaks: oneNode,
    how: "an event moves the work as far as it stands",
    carry: (passage) => asFarAsItStands(passage),
  },
];

/** The node that was remembered stays, however much of what stood before it is gone. */
function trusting(passage: Passage): ReturnType<Carries> {
  const { decided, carried } = carries(passage);
  const remembered = Math.max(indexOf(passage.item), indexOf(carried.after));
  return {
    decided,
    carried:
      carried === decided || carried.after === null
        ? carried
        : {
            ...carried,
            after: withGraph(carried.after, (record) => ({
              ...record,
              node: nodes[remembered] ?? record.node,
            })),
          },
  };
}

function asFarAsItStands(passage: Passage): ReturnType<Carries> {
  const first = carries(passage);
  let { carried } = first;
  for (
    let steps = 0;
    steps < nodes.length && carried !== first.decided && carried.after !== null;
    steps += 1
  )
    carried = carries({ ...passage, item: carried.after }).carried;
  return { ...first, carried };
}

/** Whether one of so many stories breaks the invariant. */
function isBroken(invariant: Invariant, carry: Carries, runs: number): boolean {
  return fc
    .sample(stories, { numRuns: runs, seed: 7 })
    .some((story) => play(story, carry) === invariant);
}

describe("the gates of the process graph, whatever happens in whatever order", () => {
  test("keep every invariant", () => {
    fc.assert(
      fc.property(stories, (story) => void expect(play(story, carries)).toBeNull()),
      { numRuns: 2_000 },
    );
  });

  test("and let work through: the end of the graph is reached", () => {
    let reached = 0;
    const watching: Carries = (passage) => {
      const ways = carries(passage);
      if (
        ways.carried.after?.workItem?.graph?.node === "complete" &&
        indexOf(passage.item) === nodes.indexOf("approval")
      )
        reached += 1;
      return ways;
    };
    for (const story of fc.sample(stories, { numRuns: 300, seed: 7 })) play(story, watching);
    expect(reached).toBeGreaterThan(0);
  });

  test.each(mutants)("control: a guard that is off is seen: $how", ({ breaks, carry }) => {
    expect(isBroken(breaks, carry, 3_000)).toBe(true);
  });

  test.each(invariants)("there is a mutant for: %s", (invariant) => {
    expect(mutants.map(({ breaks }) => breaks)).toContain(invariant);
  });
});
