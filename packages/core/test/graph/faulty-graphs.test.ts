import { expect, test } from "vitest";
import { checkCritics, checkGraph, checkHooks } from "../../src/graph/check.ts";
import type { GraphDefinition } from "../../src/graph/model.ts";
import { parseGraphs } from "../../src/graph/parse.ts";
import { node, row } from "./build.ts";

const z = "{ id: z, terminal: true }";
/** A file with one graph: its nodes, one on each line, and its edges. */
const graph = (nodes: readonly string[], edges = "[[a, z]]"): string =>
  [
    "version: 1",
    "graphs:",
    "  work-item:",
    "    nodes:",
    ...[...nodes, z].map((each) => `      - ${each}`),
    `    edges: ${edges}`,
    "",
  ].join("\n");
const a = (keys: string): string => graph([`{ id: a${keys === "" ? "" : `, ${keys}`} }`]);

/** Texts under the promise that each shows. */
const texts: readonly (readonly [promise: string, text: string])[] = [
  ["an empty file", ""],
  ["a list", "- a"],
  ["no YAML", "version: 1\ngraphs: ["],
  ["no version", "graphs: { work-item: { nodes: [], edges: [] } }"],
  [
    "a version in quotes",
    'version: "1"\ngraphs:\n  work-item: { nodes: [{ id: z, terminal: true }] }',
  ],
  [
    "a version that is a list",
    "version: [1]\ngraphs:\n  work-item: { nodes: [{ id: z, terminal: true }] }",
  ],
  [
    "a key that there is not, at the top",
    "version: 1\ngraphz: {}\ngraphs:\n  work-item: { nodes: [{ id: z, terminal: true }] }",
  ],
  ["no graphs", "version: 1"],
  ["graphs that are a list", "version: 1\ngraphs: [a]"],
  ["no graph of an issue", "version: 1\ngraphs:\n  mine: { nodes: [{ id: z, terminal: true }] }"],
  [
    "a graph by a name that is none",
    "version: 1\ngraphs:\n  work-item: { nodes: [{ id: z, terminal: true }] }\n  My Graph: { nodes: [{ id: z, terminal: true }] }",
  ],
  ["a graph that is a word", "version: 1\ngraphs:\n  work-item: simple"],
  [
    "nodes that are a map and edges that are a word",
    "version: 1\ngraphs:\n  work-item:\n    nodes: { id: a }\n    edges: none",
  ],
  ["a graph without nodes", "version: 1\ngraphs:\n  work-item: { nodes: [], edges: [] }"],
  ["a graph without lists", "version: 1\ngraphs:\n  work-item: {}"],
  [
    "a graph with a key that there is not",
    "version: 1\ngraphs:\n  work-item:\n    nodes: [{ id: z, terminal: true }]\n    edge: []",
  ],
  ["nodes that are words and lists", graph(["word", "[a]", "{ id: a }"])],
  ["a node without an id", graph(["{ title: Nobody }", "{ id: a }"])],
  [
    "ids that are none",
    graph([
      "{ id: 7 }",
      '{ id: "A b" }',
      "{ id: a- }",
      `{ id: ${"a".repeat(41)} }`,
      '{ id: "a\\n" }',
      '{ id: "x y" }',
      "{ id: ~ }",
      "{ id: [a] }",
      "{ id: a }",
    ]),
  ],
  [
    "an id of 40 letters, and one with blanks around, are fine",
    graph([`{ id: ${"a".repeat(40)} }`, '{ id: " b " }'], `[[${"a".repeat(40)}, b], [b, z]]`),
  ],
  ["keys that there are not", a("colour: red, persona: qa, personas: qa")],
  [
    "a title that is too long, empty, or no text",
    graph(
      [`{ id: a, title: ${"t".repeat(201)} }`, '{ id: b, title: " " }', "{ id: c, title: [x] }"],
      "[[a, b], [b, c], [c, z]]",
    ),
  ],
  [
    "a title of 200 letters and a task of 4,000 are fine",
    a(`title: ${"t".repeat(200)}, task: ${"t".repeat(4_000)}`),
  ],
  ["a task that is too long", a(`task: ${"t".repeat(4_001)}`)],
  [
    "personas that nobody knows",
    graph(
      [
        "{ id: a, persona: boss }",
        "{ id: b, persona: [pm, boss, 7] }",
        "{ id: c, persona: { pm: 1 } }",
      ],
      "[[a, b], [b, c], [c, z]]",
    ),
  ],
  ["a gate and a scope that nobody knows", a("gate: robot, scope: everything")],
  ["a gate and a scope without a word", a("gate: , scope: ")],
  ["true and false in words", a("optional: yes, terminal: 1")],
  ["critics by a word that is not all", a("critics: some")],
  [
    "critics by a map, and by names that are none",
    graph(["{ id: a, critics: { x: 1 } }", '{ id: b, critics: [x, 7, ""] }'], "[[a, b], [b, z]]"),
  ],
  [
    "artifacts that are none",
    graph(
      [
        "{ id: a, produces: x.md }",
        "{ id: b, produces: [x.md, { headings: [x] }, { file: ../x.md }, { file: x.mdx }, { file: X.md }, { file: x.md, headings: Goal }, { file: y.md, headings: [Goal, 7, [x]] }, { file: z.md, heading: x }] }",
      ],
      "[[a, b], [b, z]]",
    ),
  ],
  [
    "edges that are none",
    graph(
      ["{ id: a }"],
      "[a, [a], [a, z, z], [a, 7], [A, z], { from: a }, { to: z }, { from: a, to: z, when: always }, { from: a, to: z, why: x }]",
    ),
  ],
  [
    "names of nodes that there are not",
    graph(["{ id: a }"], "[[a, q], [q, z], { from: r, to: s, when: rejected }]"),
  ],
  [
    "what stands on a line of its own is told there: a name, an edge",
    "version: 1\ngraphs:\n  work-item:\n    nodes:\n      - id: z\n        terminal: true\n      - id:\n          z\n    edges:\n      - [z, z]\n      - [z, q]",
  ],
  [
    "what stands there twice: nodes, files, edges",
    graph(
      [
        "{ id: a, produces: [{ file: x.md }, { file: x.md }] }",
        "{ id: a, produces: [{ file: x.md }] }",
      ],
      "[[a, z], [a, z]]",
    ),
  ],
  ["no terminal node", "version: 1\ngraphs:\n  work-item:\n    nodes: [{ id: a }]\n    edges: []"],
  ["several terminal nodes", graph(["{ id: a }", "{ id: y, terminal: true }"], "[[a, y], [a, z]]")],
  ...[
    "produces: [{ file: x.md }]",
    "gate: human",
    "critics: all",
    "critics: [x]",
    "optional: true",
  ].map(
    (work) =>
      [
        `a terminal node with work: ${work}`,
        `version: 1\ngraphs:\n  work-item:\n    nodes: [{ id: a, produces: [{ file: y.md }] }, { id: z, terminal: true, ${work} }]\n    edges: [[a, z]]`,
      ] as const,
  ),
  [
    "gate and critics of single files where there are none",
    graph(
      [
        "{ id: a, gate: human, scope: node }",
        "{ id: b, critics: all, scope: node }",
        "{ id: c, critics: [x], scope: node }",
      ],
      "[[a, b], [b, c], [c, z]]",
    ),
  ],
  ["nobody looks at single files that are not there: fine", a("scope: node, critics: []")],
  [
    "a cycle, beside a node that is on none",
    graph(["{ id: a }", "{ id: b }", "{ id: c }"], "[[a, b], [b, c], [c, b], [c, z]]"),
  ],
  [
    "a cycle, beside an edge that may lead back",
    graph(
      ["{ id: a }", "{ id: b, gate: human }"],
      "[[a, b], [b, b], [b, z], { from: b, to: a, when: rejected }]",
    ),
  ],
  [
    "a node that only what was rejected leads to",
    graph(
      ["{ id: a }", "{ id: b }", "{ id: c, gate: human }"],
      "[[a, c], [b, c], [c, z], { from: c, to: b, when: rejected }]",
    ),
  ],
  [
    "a node from which only what was rejected leads on",
    graph(
      ["{ id: a }", "{ id: b, gate: human }"],
      "[[a, b], [a, z], { from: b, to: a, when: rejected }]",
    ),
  ],
  ["an edge from a node to itself", graph(["{ id: a }"], "[[a, a], [a, z]]")],
  [
    "a node that no way leads to, and one that leads nowhere",
    graph(["{ id: a }", "{ id: b }", "{ id: c }"], "[[a, z], [a, b], [c, z]]"),
  ],
  [
    "what was rejected leads back to what came before: fine",
    graph(
      ["{ id: a, produces: [{ file: x.md }] }", "{ id: b, gate: human }"],
      "[[a, b], [b, z], { from: b, to: a, when: rejected }]",
    ),
  ],
  [
    "what critics rejected leads back: fine",
    graph(
      [
        "{ id: a, produces: [{ file: x.md }] }",
        "{ id: b, critics: all }",
        "{ id: c, critics: [x] }",
      ],
      "[[a, b], [b, c], [c, z], { from: b, to: a, when: rejected }, { from: c, to: a, when: rejected }]",
    ),
  ],
  [
    "nobody rejects anything there",
    graph(
      ["{ id: a }", "{ id: b, critics: [] }"],
      "[[a, b], [b, z], { from: b, to: a, when: rejected }]",
    ),
  ],
  [
    "what was rejected leads on, or to itself",
    graph(
      ["{ id: a, gate: human }", "{ id: b }"],
      "[[a, b], [b, z], { from: a, to: z, when: rejected }, { from: a, to: a, when: rejected }]",
    ),
  ],
  [
    "what was rejected leads to two places",
    graph(
      ["{ id: a }", "{ id: b }", "{ id: c, gate: human }"],
      "[[a, b], [b, c], [c, z], { from: c, to: a, when: rejected }, { from: c, to: b, when: rejected }]",
    ),
  ],
  [
    "faults of several graphs, from top to bottom",
    "version: 1\ngraphs:\n  other:\n    nodes: [{ id: a }]\n    edges: []\n  work-item:\n    nodes: [{ id: b }]\n    edges: []",
  ],
];

