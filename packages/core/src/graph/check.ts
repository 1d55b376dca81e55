import type { GraphDefinition, NodeHook } from "./model.ts";
import { leadingTo, reachableFrom } from "./order.ts";
import { filesOf } from "./progress.ts";

/**
 * What is wrong with a graph: where, as a path in its text such as `graphs.work-item.edges[3]`,
 * what, and what to do.
 */
export type GraphFinding = {
  readonly path: string;
  readonly message: string;
  readonly hint: string;
};

/**
 * Everything that single keys cannot show, all of it at once. `path` is the place of the definition
 * in its text.
 */
export function checkGraph(definition: GraphDefinition, path: string): readonly GraphFinding[] {
  const names = [...unknownNames(definition, path), ...twice(definition, path)];
  // Ways can only be followed where every name means one node.
  return names.length > 0
    ? names
    : [
        ...ends(definition, path),
        ...blind(definition, path),
        ...cycles(definition, path),
        ...ways(definition, path),
        ...backEdges(definition, path),
      ];
}

/** Hooks of nodes that no graph has. */
export function checkHooks(
  hooks: readonly NodeHook[],
  definitions: readonly GraphDefinition[],
): readonly GraphFinding[] {
  const known = new Set(definitions.flatMap(({ nodes }) => nodes.map(({ id }) => id)));
  return hooks.flatMap(({ node }, i) =>
    known.has(node)
      ? []
      : [
          finding(
            `routing.graph.hooks[${i}].node`,
            `no graph has a node ${JSON.stringify(node)}`,
            `the nodes are ${[...known].join(", ")}`,
          ),
        ],
  );
}

/** Critics that a node names and the roster lacks. */
export function checkCritics(
  definition: GraphDefinition,
  path: string,
  roster: readonly string[],
): readonly GraphFinding[] {
  return definition.nodes.flatMap(({ critics }, i) =>
    critics === "all"
      ? []
      : critics
          .filter((name) => !roster.includes(name))
          .map((name) =>
            finding(
              `${path}.nodes[${i}].critics`,
              `the roster has no critic ${JSON.stringify(name)}`,
              "add it to `critics` in the configuration, or name one that is there",
            ),
          ),
  );
}

function unknownNames({ nodes, edges }: GraphDefinition, path: string): readonly GraphFinding[] {
  const known = new Set(nodes.map(({ id }) => id));
  return edges.flatMap((edge, i) =>
    (["from", "to"] as const)
      .filter((end) => !known.has(edge[end]))
      .map((end) =>
        finding(
          `${path}.edges[${i}].${end}`,
          `there is no node ${JSON.stringify(edge[end])}`,
          `the nodes are ${[...known].join(", ")}`,
        ),
      ),
  );
}

function twice({ nodes, edges }: GraphDefinition, path: string): readonly GraphFinding[] {
  const sameIds = nodes.flatMap(({ id }, i) =>
    nodes.findIndex((node) => node.id === id) < i
      ? [
          finding(
            `${path}.nodes[${i}].id`,
            `the node ${JSON.stringify(id)} stands there twice`,
            "give one of them another id",
          ),
        ]
      : [],
  );
  const files = nodes.flatMap((node, i) =>
    node.produces.map(({ file }, k) => ({ file, path: `${path}.nodes[${i}].produces[${k}].file` })),
  );
  const sameFiles = files.flatMap((each, i) =>
    files.findIndex(({ file }) => file === each.file) < i
      ? [
          finding(
            each.path,
            `another node produces ${each.file} already`,
            "an artifact belongs to one node",
          ),
        ]
      : [],
  );
  const sameEdges = edges.flatMap((edge, i) =>
    edges.findIndex(({ from, to }) => from === edge.from && to === edge.to) < i
      ? [
          finding(
            `${path}.edges[${i}]`,
            `there is an edge from ${edge.from} to ${edge.to} already`,
            "remove one of them",
          ),
        ]
      : [],
  );
  return [...sameIds, ...sameFiles, ...sameEdges];
}

