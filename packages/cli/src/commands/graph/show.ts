import { type GraphDefinition, LoopError } from "@loopwork/core/ports";
import { orderOf } from "@loopwork/core";
import { bundledGraphs } from "@loopwork/core/config";
import type { Command as Commander } from "commander";
import { problemLine, readGraphs } from "@loopwork/runtime/graph";
import { graphFiles } from "../../files/graph-files.ts";
import type { Ports } from "../../ports/command-ports.ts";
import { graphSettings } from "../../steer/item-of-graph.ts";
import { Command } from "../command.ts";
import { type Block, done, type Result } from "../../output/result.ts";
import { type Call, flag } from "../../io/call.ts";

/**
 * `loop graph show`: the graphs in force, or what is wrong with them; `--definition` prints the
 * bundled ones, to begin from.
 */
export default class GraphShowCommand extends Command {
  override describe(command: Commander): void {
    command.option("--definition", "Print the bundled graphs as YAML, to start your own from");
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    if (flag(call, "definition"))
      return done({ definition: bundledGraphs }, { kind: "verbatim", text: bundledGraphs });
    const loaded = await ports.config();
    const read = await readGraphs(graphSettings(loaded), graphFiles);
    if (!read.ok)
      throw new GraphBroken(
        loaded.paths.graphFile ?? "Process graph",
        read.problems.map(problemLine),
      );
    const graphs = [...read.graphs.values()];
    return done(
      {
        source: loaded.paths.graphFile ?? "bundled",
        specDir: loaded.config.routing.graph.specDir || null,
        graphs,
      },
      ...graphs.flatMap(graphView),
    );
  }
}

/** Everything that is wrong with a definition, at once. */
class GraphBroken extends LoopError {
  readonly details: readonly string[];

  constructor(what: string, details: readonly string[]) {
    super(
      "LOOP_E_GRAPH",
      `${what} is invalid`,
      "Fix these. For a working example, run `loop graph show --definition`.",
    );
    this.details = details;
  }
}

function graphView(graph: GraphDefinition): readonly Block[] {
  const rows = orderOf(graph).map((node) => {
    const asks = [
      ...node.produces.map(({ file }) => file),
      ...(node.critics === "all" || node.critics.length > 0
        ? [`critics: ${node.critics === "all" ? "all" : node.critics.join(", ")}`]
        : []),
      ...(node.gate === null ? [] : ["approval"]),
    ];
    const back = graph.edges.find(({ from, when }) => from === node.id && when === "rejected");
    return [
      node.id,
      node.personas.join(", "),
      `${asks.join("; ")}${node.terminal ? "end" : ""}${node.optional ? " (optional)" : ""}`,
      back?.to ?? "",
    ];
  });
  return [
    { kind: "heading", text: graph.name },
    {
      kind: "table",
      columns: ["node", "persona", "requires", "if rejected"],
      rows,
      empty: "No nodes",
    },
  ];
}
