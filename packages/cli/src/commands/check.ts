import type { Command as Commander } from "commander";
import { LoopError } from "@loopwork/core/ports";
import { parseChecked } from "../turn-folder/requests.ts";
import type { FinishedIn } from "@loopwork/runtime/graph";
import type { Ports } from "../ports/command-ports.ts";
import { askInsideTurn } from "./inside-turn.ts";
import { Command } from "./command.ts";
import { type Block, done, line, type Result } from "../output/result.ts";
import { type Call, flag, textOption } from "../io/call.ts";

/**
 * `loop check [ref]`: whether the work item's present node is complete, looked up in the artifacts
 * as they are now. 0 when it is, or when a person must speak first; 1 with what is missing; 2 when
 * nobody can tell. The Stop gate asks it after each turn of an agent, so nothing is loaded where no
 * graph is configured, and hooks and critics do not run here: the service runs them.
 */
export default class CheckCommand extends Command {
  override describe(command: Commander): void {
    command
      .argument("[ref]", "Work item (default: that of the turn, or of this checkout)")
      .option("--work-item <ref>", "Work item")
      .option("--all", "Check every node, not just the current one");
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    if (ports.isSandboxed()) return askService(call, ports);
    if ((await ports.mentionsGraph()) === null) return noGraph();
    const loaded = await ports.looking();
    if (loaded.config.routing.graph.specDir === "") return noGraph();
    const { graphSettings, itemOfGraph } = await import("../steer/item-of-graph.ts");
    const { finishedIn } = await import("@loopwork/runtime/graph");
    const { workItem, item, workdir } = await itemOfGraph(
      call.args[0] ?? textOption(call, "workItem"),
      ports,
    );
    const found = await finishedIn(workItem, item, workdir, graphSettings(loaded), ports.checkouts);
    if (found.kind === "none") return done({ graph: null, answer: "complete", missing: [] });
    if (found.kind === "unknown")
      return {
        exit: 2,
        data: { workItem, answer: "unknown", why: found.why },
        view: [line(`${workItem}: can't check: ${found.why}`, "bad")],
      };
    const { finished, standing } = found;
    if (flag(call, "all")) return allNodes(workItem, finished, standing);
    const data = {
      workItem,
      graph: standing.graph.definition.name,
      position: standing.progress.position.id,
      ...finished,
    };
    return {
      exit: finished.answer === "incomplete" ? 1 : 0,
      data,
      view: answerView(workItem, finished),
    };
  }
}

/** The sandbox hides the records, so the service looks, and says what it found. */
async function askService(call: Call, ports: Ports): Promise<Result> {
  const turn = ports.turn();
  const named = call.args[0] ?? textOption(call, "workItem");
  if (turn === null || flag(call, "all") || (named !== undefined && named !== turn.workItem))
    throw new LoopError(
      "LOOP_E_SANDBOXED",
      "In the sandbox, `loop check` only checks the current node of the turn's own work item",
      "Run `loop check` without arguments",
    );
  const { data } = await askInsideTurn(turn, { kind: "check" }, ports);
  const found = parseChecked(data);
  const exits = { complete: 0, incomplete: 1, unknown: 2 } as const;
  const heads = {
    complete: "complete",
    incomplete: "not complete",
    unknown: "can't check",
  } as const;
  return {
    exit: exits[found.answer],
    data: found,
    view: [
      line(
        `${turn.workItem ?? "this work item"}: ${heads[found.answer]}`,
        found.answer === "complete" ? "good" : "warn",
      ),
      ...found.missing.map((each) => line(`  ${each}`)),
    ],
  };
}

function noGraph(): Result {
  return done(
    { graph: null, answer: "complete", missing: [] },
    line(
      "No process graph is configured (`routing.graph.specDir` is empty), so there is nothing to check",
      "dim",
    ),
  );
}

type Told = Extract<FinishedIn, { readonly kind: "told" }>;

function answerView(
  workItem: string,
  { answer, node, missing }: Told["finished"],
): readonly Block[] {
  const heads = {
    complete: `${workItem}: node ${node} is complete`,
    waiting: `${workItem}: node ${node} is waiting for a person`,
    incomplete: `${workItem}: node ${node} is not complete`,
  } as const;
  return [
    line(heads[answer], answer === "incomplete" ? "warn" : "good"),
    ...missing.map((each) => line(`  ${each}`)),
  ];
}

function allNodes(
  workItem: string,
  finished: Told["finished"],
  { graph, progress }: Told["standing"],
): Result {
  const nodes = progress.nodes.map(({ node, state, lacks }) => ({ node: node.id, state, lacks }));
  const view: readonly Block[] = [
    line(`${workItem} in graph ${graph.definition.name}`),
    {
      kind: "table",
      columns: ["node", "state", "missing"],
      rows: nodes.map(({ node, state, lacks }) => [
        node,
        state,
        lacks.map(({ text }) => text).join("; "),
      ]),
      empty: "No nodes",
    },
  ];
  return {
    exit: progress.complete || finished.answer === "waiting" ? 0 : 1,
    data: {
      workItem,
      graph: graph.definition.name,
      position: progress.position.id,
      complete: progress.complete,
      nodes,
    },
    view,
  };
}