function answerOf(text: string): readonly string[] {
  const parsed = parseGraphs(text);
  return parsed.ok
    ? ["  fine"]
    : parsed.problems.map(
        ({ line, path, message, hint }) => `  ${line ?? "-"} ${path}: ${message}; ${hint}`,
      );
}

const shown = (text: string): readonly string[] =>
  text
    .split("\n")
    .map((line) => (line.length > 160 ? `  | ${line.slice(0, 160)}…` : `  | ${line}`).trimEnd());

test("what is said about faulty graphs stands in faulty-graphs.txt", async () => {
  const page = texts.map(([promise, text]) =>
    [`# ${promise}`, ...shown(text), ...answerOf(text)].join("\n"),
  );
  await expect(`${page.join("\n\n")}\n`).toMatchFileSnapshot("faulty-graphs.txt");
});

test("what is promised to be fine is", () => {
  expect(
    texts.filter(([promise, text]) => promise.includes("fine") !== parseGraphs(text).ok),
  ).toEqual([]);
});

test("every key of a node is read", () => {
  const text = graph(
    [
      "{ id: a, title: First things, persona: pm, task: Do it., produces: [{ file: a.md, headings: [Goal, Way] }], optional: true }",
      "{ id: b, persona: [dev, qa], critics: [x, y], gate: human, scope: node, optional: false }",
      "{ id: c, critics: all }",
    ],
    "[[a, b], { from: b, to: c }, { from: c, to: z, when: complete }]",
  );
  const parsed = parseGraphs(text);
  expect(parsed.ok && parsed.graphs.get("work-item")).toEqual({
    name: "work-item",
    nodes: [
      node("a", {
        title: "First things",
        personas: ["pm"],
        task: "Do it.",
        produces: [{ file: "a.md", headings: ["Goal", "Way"] }],
        optional: true,
      }),
      node("b", { personas: ["dev", "qa"], critics: ["x", "y"], gate: "human", scope: "node" }),
      node("c", { critics: "all" }),
      node("z", { terminal: true }),
    ],
    edges: [
      ["a", "b"],
      ["b", "c"],
      ["c", "z"],
    ].map(([from, to]) => ({ from, to, when: "complete" })),
  });
});

