import { readFileSync, globSync } from "node:fs";
import { join } from "node:path";
import { folderOf, importsOf, type Source } from "./folders.ts";

/**
 * The folders of core, lowest first, and what each holds. A folder imports, values and types alike,
 * only from itself and from those before it. The files right below `src` are the entries; they
 * stand above all folders.
 */
export const layersOfCore: Readonly<Record<string, string>> = {
  serving: "how many connections and answers a server has room for",
  manifest: "the list of what an installation writes into a repository",
  redaction: "secrets found in texts and taken out",
  text: "what a comment shows: words, hidden characters, Markdown, quoted mail; instants",
  accounts: "accounts of the code host, and whether two names are one",
  ref: "references to issues and pull requests",
  message:
    "our sentences with text from outside in them, formatted for posts, prompts and terminals",
  "event-log": "lines of the event log",
  event: "deliveries, and the six kinds of events that they become",
  config: "the configuration, and the policy that deciding takes from it",
  "work-item": "everything that is remembered of a work item, and its portable record",
  control: "keywords, authority, instance scope, lifecycle, and the reasons for a decision",
  "own-writing": "what the service and its agents wrote themselves",
  linking: "the work item that an event belongs to",
  decide: "what an event means, the effects of that, and the state after it",
  turn: "queue, prompt, coalescing, budget and retries of turns",
  graph: "the process graph: definition, progress, gates and critics",
  explain: "decisions, holds and events in words for people",
  learnings: "what agents learned: candidates, classification, consolidation, files",
  poll: "lists of the code host turned into its own payloads",
  canary: "the delivery that the service sends through itself",
  ports: "what the other packages implement",
  testing: "builders and contract rows for tests",
};

/** Every import within core that leads upward, and every folder that has no layer. */
export function layerBreaches(sources: readonly Source[]): readonly string[] {
  const order = Object.keys(layersOfCore);
  const unlisted = new Set(
    sources.flatMap(({ path }) => {
      const folder = folderOf(path);
      return folder === null || order.includes(folder) ? [] : [folder];
    }),
  );
  return [
    ...[...unlisted].map(
      (folder) => `packages/core/src/${folder} has no layer in tooling/lint/src/layers-of-core.ts`,
    ),
    ...sources.flatMap((source) => {
      const from = folderOf(source.path);
      if (from === null) return [];
      return importsOf(source)
        .map((target) => ({ target, to: folderOf(target) }))
        .filter(({ to }) => to === null || order.indexOf(to) > order.indexOf(from))
        .map(
          ({ target, to }) =>
            `${source.path} imports ${target}: ${from} lies below ${to ?? "the entries"}`,
        );
    }),
  ];
}

/** The breaches of the sources on disk. Having read next to nothing is one, too. */
export function readLayerBreaches(root: string, expectedAtLeast: number): readonly string[] {
  const sources = globSync("packages/core/src/**/*.ts", { cwd: root }).map((path) => ({
    path,
    lines: readFileSync(join(root, path), "utf8").split("\n"),
  }));
  const missing = Object.keys(layersOfCore).filter(
    (layer) => !sources.some(({ path }) => folderOf(path) === layer),
  );
  return [
    ...(sources.length < expectedAtLeast
      ? [`only ${sources.length} sources of core were read, at least ${expectedAtLeast} expected`]
      : missing.map((layer) => `the layer ${layer} of core has no file`)),
    ...layerBreaches(sources),
  ];
}
