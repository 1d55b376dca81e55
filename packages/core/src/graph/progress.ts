import { type Message, trustedWords, say } from "../message/message.ts";
import { outside } from "../message/outside-text.ts";
import type { RefText } from "../ref/ref.ts";
import { findingSentence, isBlocking } from "./critic.ts";
import { type GraphDefinition, type GraphNode, type NodeHook, nodeOf } from "./model.ts";
import { leadingTo, orderOf } from "./order.ts";
import { type GraphSignal, signalOf } from "../work-item/graph-record.ts";
import { comparable } from "./sections.ts";

/**
 * A graph as it is configured here: with the operator's hooks and the names of the critics' roster.
 */
export type ConfiguredGraph = {
  readonly definition: GraphDefinition;
  readonly hooks: readonly NodeHook[];
  readonly roster: readonly string[];
};

/** What stands in the checkout and at the code host, read by the shell. */
export type ObservedWork = {
  /** Artifacts that exist; the others are missing. */
  readonly artifacts: readonly SeenArtifact[];
  /** Commit that is checked out; null where nobody could tell. */
  readonly head: string | null;
  /**
   * Names what stands in the checkout and is not committed, so that it differs whenever that does;
   * absent or null where everything is.
   */
  readonly uncommitted?: string | null;
  /**
   * Recorded pull requests. `head` counts only of those in other repositories, whose commits no
   * checkout here shows; `recorded` is the newest that was heard of, wherever it lies, which lags
   * behind a push.
   */
  readonly pullRequests: readonly {
    readonly ref: RefText;
    readonly head: string | null;
    readonly recorded: string | null;
  }[];
};

/**
 * `digest` names the content; `filled` are the headings with text under them, as `filledHeadings`
 * gives them.
 */
export type SeenArtifact = {
  readonly file: string;
  readonly digest: string;
  readonly filled: readonly string[];
};

/**
 * What a node lacks, in a sentence, and who owes it: the session that works at it; the service,
 * which runs hooks and critics once the session has ended its turn; or a person.
 */
export type Lack = {
  readonly owes: "session" | "service" | "person";
  readonly kind: LackKind;
  readonly text: string;
};
export type LackKind =
  | "artifact"
  | "heading"
  | "hooks-not-run"
  | "hook"
  | "critics-not-run"
  | "finding"
  | "rejected"
  | "escalated"
  | "approval";

/**
 * A lack as words of a message: what a hook printed or a critic wrote is quoted, the rest is ours
 * and the configuration's.
 */
export function lackWords({ kind, text }: Lack): Message {
  return kind === "hook" || kind === "finding" || kind === "escalated"
    ? say`${outside(text)}`
    : trustedWords(text);
}

export type NodeProgress = {
  readonly node: GraphNode;
  readonly state: "complete" | "skipped" | "waiting" | "incomplete";
  readonly lacks: readonly Lack[];
};

/**
 * `position` is the first node that is not complete; the terminal one when all are. `nodes` are in
 * their order.
 */
export type GraphProgress = {
  readonly nodes: readonly NodeProgress[];
  readonly position: GraphNode;
  readonly complete: boolean;
};

/**
 * Where the work stands, from nothing but what stands there and what was said about exactly that.
 */
export function deriveProgress(
  graph: ConfiguredGraph,
  observed: ObservedWork,
  signals: readonly GraphSignal[],
): GraphProgress {
  const nodes = orderOf(graph.definition).map((node) => progressOf(node, graph, observed, signals));
  const open = nodes.find(
    ({ node, state }) => !node.terminal && state !== "complete" && state !== "skipped",
  );
  const position = (open ?? nodes.at(-1))?.node;
  if (position === undefined) throw new Error("a graph without nodes was not checked");
  return { nodes, position, complete: open === undefined };
}

/**
 * Artifacts that gate, critics or hooks look at: the node's own, or, of a node without any and of
 * the whole work item, all that lead to it.
 */
export function filesOf(
  node: GraphNode,
  scope: GraphNode["scope"],
  definition: GraphDefinition,
): readonly string[] {
  const before =
    scope === "node" && node.produces.length > 0
      ? new Set([node.id])
      : leadingTo(node.id, definition);
  return definition.nodes
    .filter(({ id }) => before.has(id))
    .flatMap(({ produces }) => produces.map(({ file }) => file));
}

/** What is looked at by gate, critics or hooks, as text that differs whenever any of it does. */
export function subjectOf(
  node: GraphNode,
  scope: GraphNode["scope"],
  definition: GraphDefinition,
  { artifacts, head, pullRequests }: ObservedWork,
): string {
  const files = new Set(filesOf(node, scope, definition));
  const seen = artifacts
    .filter(({ file }) => files.has(file))
    .map(({ file, digest }) => `${file} ${digest}`);
  const work =
    scope === "node"
      ? []
      : [
          `head ${head ?? "unknown"}`,
          ...pullRequests.map((each) => `${each.ref} ${each.head ?? ""}`),
        ];
  return [...seen, ...work].toSorted().join("\n");
}

/**
 * What a person's answer is about: beside that what is not committed, and heads of the own
 * repository that are not checked out. Hooks and critics are not bound to these, as a check leaves
 * files behind and a push is heard of late: nobody would have to be asked again for that.
 */
export function answerSubjectOf(
  node: GraphNode,
  definition: GraphDefinition,
  observed: ObservedWork,
): string {
  const subject = subjectOf(node, node.scope, definition, observed);
  if (node.scope === "node") return subject;
  const elsewhere = observed.pullRequests.flatMap(({ ref, head, recorded }) =>
    head !== null || recorded === null || recorded === observed.head
      ? []
      : [`${ref} at ${recorded}`],
  );
  return [
    subject,
    ...(observed.uncommitted == null ? [] : [`uncommitted ${observed.uncommitted}`]),
    ...elsewhere.toSorted(),
  ].join("\n");
}

