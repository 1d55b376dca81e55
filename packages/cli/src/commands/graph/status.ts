import { LoopError } from "@loopwork/core/ports";
import type { Command as Commander } from "commander";
import { problemLine, standingOf } from "@loopwork/runtime/graph";
import type { Ports } from "../../ports/command-ports.ts";
import { graphSettings, itemOfGraph } from "../../steer/item-of-graph.ts";
import { Command } from "../command.ts";
import { type Block, done, line, type Result } from "../../output/result.ts";
import { type Call, textOption } from "../../io/call.ts";

/**
 * `loop graph status [ref]`: where a work item stands in its graph, what each node lacks, and who
 * owes it.
 */
export default class GraphStatusCommand extends Command {
  override describe(command: Commander): void {
    command
      .argument("[ref]", "Work item (default: that of the turn, or of this checkout)")
      .option("--work-item <ref>", "Work item");
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    const loaded = await ports.config();
    const { workItem, item, workdir } = await itemOfGraph(
      call.args[0] ?? textOption(call, "workItem"),
      ports,
    );
    const found = await standingOf(workItem, item, workdir, graphSettings(loaded), ports.checkouts);
    if (found.kind === "none")
      return {
        exit: 1,
        data: null,
        view: [line("No process graph is configured (`routing.graph.specDir` is empty)", "dim")],
      };
    if (found.kind === "no-checkout")
      throw new LoopError(
        "LOOP_E_NO_CHECKOUT",
        `${workdir} is not a git work tree`,
        "Run it in the work item's checkout",
      );
    if (found.kind === "broken")
      throw new LoopError(
        "LOOP_E_GRAPH",
        `Invalid process graph: ${found.problems.map(problemLine).join("; ")}`,
        "Run `loop graph show` to see what is wrong",
      );
    const {
      graph,
      progress,
      place: { shown: folder },
    } = found.standing;
    const asked = item.workItem?.graph?.node ?? null;
    const nodes = progress.nodes.map(({ node, state, lacks }) => ({ node: node.id, state, lacks }));
    const fields: Block = {
      kind: "fields",
      rows: [
        ["work item", workItem],
        ["graph", graph.definition.name],
        ["current node", progress.position.id, progress.complete ? "good" : "warn"],
        ["session works on", asked ?? "nothing yet"],
        ["artifacts", folder],
        ["checkout", workdir],
      ],
    };
    const rows = nodes.map(({ node, state, lacks }) => [
      node,
      node === progress.position.id && !progress.complete ? `${state} ←` : state,
      lacks.map(({ owes, text }) => `${owes}: ${text}`).join("; "),
    ]);
    return done(
      {
        workItem,
        graph: graph.definition.name,
        position: progress.position.id,
        asked,
        complete: progress.complete,
        folder,
        workdir,
        nodes,
      },
      fields,
      { kind: "table", columns: ["node", "state", "missing, by whom"], rows, empty: "No nodes" },
    );
  }
}
