import { bundledDefinitions } from "./bundled.ts";
import type { GraphDefinition, GraphEdge, GraphNode } from "./model.ts";

const comments: ReadonlyMap<string, string> = new Map([
  ["work-item", "The whole life of an issue, from what somebody wants to what is done."],
  ["pull-request", "A pull request that is a work item by itself: somebody has begun already."],
]);

/** Columns of a line of a task. */
const width = 120;

/**
 * The graphs that everybody has as the text that an operator would write, to begin from; reading it
 * gives the same graphs.
 */
export const bundledGraphs: string = [
  "version: 1",
  "graphs:",
  bundledDefinitions
    .map(graphLines)
    .map((lines) => lines.join("\n"))
    .join("\n\n"),
  "",
].join("\n");

function graphLines({ name, nodes, edges }: GraphDefinition): readonly string[] {
  return [
    `  # ${comments.get(name) ?? ""}`,
    `  ${name}:`,
    "    nodes:",
    ...nodes.flatMap(nodeLines),
    "    edges:",
    ...edges.map(edgeLine),
  ];
}

function nodeLines({
  id,
  title,
  personas,
  task,
  produces,
  critics,
  gate,
  scope,
  optional,
  terminal,
}: GraphNode): readonly string[] {
  return [
    `      - id: ${id}`,
    `        title: ${title}`,
    ...(personas.length === 0
      ? []
      : [
          `        persona: ${personas.length === 1 ? personas.join("") : `[${personas.join(", ")}]`}`,
        ]),
    ...(task === ""
      ? []
      : ["        task: >-", ...wrapped(task).map((line) => `          ${line}`)]),
    ...(produces.length === 0
      ? []
      : [
          "        produces:",
          ...produces.flatMap(({ file, headings }) => [
            `          - file: ${file}`,
            `            headings: [${headings.join(", ")}]`,
          ]),
        ]),
    ...(critics === "all" ? ["        critics: all"] : []),
    ...(gate === null ? [] : [`        gate: ${gate}`]),
    ...(gate === null && critics !== "all" ? [] : [`        scope: ${scope}`]),
    ...(optional ? ["        optional: true"] : []),
    ...(terminal ? ["        terminal: true"] : []),
  ];
}

function edgeLine({ from, to, when }: GraphEdge): string {
  return when === "complete"
    ? `      - [${from}, ${to}]`
    : `      - { from: ${from}, to: ${to}, when: rejected }`;
}

function wrapped(text: string): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}
