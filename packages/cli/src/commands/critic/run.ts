import {
  type HarnessId,
  type Judgement,
  LoopError,
  type Ref,
  type RefText,
} from "@loopwork/core/ports";
import { type CriticReport, findingSentence, foldRound } from "@loopwork/core";
import type { Command as Commander } from "commander";
import { criticRound } from "@loopwork/runtime";
import { problemLine, standingOf } from "@loopwork/runtime/graph";
import { smallPrograms } from "../../processes/small-programs.ts";
import { createRunProcess } from "../../processes/run-process.ts";
import { runtimeSettings } from "../../configuration/load-config.ts";
import type { Ports } from "../../ports/command-ports.ts";
import { graphSettings, itemOfGraph } from "../../steer/item-of-graph.ts";
import { turnHere } from "../../steer/turn-here.ts";
import { Command } from "../command.ts";
import { type Block, line, type Result } from "../../output/result.ts";
import { type Call, textOption } from "../../io/call.ts";

/**
 * `loop critic run [name...]`: lets critics judge a work item now, with every pull request of it in
 * every repository, and shows what they find: 0 nothing blocks, 1 something does, 2 somebody gave
 * no verdict. It keeps nothing: what counts is the round that the service runs after a turn.
 */
export default class CriticRunCommand extends Command {
  override describe(command: Commander): void {
    command
      .argument("[name...]", "Critics to run (default: all)")
      .option("--work-item <ref>", "Work item (default: that of the turn, or of this checkout)");
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    const loaded = await ports.config();
    const { critics } = loaded.config;
    const names = call.args.length > 0 ? call.args : critics.map(({ name }) => name);
    const unknown = names.find((name) => !critics.some((each) => each.name === name));
    if (names.length === 0 || unknown !== undefined)
      throw new LoopError(
        "LOOP_E_CRITIC",
        unknown === undefined
          ? "No critics are configured"
          : `Unknown critic ${JSON.stringify(unknown)}`,
        "Run `loop critic list` to see them, or add one under `critics` in the configuration",
      );
    const { workItem, item, workdir } = await itemOfGraph(textOption(call, "workItem"), ports);
    await refuseWhileItRuns(workItem, workdir, ports);
    const found = await standingOf(workItem, item, workdir, graphSettings(loaded), ports.checkouts);
    if (found.kind !== "standing")
      throw new LoopError(
        "LOOP_E_GRAPH",
        found.kind === "broken"
          ? `Invalid process graph: ${found.problems.map(problemLine).join("; ")}`
          : "No process graph is configured",
        "Set `routing.graph.specDir` to use one, and run `loop graph show` to check it",
      );
    const settings = runtimeSettings(loaded);
    const parts = {
      cwd: workdir,
      run: createRunProcess(),
      settings,
      uuid: () => ports.ids.uuid(),
      host: { changes: async (ref: Ref) => (await ports.codeHost()).changes(ref) },
      oneShotsOf: async (id: HarnessId) => (await ports.harness(id)).oneShots,
      copyOf: ports.copyOf,
      programs: smallPrograms,
    };
    const { reports } = await criticRound(
      found.standing.progress.position,
      names,
      { workItem, item, standing: found.standing },
      parts,
      true,
    );
    return shown(workItem, reports, foldRound(null, reports));
  }
}

/**
 * Critics run programs in the checkout, which nobody else may while an agent works there. What
 * judges its own turn asks for it itself.
 */
async function refuseWhileItRuns(workItem: RefText, workdir: string, ports: Ports): Promise<void> {
  if ((await turnHere(ports)) !== null) return;
  const { lanes } = await ports.store();
  const running = await lanes.turns({ workItem, states: ["injecting"], limit: 1 });
  if (running.length === 0) return;
  throw new LoopError(
    "LOOP_E_TURN_RUNS",
    `A turn of ${workItem} is running in ${workdir}`,
    "Run it again when that turn is done: see `loop turns list`",
  );
}

function shown(workItem: string, reports: readonly CriticReport[], judgement: Judgement): Result {
  const silent = reports.flatMap((report): readonly Block[] =>
    report.ok ? [] : [line(`✗ ${report.critic} gave no verdict: ${report.why}`, "bad")],
  );
  const found = judgement.findings.flatMap((finding): readonly Block[] => [
    line(findingSentence(finding), finding.severity === "minor" ? undefined : "warn"),
    ...(finding.detail === "" ? [] : [line(`  ${finding.detail}`, "dim")]),
  ]);
  const head =
    judgement.outcome === "passed"
      ? line(`✓ ${workItem}: nothing blocks it`, "good")
      : line(
          `${workItem}: ${judgement.outcome === "failed" ? "some critics gave no verdict" : "critics found blocking problems"}`,
          "warn",
        );
  return {
    exit: judgement.outcome === "passed" ? 0 : judgement.outcome === "failed" ? 2 : 1,
    data: { workItem, outcome: judgement.outcome, findings: judgement.findings, reports },
    view: [...silent, ...found, head],
  };
}