/** Names of the critics that judge a node here; those that the roster lacks included. */
export function criticsOf(
  node: GraphNode,
  { roster }: Pick<ConfiguredGraph, "roster">,
): readonly string[] {
  return node.critics === "all" ? roster : node.critics;
}

/**
 * Cheap things first: nobody judges what is not written, and nobody is asked to approve what did
 * not pass.
 */
function progressOf(
  node: GraphNode,
  graph: ConfiguredGraph,
  observed: ObservedWork,
  signals: readonly GraphSignal[],
): NodeProgress {
  const waived = waiverOf(node, graph.definition, observed, signals);
  if (waived?.how === "skipped" && node.optional) return { node, state: "skipped", lacks: [] };
  const looks = [
    () => (waived?.how === "accepted" ? [] : artifactLacks(node, observed)),
    () => (waived?.how === "accepted" ? [] : hookLacks(node, graph, observed, signals)),
    () => criticLacks(node, graph, observed, signals),
    () => gateLacks(node, graph, observed, signals),
  ];
  for (const look of looks) {
    const lacks = look();
    if (lacks.length > 0)
      return {
        node,
        state: lacks.every(({ owes }) => owes === "person") ? "waiting" : "incomplete",
        lacks,
      };
  }
  return { node, state: "complete", lacks: [] };
}

/** What an operator took as it is, or left out, stays so until the node's artifacts are others. */
function waiverOf(
  node: GraphNode,
  definition: GraphDefinition,
  observed: ObservedWork,
  signals: readonly GraphSignal[],
): Extract<GraphSignal, { readonly kind: "waived" }> | null {
  const waived = signalOf(signals, "waived", node.id);
  return waived?.subject === undefined ||
    waived.subject === subjectOf(node, "node", definition, observed)
    ? waived
    : null;
}

function artifactLacks({ produces }: GraphNode, { artifacts }: ObservedWork): readonly Lack[] {
  return produces.flatMap(({ file, headings }) => {
    const seen = artifacts.find((each) => each.file === file);
    if (seen === undefined) return [lack("session", "artifact", `${file} does not exist`)];
    return headings
      .filter((heading) => !seen.filled.includes(comparable(heading)))
      .map((heading) => lack("session", "heading", `${file} has no text under "${heading}"`));
  });
}

function hookLacks(
  node: GraphNode,
  { definition, hooks }: ConfiguredGraph,
  observed: ObservedWork,
  signals: readonly GraphSignal[],
): readonly Lack[] {
  if (!hooks.some((hook) => hook.node === node.id)) return [];
  const run = signalOf(signals, "hooks", node.id);
  if (run === null || run.subject !== subjectOf(node, "work-item", definition, observed))
    return [
      lack(
        "service",
        "hooks-not-run",
        `the checks of ${node.id} have not run on what stands there now`,
      ),
    ];
  return run.failed.map((text) => lack("session", "hook", text));
}

function criticLacks(
  node: GraphNode,
  graph: ConfiguredGraph,
  observed: ObservedWork,
  signals: readonly GraphSignal[],
): readonly Lack[] {
  if (criticsOf(node, graph).length === 0) return [];
  const subject = subjectOf(node, node.scope, graph.definition, observed);
  const judged = signalOf(signals, "critics", node.id);
  if (judged === null || judged.subject !== subject)
    return [
      lack("service", "critics-not-run", `no critic has judged what ${node.id} looks at now`),
    ];
  const answer = answerAt(node, answerSubjectOf(node, graph.definition, observed), signals);
  if (judged.outcome === "passed" || answer?.approved === true) return [];
  if (judged.outcome === "rework")
    return judged.findings
      .filter(isBlocking)
      .map((finding) => lack("session", "finding", findingSentence(finding)));
  if (answer !== null) return [rejected(answer)];
  return [
    lack(
      "person",
      "escalated",
      `the critics cannot settle it (${judged.why ?? ""}): a person decides`,
    ),
  ];
}

function gateLacks(
  node: GraphNode,
  { definition }: ConfiguredGraph,
  observed: ObservedWork,
  signals: readonly GraphSignal[],
): readonly Lack[] {
  if (node.gate === null) return [];
  const subject = answerSubjectOf(node, definition, observed);
  const answer = answerAt(node, subject, signals);
  if (answer === null)
    return [lack("person", "approval", `${node.id} waits for the approval of an authorized user`)];
  return answer.approved ? [] : [rejected(answer)];
}

/** What a person said of exactly what stands there. */
function answerAt(
  node: GraphNode,
  subject: string,
  signals: readonly GraphSignal[],
): Extract<GraphSignal, { readonly kind: "answer" }> | null {
  const answer = signalOf(signals, "answer", node.id);
  return answer?.subject === subject ? answer : null;
}

function rejected({ by }: Extract<GraphSignal, { readonly kind: "answer" }>): Lack {
  return lack("session", "rejected", `@${by} asked for changes, and nothing has changed since`);
}

function lack(owes: Lack["owes"], kind: LackKind, text: string): Lack {
  return { owes, kind, text };
}

/** What is known of a node of this progress. */
export function progressAt(progress: GraphProgress, id: string): NodeProgress | null {
  return progress.nodes.find(({ node }) => node.id === id) ?? null;
}

/**
 * The node at which rejected work is taken up again: where an edge says so, else the node itself.
 */
export function reworkNode(node: GraphNode, definition: GraphDefinition): GraphNode {
  const edge = definition.edges.find(({ from, when }) => from === node.id && when === "rejected");
  return (edge === undefined ? null : nodeOf(definition, edge.to)) ?? node;
}
