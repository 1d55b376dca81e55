import type {
  ConfiguredGraph,
  GraphDefinition,
  GraphProblem,
  WorkItem,
} from "@loopwork/core/ports";
import type { Config } from "@loopwork/core/config";
import type { GraphFiles } from "./graph-files.ts";

/**
 * What of the configuration the graph depends on; both paths are absolute. `artifactsDir` holds the
 * artifacts of repositories whose guest we are.
 */
export type GraphSettings = {
  readonly config: Pick<Config, "routing" | "critics">;
  readonly graphFile: string | null;
  readonly artifactsDir: string;
};

/**
 * The graph of a work item as it is configured here; nothing where there is none, or what is wrong
 * with it.
 */
export type GraphFound =
  | { readonly kind: "none" }
  | { readonly kind: "found"; readonly graph: ConfiguredGraph }
  | { readonly kind: "broken"; readonly problems: readonly GraphProblem[] };

/**
 * Reads the graph for items of a type. Without `routing.graph.specDir` nothing of the graph is
 * loaded.
 */
export async function graphFor(
  type: WorkItem["type"],
  settings: GraphSettings,
  files: Pick<GraphFiles, "definitions">,
): Promise<GraphFound> {
  if (settings.config.routing.graph.specDir === "") return { kind: "none" };
  const { graphNames } = await import("@loopwork/core/ports");
  const read = await readGraphs(settings, files);
  if (!read.ok) return { kind: "broken", problems: read.problems };
  const definition =
    (type === "pull-request" ? read.graphs.get(graphNames.pullRequest) : undefined) ??
    read.graphs.get(graphNames.issue);
  if (definition === undefined) return { kind: "none" };
  const { hooks } = settings.config.routing.graph;
  return {
    kind: "found",
    graph: { definition, hooks, roster: settings.config.critics.map(({ name }) => name) },
  };
}

export type GraphsRead =
  | { readonly ok: true; readonly graphs: ReadonlyMap<string, GraphDefinition> }
  | { readonly ok: false; readonly problems: readonly GraphProblem[] };

/**
 * All graphs, with hooks and critics that name something that is there; or everything that is wrong
 * with them.
 */
export async function readGraphs(
  { config, graphFile }: Omit<GraphSettings, "artifactsDir">,
  files: Pick<GraphFiles, "definitions">,
): Promise<GraphsRead> {
  const { bundledDefinitions, checkCritics, checkHooks } = await import("@loopwork/core/ports");
  const text = graphFile === null ? "" : await files.definitions(graphFile);
  if (text === null)
    return {
      ok: false,
      problems: [
        {
          path: "routing.graph.definition",
          line: null,
          message: `${graphFile ?? ""} cannot be read`,
          hint: "create it, or remove the key",
        },
      ],
    };
  const parsed: GraphsRead =
    graphFile === null
      ? { ok: true, graphs: new Map(bundledDefinitions.map((each) => [each.name, each])) }
      : (await import("@loopwork/core/config")).parseGraphs(text);
  if (!parsed.ok) return parsed;
  const definitions = [...parsed.graphs.values()];
  const roster = config.critics.map(({ name }) => name);
  const problems = [
    ...checkHooks(config.routing.graph.hooks, definitions),
    ...definitions.flatMap((each) => checkCritics(each, `graphs.${each.name}`, roster)),
  ];
  return problems.length === 0
    ? parsed
    : { ok: false, problems: problems.map((problem) => ({ ...problem, line: null })) };
}

/** One problem in one line. */
export function problemLine({ path, line, message, hint }: GraphProblem): string {
  return `${line === null ? "" : `line ${line}: `}${path === "" ? "" : `${path}: `}${message}; ${hint}`;
}
