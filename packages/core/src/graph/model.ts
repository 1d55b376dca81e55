/**
 * The process graph as data: who works at what, in which order, and what must be there before it
 * goes on (docs/specification.md#process-graph).
 *
 *     entry ──▶ node ──▶ node ──▶ … ──▶ terminal          forward edges; every node lies on a way to the terminal one
 *                 ▲         │
 *                 └─rejected┘                              the only edges that may lead back
 *
 * A position is never stored as a truth: it is derived from the artifacts and from what is on
 * record about them (progress.ts).
 */
export type GraphDefinition = {
  readonly name: string;
  /** In the order in which they are written; the first one is the entry. */
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
};

export type GraphNode = {
  readonly id: string;
  readonly title: string;
  /** Who works at it, in the order in which they begin; empty for a node that nobody works at. */
  readonly personas: readonly Persona[];
  /** What the session is asked to do, in sentences. */
  readonly task: string;
  readonly produces: readonly ArtifactRule[];
  /** `human`: an authorized user must have approved what stands there now. */
  readonly gate: "human" | null;
  /**
   * Names of the roster; `all` of it; or nobody. A name that the roster lacks is told when the
   * graph is used.
   */
  readonly critics: "all" | readonly string[];
  /**
   * What gate and critics look at: the node's own artifacts (where it has none, all that lead to
   * it), or the whole work item with its commits and pull requests.
   */
  readonly scope: "node" | "work-item";
  /** May be skipped by an operator. */
  readonly optional: boolean;
  readonly terminal: boolean;
};

export type Persona = "pm" | "design" | "architect" | "dev" | "qa";
export const personas: readonly Persona[] = ["pm", "design", "architect", "dev", "qa"];

/**
 * A Markdown file under the work item's folder, and the headings under which there must be text.
 */
export type ArtifactRule = { readonly file: string; readonly headings: readonly string[] };

/** `rejected`: where the work is taken up again after a gate or critic said no. */
export type GraphEdge = {
  readonly from: string;
  readonly to: string;
  readonly when: "complete" | "rejected";
};

/** An operator's own check of a node (`routing.graph.hooks`). */
export type NodeHook = { readonly node: string; readonly command: readonly string[] };

/** The node with this id; null when there is none. */
export function nodeOf(definition: GraphDefinition, id: string): GraphNode | null {
  return definition.nodes.find((node) => node.id === id) ?? null;
}
