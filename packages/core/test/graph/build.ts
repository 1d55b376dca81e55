import { bundledGraphs } from "../../src/graph/bundled-text.ts";
import type { GraphDefinition, GraphNode } from "../../src/graph/model.ts";
import { orderOf } from "../../src/graph/order.ts";
import { parseGraphs } from "../../src/graph/parse.ts";
import type { ConfiguredGraph, ObservedWork, SeenArtifact } from "../../src/graph/progress.ts";

/** A node that asks for nothing. */
export function node(id: string, over: Partial<GraphNode> = {}): GraphNode {
  return {
    id,
    title: id,
    personas: [],
    task: "",
    produces: [],
    gate: null,
    critics: [],
    scope: (over.produces ?? []).length > 0 ? "node" : "work-item",
    optional: false,
    terminal: false,
    ...over,
  };
}

/** A graph of nodes in a row. */
export function row(...nodes: readonly GraphNode[]): GraphDefinition {
  return {
    name: "row",
    nodes,
    edges: nodes
      .slice(1)
      .map(({ id }, i) => ({ from: nodes[i]?.id ?? "", to: id, when: "complete" })),
  };
}

export function configured(
  definition: GraphDefinition,
  over: Partial<ConfiguredGraph> = {},
): ConfiguredGraph {
  return { definition, hooks: [], roster: [], ...over };
}

/** One of the graphs that everybody has. */
export function bundled(name: "work-item" | "pull-request"): GraphDefinition {
  const parsed = parseGraphs(bundledGraphs);
  const found = parsed.ok ? parsed.graphs.get(name) : undefined;
  if (found === undefined) throw new Error(JSON.stringify(parsed));
  return found;
}

/** An artifact in which every required heading has text. */
export function written(definition: GraphDefinition, file: string, digest = "1"): SeenArtifact {
  const rule = definition.nodes
    .flatMap(({ produces }) => produces)
    .find((each) => each.file === file);
  return { file, digest, filled: (rule?.headings ?? []).map((heading) => heading.toLowerCase()) };
}

/** All artifacts of the nodes before this one, and its own. */
export function upTo(definition: GraphDefinition, id: string | null): ObservedWork {
  const ordered = orderOf(definition);
  const last = ordered.findIndex((each) => each.id === id);
  const files = ordered
    .slice(0, last + 1)
    .flatMap(({ produces }) => produces.map(({ file }) => file));
  return {
    artifacts: files.map((file) => written(definition, file)),
    head: "a".repeat(40),
    pullRequests: [],
  };
}
