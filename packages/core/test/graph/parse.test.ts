import { describe, expect, test } from "vitest";
import { bundledGraphs } from "../../src/graph/bundled-text.ts";
import { bundledDefinitions } from "../../src/graph/bundled.ts";
import { checkCritics, checkHooks } from "../../src/graph/check.ts";
import { orderOf } from "../../src/graph/order.ts";
import { parseGraphs } from "../../src/graph/parse.ts";
import { bundled, node, row } from "./build.ts";

/** What is wrong with the text, a line each: `line path: message`. */
function problemsOf(text: string): readonly string[] {
  const parsed = parseGraphs(text);
  return parsed.ok
    ? []
    : parsed.problems.map(({ line, path, message }) => `${line ?? "-"} ${path}: ${message}`);
}

function graph(nodes: string, edges: string): string {
  return `version: 1\ngraphs:\n  work-item:\n    nodes:\n${nodes
    .split("\n")
    .map((line) => `      ${line}`)
    .join("\n")}\n    edges: ${edges}\n`;
}

describe("the graphs that everybody has", () => {
  test("lead from intake to complete, in the order of the specification", () => {
    expect(orderOf(bundled("work-item")).map(({ id }) => id)).toEqual([
      "intake",
      "requirements",
      "design",
      "test-plan",
      "tasks",
      "implementation",
      "verification",
      "review",
      "human-approval",
      "complete",
    ]);
    expect(orderOf(bundled("pull-request")).map(({ id }) => id)).toEqual([
      "implementation",
      "verification",
      "review",
      "human-approval",
      "complete",
    ]);
  });

  test("name the personas of the specification", () => {
    const personasOf = Object.fromEntries(
      bundled("work-item").nodes.map(({ id, personas }) => [id, personas]),
    );
    expect(personasOf).toMatchObject({
      intake: ["pm"],
      requirements: ["pm"],
      design: ["design", "architect"],
      "test-plan": ["qa"],
      tasks: ["dev"],
      implementation: ["dev"],
      verification: ["qa"],
      complete: [],
    });
  });

  test("let the critics look at the whole work item, and a person after them", () => {
    const { nodes } = bundled("work-item");
    expect(nodes.find(({ id }) => id === "review")).toMatchObject({
      critics: "all",
      scope: "work-item",
      gate: null,
    });
    expect(nodes.find(({ id }) => id === "human-approval")).toMatchObject({
      gate: "human",
      scope: "work-item",
    });
  });
});

test("nodes come as forward edges lead, among those that are free at once the one that is written first", () => {
  const definition = {
    name: "x",
    nodes: ["a", "d", "c", "b", "z"].map((id) => node(id)),
    edges: [
      ...["ab", "bd", "ac", "dz", "cz"].map(([from = "", to = ""]) => ({
        from,
        to,
        when: "complete" as const,
      })),
      { from: "d", to: "b", when: "rejected" as const },
    ],
  };
  expect(orderOf(definition).map(({ id }) => id)).toEqual(["a", "c", "b", "d", "z"]);
});

describe("a text that is no graph", () => {
  test("is told with its place: another version, an unknown key, a value of another kind", () => {
    const text =
      "version: 2\ngraphs:\n  work-item:\n    nodes:\n      - id: a\n        terminal: yes please\n        colour: red\n    edges: []\n";
    expect(problemsOf(text)).toEqual([
      "1 version: 1 is the only version that is understood",
      "6 graphs.work-item.nodes[0].terminal: true or false belongs here, there is text",
      "7 graphs.work-item.nodes[0].colour: there is no such key",
    ]);
  });

  test("is told at the place of what lacks a key", () => {
    expect(
      problemsOf(graph("- { title: Nobody }\n- { id: z, terminal: true }", "\n      - { to: z }")),
    ).toEqual([
      "5 graphs.work-item.nodes[0].id: a name of small letters, digits and dashes belongs here, there is nothing",
      "8 graphs.work-item.edges[0].from: the id of a node belongs here, there is nothing",
    ]);
  });

  test("is told whatever it is", () => {
    expect(problemsOf("")).not.toEqual([]);
    expect(problemsOf("- a")).not.toEqual([]);
    expect(problemsOf("version: 1")).toEqual(["1 graphs: there is no graph work-item"]);
    expect(problemsOf("version: 1\n  graphs: [")).not.toEqual([]);
    expect(problemsOf("version: 1\ngraphs: { work-item: 7 }")).not.toEqual([]);
  });

  test("may not lead out of the work item's folder", () => {
    for (const file of ["../secrets.md", "/etc/passwd", "a/b.md", ".hidden.md", "note.txt"]) {
      expect(
        problemsOf(
          graph(
            `- id: a\n  produces: [{ file: "${file}" }]\n- { id: z, terminal: true }`,
            "[[a, z]]",
          ),
        ),
      ).toEqual([
        expect.stringContaining(
          "graphs.work-item.nodes[0].produces[0].file: the name of a Markdown file, without a folder belongs here",
        ),
      ]);
    }
  });
});