function ends(definition: GraphDefinition, path: string): readonly GraphFinding[] {
  const terminal = definition.nodes.filter((node) => node.terminal);
  if (definition.nodes.length === 0)
    return [
      finding(
        `${path}.nodes`,
        "the graph has no node",
        "list at least an entry and a terminal node",
      ),
    ];
  if (terminal.length === 0)
    return [
      finding(
        `${path}.nodes`,
        "no node is terminal, so that the work would never be complete",
        "write `terminal: true` at the last node",
      ),
    ];
  if (terminal.length > 1)
    return [
      finding(
        `${path}.nodes`,
        `several nodes are terminal: ${terminal.map(({ id }) => id).join(", ")}`,
        "let edges lead from all but one of them to the last one",
      ),
    ];
  return definition.nodes.flatMap((node, i) =>
    node.terminal && isWork(node)
      ? [
          finding(
            `${path}.nodes[${i}]`,
            "a terminal node has something to be done",
            "move produces, gate and critics to a node before it",
          ),
        ]
      : [],
  );
}

function isWork({ produces, gate, critics, optional }: GraphDefinition["nodes"][number]): boolean {
  return (
    produces.length > 0 || gate !== null || critics === "all" || critics.length > 0 || optional
  );
}

/** What looks at nothing is once passed, and stays so whatever changes. */
function blind(definition: GraphDefinition, path: string): readonly GraphFinding[] {
  return definition.nodes.flatMap((node, i) => {
    const looks = node.gate !== null || node.critics === "all" || node.critics.length > 0;
    if (!looks || node.scope === "work-item" || filesOf(node, "node", definition).length > 0)
      return [];
    return [
      finding(
        `${path}.nodes[${i}].scope`,
        `gate and critics of ${node.id} look at nothing: neither it nor a node before it produces a file`,
        "write `scope: work-item`, or name what it produces",
      ),
    ];
  });
}

/** Only what a gate or critic rejected may lead back. */
function cycles(definition: GraphDefinition, path: string): readonly GraphFinding[] {
  return definition.edges.flatMap(({ from, to, when }, i) =>
    when === "complete" && reachableFrom(to, definition).has(from)
      ? [
          finding(
            `${path}.edges[${i}]`,
            `the edge from ${from} to ${to} closes a cycle`,
            "only an edge with `when: rejected` may lead back",
          ),
        ]
      : [],
  );
}

/** Every node lies on a way from the entry to the terminal node. */
function ways(definition: GraphDefinition, path: string): readonly GraphFinding[] {
  const [entry] = definition.nodes;
  const terminal = definition.nodes.find((node) => node.terminal);
  if (entry === undefined) return [];
  const reached = reachableFrom(entry.id, definition);
  const leading = terminal === undefined ? null : leadingTo(terminal.id, definition);
  return definition.nodes.flatMap(({ id }, i) => {
    if (!reached.has(id))
      return [
        finding(
          `${path}.nodes[${i}]`,
          `no way leads from ${entry.id} to ${id}`,
          "add an edge to it, or remove the node",
        ),
      ];
    return leading === null || leading.has(id)
      ? []
      : [
          finding(
            `${path}.nodes[${i}]`,
            `no way leads from ${id} to ${terminal?.id ?? ""}`,
            "add an edge from it, or remove the node",
          ),
        ];
  });
}

function backEdges(definition: GraphDefinition, path: string): readonly GraphFinding[] {
  return definition.edges.flatMap(({ from, to, when }, i) => {
    if (when === "complete") return [];
    const at = `${path}.edges[${i}]`;
    const node = definition.nodes.find(({ id }) => id === from);
    if (
      node === undefined ||
      (node.gate === null && node.critics !== "all" && node.critics.length === 0)
    )
      return [
        finding(
          at,
          `nobody rejects anything at ${from}`,
          "an edge with `when: rejected` begins at a node with a gate or critics",
        ),
      ];
    if (from === to || !leadingTo(from, definition).has(to))
      return [
        finding(
          at,
          `${to} does not come before ${from}`,
          "an edge with `when: rejected` leads back",
        ),
      ];
    return definition.edges.findIndex((edge) => edge.from === from && edge.when === "rejected") < i
      ? [finding(at, `${from} has another edge for what is rejected already`, "keep one of them")]
      : [];
  });
}

function finding(path: string, message: string, hint: string): GraphFinding {
  return { path, message, hint };
}
