import type { GraphDefinition, GraphNode } from "./model.ts";

/**
 * The nodes in an order that follows every forward edge; among those that are free at the same time
 * the one that is written first. Nodes on a cycle are left out.
 */
export function orderOf({ nodes, edges }: GraphDefinition): readonly GraphNode[] {
  const forward = edges.filter(({ when }) => when === "complete");
  const ordered: GraphNode[] = [];
  const done = new Set<string>();
  for (;;) {
    const next = nodes.find(
      ({ id }) => !done.has(id) && forward.every(({ from, to }) => to !== id || done.has(from)),
    );
    if (next === undefined) return ordered;
    done.add(next.id);
    ordered.push(next);
  }
}

/** Ids of the nodes that a way of forward edges leads to from the node, itself included. */
export function reachableFrom(id: string, definition: GraphDefinition): ReadonlySet<string> {
  return closure(
    id,
    definition.edges
      .filter(({ when }) => when === "complete")
      .map(({ from, to }) => [from, to] as const),
  );
}

/** Ids of the nodes from which forward edges lead to the node, itself included. */
export function leadingTo(id: string, definition: GraphDefinition): ReadonlySet<string> {
  return closure(
    id,
    definition.edges
      .filter(({ when }) => when === "complete")
      .map(({ from, to }) => [to, from] as const),
  );
}

function closure(
  id: string,
  steps: readonly (readonly [from: string, to: string])[],
): ReadonlySet<string> {
  const found = new Set([id]);
  const open = [id];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const [from, to] of steps) {
      if (from !== at || found.has(to)) continue;
      found.add(to);
      open.push(to);
    }
  }
  return found;
}
