import { idText, type LearningChange, type Plan } from "@loopwork/core/learnings";
import type { Command as Commander } from "commander";
import type { Ports, RepositoryLearnings } from "../../ports/command-ports.ts";
import { refuseAnyAgent } from "../../steer/refuse-agents.ts";
import { Command } from "../command.ts";
import { type Block, done, line, type Result } from "../../output/result.ts";
import { type Call, flag } from "../../io/call.ts";
import { refusedData, refusedLines } from "../../views/refused-files-view.ts";

/**
 * `loop learnings consolidate`: takes in what passed the gate, by small changes, each with its
 * reason.
 */
export default class LearningsConsolidateCommand extends Command {
  override describe(command: Commander): void {
    command
      .option("--dry-run", "Show the plan without changing any file")
      .addHelpText(
        "after",
        "\nWrites to docs/learnings in the current checkout. Commit the result like any\nother change, or revert it with `loop learnings undo`.",
      );
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    await refuseAnyAgent(ports, "consolidate learnings");
    const learnings = await ports.learnings();
    const silent: string[] = [];
    const ask = await askOf(learnings.root, silent, ports);
    const now = ports.clock.now();
    const { plan, edits, refused } = flag(call, "dryRun")
      ? await learnings.plan(now, ask)
      : await learnings.consolidate(now, ask);
    const files = edits.map(({ path }) => path);
    return done(
      { dryRun: flag(call, "dryRun"), ...plan, files, refused: refusedData(refused), silent },
      ...planView(plan),
      ...silent.map((why) => line(`The classifier gave no answer for ${why}`, "warn")),
      ...refusedLines(refused),
      line(filesLine(files.length, flag(call, "dryRun")), "dim"),
    );
  }
}

/** Asks a harness, where the configuration says so; why it gave no answer is put into `silent`. */
async function askOf(
  workdir: string,
  silent: string[],
  ports: Ports,
): Promise<Parameters<RepositoryLearnings["plan"]>[1]> {
  const loaded = await ports.config();
  if (!loaded.config.learnings.classifier.enabled) return null;
  const [{ classifyUnsure }, { createRunProcess }, { smallPrograms }, { runtimeSettings }] =
    await Promise.all([
      import("@loopwork/runtime"),
      import("../../processes/run-process.ts"),
      import("../../processes/small-programs.ts"),
      import("../../configuration/load-config.ts"),
    ]);
  return async (unsure) => {
    const said = await classifyUnsure(unsure, {
      workdir,
      run: createRunProcess(),
      settings: runtimeSettings(loaded),
      uuid: () => ports.ids.uuid(),
      now: () => ports.clock.now(),
      oneShotsOf: async (id) => (await ports.harness(id)).oneShots,
      copyOf: ports.copyOf,
      programs: smallPrograms,
    });
    silent.push(...said.silent);
    return said.verdicts;
  };
}

function planView({ changes, waiting, expired, known, unsure, tooLarge }: Plan): readonly Block[] {
  const rows = changes.map(({ kind, learning, why }) => [
    verbs[kind],
    idText(learning.id),
    learning.text,
    why,
  ]);
  const notes = [
    ...(tooLarge ? [line("The index would be too large, so nothing was written", "bad")] : []),
    ...known.map(({ rule, candidates }) =>
      line(`${count(candidates.length, "candidate")} skipped: ${rule} already says it`, "dim"),
    ),
    ...unsure.map(({ text, likely, done: did }) =>
      line(`Unsure about ${JSON.stringify(text)}: most likely ${likely}, done ${did}`, "warn"),
    ),
    ...(expired.length === 0
      ? []
      : [line(`${count(expired.length, "candidate")} expired after 90 days`, "warn")]),
    ...(waiting.length === 0 ? [] : [line(`${count(waiting.length, "candidate")} pending`, "dim")]),
  ];
  return [
    {
      kind: "table",
      columns: ["change", "id", "learning", "why"],
      rows,
      empty: "No changes",
    },
    ...notes,
  ];
}

const verbs: Readonly<Record<LearningChange["kind"], string>> = {
  add: "new",
  update: "changed",
  seen: "seen again",
  retire: "retired",
  evict: "moved to topic",
  promote: "moved to index",
};

function filesLine(files: number, dryRun: boolean): string {
  return `${count(files, "file")} ${dryRun ? "would be written" : "written"}`;
}

function count(many: number, what: string): string {
  return `${many} ${what}${many === 1 ? "" : "s"}`;
}