describe("ways through a graph", () => {
  const z = "- { id: z, terminal: true }";

  test("a node that no way leads to, and one from which none leads on", () => {
    expect(
      problemsOf(graph(`- { id: a }\n- { id: b }\n- { id: c }\n${z}`, "[[a, z], [a, b], [c, z]]")),
    ).toEqual([
      "6 graphs.work-item.nodes[1]: no way leads from b to z",
      "7 graphs.work-item.nodes[2]: no way leads from a to c",
    ]);
  });

  test("no terminal node, or several", () => {
    expect(problemsOf(graph("- { id: a }\n- { id: b }", "[[a, b]]"))).toEqual([
      expect.stringContaining("no node is terminal"),
    ]);
    expect(
      problemsOf(graph(`- { id: a }\n- { id: b, terminal: true }\n${z}`, "[[a, b], [a, z]]")),
    ).toContainEqual(expect.stringContaining("several nodes are terminal: b, z"));
  });

  test("a cycle of edges, each edge of it by name", () => {
    const found = problemsOf(graph(`- { id: a }\n- { id: b }\n${z}`, "[[a, b], [b, a], [b, z]]"));
    expect(found.filter((each) => each.includes("closes a cycle"))).toEqual([
      "8 graphs.work-item.edges[0]: the edge from a to b closes a cycle",
      "8 graphs.work-item.edges[1]: the edge from b to a closes a cycle",
    ]);
  });

  test("what was rejected may lead back, from a gate or critics to what came before", () => {
    const nodes = `- { id: a }\n- { id: b, gate: human }\n${z}`;
    expect(
      problemsOf(graph(nodes, "[[a, b], [b, z], { from: b, to: a, when: rejected }]")),
    ).toEqual([]);
    expect(
      problemsOf(graph(nodes, "[[a, b], [b, z], { from: a, to: b, when: rejected }]")),
    ).toEqual([expect.stringContaining("there is an edge from a to b already")]);
    expect(
      problemsOf(graph(nodes, "[[a, b], [b, z], { from: b, to: z, when: rejected }]")),
    ).not.toEqual([]);
    expect(
      problemsOf(
        graph(
          `- { id: a }\n- { id: b }\n${z}`,
          "[[a, b], [b, z], { from: b, to: a, when: rejected }]",
        ),
      ),
    ).toEqual([expect.stringContaining("nobody rejects anything at b")]);
  });

  test("edges and hooks that name no node, ids and files that stand there twice", () => {
    expect(problemsOf(graph(`- { id: a }\n- { id: a }\n${z}`, "[[a, q]]"))).toEqual([
      expect.stringContaining('the node "a" stands there twice'),
      expect.stringContaining('there is no node "q"'),
    ]);
    expect(
      problemsOf(
        graph(
          `- { id: a, produces: [{ file: x.md }] }\n- { id: b, produces: [{ file: x.md }] }\n${z}`,
          "[[a, b], [b, z]]",
        ),
      ),
    ).toEqual([expect.stringContaining("another node produces x.md already")]);
    const simple = row(node("a"), node("z", { terminal: true }));
    expect(checkHooks([{ node: "b", command: ["true"] }], [simple])).toEqual([
      {
        path: "routing.graph.hooks[0].node",
        message: 'no graph has a node "b"',
        hint: "the nodes are a, z",
      },
    ]);
    expect(checkHooks([{ node: "a", command: ["true"] }], [simple])).toEqual([]);
    expect(
      checkCritics(
        row(node("a", { critics: ["x"] }), node("z", { terminal: true })),
        "graphs.row",
        ["y"],
      ),
    ).toEqual([expect.objectContaining({ path: "graphs.row.nodes[0].critics" })]);
  });

  test("a gate or critics of single files where there are none to look at", () => {
    const nothing =
      "gate and critics of a look at nothing: neither it nor a node before it produces a file";
    expect(problemsOf(graph(`- { id: a, gate: human, scope: node }\n${z}`, "[[a, z]]"))).toEqual([
      `5 graphs.work-item.nodes[0].scope: ${nothing}`,
    ]);
    expect(problemsOf(graph(`- { id: a, critics: all, scope: node }\n${z}`, "[[a, z]]"))).toEqual([
      expect.stringContaining(nothing),
    ]);
    for (const node of [
      "{ id: a, gate: human }",
      "{ id: a, scope: node }",
      "{ id: a, gate: human, scope: node, produces: [{ file: a.md }] }",
    ])
      expect(problemsOf(graph(`- ${node}\n${z}`, "[[a, z]]"))).toEqual([]);
    expect(
      problemsOf(
        graph(
          `- { id: a, produces: [{ file: a.md }] }\n- { id: b, gate: human, scope: node }\n${z}`,
          "[[a, b], [b, z]]",
        ),
      ),
    ).toEqual([]);
  });

  test("a terminal node with work of its own", () => {
    expect(
      problemsOf(graph("- { id: a }\n- { id: z, terminal: true, gate: human }", "[[a, z]]")),
    ).toEqual([expect.stringContaining("a terminal node has something to be done")]);
  });
});

test("the text that everybody has is read without a problem, and means what is in force without a file", () => {
  expect(problemsOf(bundledGraphs)).toEqual([]);
  const parsed = parseGraphs(bundledGraphs);
  expect(parsed.ok && [...parsed.graphs.values()]).toEqual(bundledDefinitions);
});
