import { LoopError } from "@loopwork/core/ports";
import type { Command as Commander } from "commander";
import { graphFor } from "@loopwork/runtime/graph";
import { graphFiles } from "../../files/graph-files.ts";
import type { Ports } from "../../ports/command-ports.ts";
import { byCommandLine } from "../../steer/by-command-line.ts";
import { graphSettings } from "../../steer/item-of-graph.ts";
import { refuseAgents } from "../../steer/refuse-agents.ts";
import { sendControl } from "../../steer/send-control.ts";
import { sentResult } from "../../steer/sent-view.ts";
import { workItemHere } from "../../steer/work-item-here.ts";
import { Command } from "../command.ts";
import { type Call, textOption } from "../../io/call.ts";
import type { Result } from "../../output/result.ts";

/**
 * `loop graph advance|complete|skip`: an operator has the service look where the work stands, takes
 * a node as it is, or leaves an optional one out. No command answers for a person at a gate.
 */
export abstract class GraphSteerCommand extends Command {
  abstract readonly step: "advance" | "complete" | "skip";

  override describe(command: Commander): void {
    const named = this.step === "advance" ? command : command.argument("<node>", "Node ID");
    named.option(
      "--work-item <ref>",
      "Work item (default: $LOOP_WORK_ITEM, or that of this checkout)",
    );
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    await refuseAgents(ports, "move a work item through its graph");
    const target = await workItemHere(textOption(call, "workItem"), ports);
    const node = call.args[0] ?? null;
    if (node !== null) await this.#checkNode(node, ports);
    return sentResult(
      await sendControl(target, { verb: "graph", step: this.step, node }, byCommandLine(ports)),
      await ports.policy(),
    );
  }

  /** A request that could mean nothing is better refused than stored. */
  async #checkNode(id: string, ports: Ports): Promise<void> {
    const found = [
      await graphFor("issue", graphSettings(await ports.config()), graphFiles),
      await graphFor("pull-request", graphSettings(await ports.config()), graphFiles),
    ];
    const nodes = found.flatMap((each) =>
      each.kind === "found" ? each.graph.definition.nodes : [],
    );
    const named = nodes.filter((node) => node.id === id);
    if (named.length === 0)
      throw new LoopError(
        "LOOP_E_NODE",
        `Unknown node ${JSON.stringify(id)}`,
        "Run `loop graph show` to see the nodes. Graphs need `routing.graph.specDir`.",
      );
    if (this.step === "skip" && !named.some(({ optional }) => optional))
      throw new LoopError(
        "LOOP_E_NODE",
        `Node ${id} is not optional`,
        "Mark it complete with `loop graph complete`, or set `optional: true` in its definition",
      );
    if (
      this.step === "complete" &&
      named.every(({ gate, produces }) => gate !== null && produces.length === 0)
    )
      throw new LoopError(
        "LOOP_E_NODE",
        `Node ${id} is a gate: only a comment or review by an authorized user opens it`,
        "Comment `approved` on the work item",
      );
  }
}
