import { readDocument } from "../config/document.ts";
import { checkGraph } from "./check.ts";
import type { GraphDefinition } from "./model.ts";
import { graphNames } from "./graph-names.ts";
import { type GraphProblem, isName, readEdge, readNode, Reading } from "./read-node.ts";

/** Graphs by name, or everything that is wrong with their text at once. */
export type ParsedGraphs =
  | { readonly ok: true; readonly graphs: ReadonlyMap<string, GraphDefinition> }
  | { readonly ok: false; readonly problems: readonly GraphProblem[] };

/** Reads the YAML text of graph definitions and checks each. */
export function parseGraphs(text: string): ParsedGraphs {
  const { root, problems } = readDocument(text);
  if (root === null)
    return {
      ok: false,
      problems: problems.map(({ path, line, message, hint }) => ({ path, line, message, hint })),
    };
  const reading = new Reading();
  const entries = reading.map(root, "", ["version", "graphs"]);
  const version = entries.get("version");
  if (version?.kind !== "scalar" || version.value !== 1)
    reading.problem(
      version?.at ?? root.at,
      "version",
      "1 is the only version that is understood",
      "begin the file with `version: 1`",
    );
  const graphs = new Map<string, GraphDefinition>();
  const listed = entries.get("graphs");
  const named =
    listed === undefined ? new Map<string, never>() : reading.map(listed, "graphs", null);
  for (const [name, value] of named) {
    const path = `graphs.${name}`;
    if (!isName(name))
      reading.problem(
        reading.placeOf(path),
        path,
        "a graph's name has small letters, digits and dashes",
        "rename it",
      );
    const parts = reading.map(value, path, ["nodes", "edges"]);
    const nodes = reading.list(parts.get("nodes"), `${path}.nodes`, (item, at) =>
      readNode(item, at, reading),
    );
    const edges = reading.list(parts.get("edges"), `${path}.edges`, (item, at) =>
      readEdge(item, at, reading),
    );
    graphs.set(name, { name, nodes, edges });
  }
  if (!graphs.has(graphNames.issue))
    reading.problem(
      listed?.at ?? root.at,
      "graphs",
      `there is no graph ${graphNames.issue}`,
      "the graph of an issue is always needed",
    );
  // Ways through a graph of which a part could not be read would only show what is known to be
  // wrong already.
  if (reading.problems.length === 0)
    for (const graph of graphs.values()) reading.problems.push(...checked(graph, reading));
  return reading.problems.length > 0
    ? { ok: false, problems: inOrder(reading.problems) }
    : { ok: true, graphs };
}

function checked(graph: GraphDefinition, reading: Reading): readonly GraphProblem[] {
  return checkGraph(graph, `graphs.${graph.name}`).map(({ path, message, hint }) => ({
    path,
    line: reading.placeOf(path)?.line ?? null,
    message,
    hint,
  }));
}

const inOrder = (problems: readonly GraphProblem[]): readonly GraphProblem[] =>
  problems.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0));
