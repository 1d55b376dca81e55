import { expect, test } from "vitest";
import type { GraphNode } from "../../src/graph/model.ts";
import {
  type ConfiguredGraph,
  deriveProgress,
  type GraphProgress,
  type ObservedWork,
  subjectOf,
} from "../../src/graph/progress.ts";
import { type ArtifactFolder, nodeTask } from "../../src/graph/task.ts";
import type { GraphSignal } from "../../src/work-item/graph-record.ts";
import type { Message } from "../../src/message/message.ts";
import { beginQuotes } from "../../src/message/quotes.ts";
import { configured, node, row } from "./build.ts";

const inTree: ArtifactFolder = { shown: "specs/7", inTree: true };
const last =
  "`loop check` says whether the node is complete. Do this node only and end your turn then; the next one comes as the next message.";
const draft = node("draft", {
  title: "Draft",
  personas: ["pm", "dev"],
  task: "Write it down.",
  produces: [
    { file: "draft.md", headings: ["Goal", "Way"] },
    { file: "notes.md", headings: [] },
  ],
});
const review = node("review", { critics: "all" });
const graph: ConfiguredGraph = configured(
  {
    ...row(draft, review, node("z", { title: "Done", terminal: true })),
    edges: [
      ...row(draft, review, node("z")).edges,
      { from: "review", to: "draft", when: "rejected" },
    ],
  },
  { roster: ["one"] },
);
const whole: ObservedWork = {
  artifacts: [
    { file: "draft.md", digest: "1", filled: ["goal", "way"] },
    { file: "notes.md", digest: "1", filled: [] },
  ],
  head: "a",
  pullRequests: [],
};

/** The words of the prompt; what they quote is data. */
function wordsOf(message: Message): string {
  return beginQuotes().words(message);
}

function asked(
  of: GraphNode,
  progress: GraphProgress | null,
  signals: readonly GraphSignal[] = [],
  folder = inTree,
): readonly string[] {
  return wordsOf(nodeTask(of, graph, progress, signals, folder)).split("\n");
}

test("a task says where the work stands, what to do, what to write and when to stop", () => {
  expect(asked(draft, null)).toEqual([
    "This work item goes through the process graph row, one node at a time. It is at the node draft (pm, dev): Draft.",
    "Write it down.",
    'Write specs/7/draft.md, with text under each of the headings "Goal", "Way", and commit it.',
    "Write specs/7/notes.md, and commit it.",
    last,
  ]);
});

test("artifacts of a repository that did not choose loop are not committed, and the task says why", () => {
  expect(
    asked(draft, null, [], { shown: "/var/loop/artifacts/7", inTree: false }).slice(2, -1),
  ).toEqual([
    'Write /var/loop/artifacts/7/draft.md, with text under each of the headings "Goal", "Way".',
    "Write /var/loop/artifacts/7/notes.md.",
    "That folder lies outside of the checkout: this repository did not choose loop, and nothing of loop is put into it.",
  ]);
  expect(asked(review, null, [], { shown: "/var/loop/artifacts/7", inTree: false })).toHaveLength(
    3,
  );
});

test("what the session owes is listed, a line each; what the service or a person owes is not", () => {
  const empty = deriveProgress(
    graph,
    { ...whole, artifacts: [{ file: "draft.md", digest: "1", filled: ["goal"] }] },
    [],
  );
  expect(asked(draft, empty).slice(4, -1)).toEqual([
    "What it lacks:",
    '- draft.md has no text under "Way"',
    "- notes.md does not exist",
  ]);
  expect(asked(review, deriveProgress(graph, whole, []))).toEqual([
    "This work item goes through the process graph row, one node at a time. It is at the node review: review.",
    "Do what the node's title says.",
    last,
  ]);
  expect(asked(node("elsewhere", { title: "E" }), empty)).toHaveLength(3);
});

test("what critics found is taken up where the graph says so, with what stands behind it", () => {
  const finding = (severity: "major" | "minor", title: string, detail: string) =>
    ({ severity, title, detail, file: null, line: null, critics: ["one"], rounds: 1 }) as const;
  const findings = [
    finding("major", "It drips", "At night.\u202e"),
    finding("major", "It leaks", ""),
    finding("minor", "It squeaks", "A little."),
  ];
  const judged = {
    kind: "critics",
    node: "review",
    subject: subjectOf(review, "work-item", graph.definition, whole),
    at: 1,
    round: 1,
    outcome: "rework",
    findings,
    why: null,
  } as const;
  expect(asked(review, deriveProgress(graph, whole, [judged]), [judged]).slice(1, -1)).toEqual([
    "Do what the node's title says.",
    "What was found is taken up at the node draft (pm, dev); then review is done again.",
    "What it lacks:",
    "- [quoted 1]",
    "- [quoted 2]",
    "More on [quoted 1]: [quoted 3]",
  ]);
  const passed = { ...judged, outcome: "passed" } as const;
  expect(asked(review, deriveProgress(graph, whole, [passed]), [passed])).toHaveLength(3);
});

test("what is not written yet is written at the node itself, wherever rejected work is taken up", () => {
  const gate = node("gate", {
    title: "Gate",
    gate: "human",
    produces: [{ file: "gate.md", headings: [] }],
  });
  const plain = row(draft, gate, node("z", { terminal: true }));
  const definition = configured({
    ...plain,
    edges: [...plain.edges, { from: "gate", to: "draft", when: "rejected" }],
  });
  expect(
    wordsOf(nodeTask(gate, definition, deriveProgress(definition, whole, []), [], inTree))
      .split("\n")
      .slice(2, -1),
  ).toEqual([
    "Write specs/7/gate.md, and commit it.",
    "What it lacks:",
    "- gate.md does not exist",
  ]);
});

test("what a person asked for is taken up where the graph says so, and at the gate itself where it says nothing", () => {
  const gate = node("gate", { title: "Gate", gate: "human" });
  const definition = row(draft, gate, node("z", { terminal: true }));
  const said: GraphSignal = {
    kind: "answer",
    node: "gate",
    subject: subjectOf(gate, "work-item", definition, whole),
    approved: false,
    by: "ada",
    delivery: "d",
    at: 1,
  };
  const tasks = [
    definition,
    {
      ...definition,
      edges: [...definition.edges, { from: "gate", to: "draft", when: "rejected" as const }],
    },
  ].map((each) =>
    wordsOf(
      nodeTask(
        gate,
        configured(each),
        deriveProgress(configured(each), whole, [said]),
        [said],
        inTree,
      ),
    )
      .split("\n")
      .slice(2, -1),
  );
  const lacks = ["What it lacks:", "- @ada asked for changes, and nothing has changed since"];
  expect(tasks).toEqual([
    lacks,
    ["What was found is taken up at the node draft (pm, dev); then gate is done again.", ...lacks],
  ]);
});

test("at the end nothing is asked for", () => {
  const z = graph.definition.nodes[2] ?? node("z");
  expect(asked(z, deriveProgress(graph, whole, []))).toEqual([
    "This work item goes through the process graph row, one node at a time. It is at the node z: Done.",
    "Every node is complete. Do what the message asks, if anything, and nothing else.",
  ]);
});
