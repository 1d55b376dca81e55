import { escapeInline } from "../text/hidden-characters.ts";
import { joinMessages, type Message, trustedWords, say } from "../message/message.ts";
import { outside } from "../message/outside-text.ts";
import { findingSentence, isBlocking } from "./critic.ts";
import { type GraphNode } from "./model.ts";
import {
  type ConfiguredGraph,
  lackWords,
  type GraphProgress,
  progressAt,
  reworkNode,
} from "./progress.ts";
import { type GraphSignal, signalOf } from "../work-item/graph-record.ts";

/** Where artifacts belong: relative to the checkout, or absolute where they do not lie in it. */
export type ArtifactFolder = { readonly shown: string; readonly inTree: boolean };

/**
 * What a session is asked to do at the node. `progress` is null before there is a checkout to look
 * at.
 */
export function nodeTask(
  node: GraphNode,
  graph: ConfiguredGraph,
  progress: GraphProgress | null,
  signals: readonly GraphSignal[],
  folder: ArtifactFolder,
): Message {
  const { definition } = graph;
  const lacks =
    progress === null
      ? []
      : (progressAt(progress, node.id)?.lacks ?? []).filter(({ owes }) => owes === "session");
  const rejected = lacks.some(({ kind }) => kind === "finding" || kind === "rejected");
  const from = rejected ? reworkNode(node, definition) : node;
  const lines: readonly (string | Message)[] = [
    `This work item goes through the process graph ${definition.name}, one node at a time. It is at the node ${node.id}${personasOf(node)}: ${node.title}.`,
    ...(node.terminal
      ? ["Every node is complete. Do what the message asks, if anything, and nothing else."]
      : [sentence(node.task)]),
    ...artifactsOf(node, folder),
    ...(from === node
      ? []
      : [
          `What was found is taken up at the node ${from.id}${personasOf(from)}; then ${node.id} is done again.`,
        ]),
    ...(lacks.length === 0
      ? []
      : ["What it lacks:", ...lacks.map((lack) => say`- ${lackWords(lack)}`)]),
    ...details(node, signals, rejected),
    ...(node.terminal
      ? []
      : [
          "`loop check` says whether the node is complete. Do this node only and end your turn then; the next one comes as the next message.",
        ]),
  ];
  return joinMessages(
    lines.map((line) => (typeof line === "string" ? trustedWords(line) : line)),
    say`\n`,
  );
}

/** A node that nobody is named for is everybody's. */
function personasOf({ personas }: GraphNode): string {
  return personas.length === 0 ? "" : ` (${personas.join(", ")})`;
}

function sentence(task: string): string {
  return task === "" ? "Do what the node's title says." : escapeInline(task, 4_000);
}

function artifactsOf(
  { produces }: GraphNode,
  { shown, inTree }: ArtifactFolder,
): readonly string[] {
  const asks = produces.map(
    ({ file, headings }) =>
      `Write ${shown}/${file}${headings.length === 0 ? "" : `, with text under each of the headings ${headings.map((heading) => `"${heading}"`).join(", ")}`}${inTree ? ", and commit it" : ""}.`,
  );
  return inTree || asks.length === 0
    ? asks
    : [
        ...asks,
        "That folder lies outside of the checkout: this repository did not choose loop, and nothing of loop is put into it.",
      ];
}

/** What stands behind the critics' one-line findings. */
function details(
  node: GraphNode,
  signals: readonly GraphSignal[],
  rejected: boolean,
): readonly Message[] {
  const judged = rejected ? signalOf(signals, "critics", node.id) : null;
  return (judged?.findings ?? [])
    .filter((finding) => isBlocking(finding) && finding.detail !== "")
    .map(
      (finding) => say`More on ${outside(findingSentence(finding))}: ${outside(finding.detail)}`,
    );
}