test("hooks and critics that nobody knows are told with what there is", () => {
  const simple = row(
    node("a", { critics: ["x", "y"] }),
    node("b", { critics: "all" }),
    node("z", { terminal: true }),
  );
  expect(
    checkHooks(
      [
        { node: "a", command: ["x"] },
        { node: "q", command: ["x"] },
      ],
      [simple, row(node("c"))],
    ),
  ).toEqual([
    {
      path: "routing.graph.hooks[1].node",
      message: 'no graph has a node "q"',
      hint: "the nodes are a, b, z, c",
    },
  ]);
  expect(checkCritics(simple, "graphs.row", ["y"])).toEqual([
    {
      path: "graphs.row.nodes[0].critics",
      message: 'the roster has no critic "x"',
      hint: "add it to `critics` in the configuration, or name one that is there",
    },
  ]);
  expect(checkCritics(simple, "graphs.row", ["x", "y"])).toEqual([]);
});

test("a graph without any node is told as one thing", () => {
  const empty: GraphDefinition = { name: "empty", nodes: [], edges: [] };
  expect(checkGraph(empty, "graphs.empty")).toEqual([
    {
      path: "graphs.empty.nodes",
      message: "the graph has no node",
      hint: "list at least an entry and a terminal node",
    },
  ]);
});
