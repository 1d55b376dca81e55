import type { Config } from "@loopwork/core/config";
import { LoopError, type RunProcess } from "@loopwork/core/ports";
import { ChildEnvironment, type ServiceVariables } from "../child-environment.ts";
import type { RuntimeSettings } from "../parts.ts";
import { endSentence, type SmallPrograms } from "../small-programs.ts";

type Hook = Config["routing"]["graph"]["hooks"][number];

/** Where programs run that judge, what their environments are made from, and what starts them. */
export type Surroundings = {
  readonly cwd: string;
  readonly settings: ServiceVariables & Pick<RuntimeSettings, "scratchDir">;
  readonly run: RunProcess;
  readonly programs: Pick<SmallPrograms, "runToEnd">;
};

/** What a check may print on one stream: the output of a whole test run. Nobody reads it. */
const mostBytes = 16 * 1024 * 1024;

/**
 * Runs the operator's checks of a node one after the other; a sentence for each that did not pass.
 * Rejects with `LOOP_E_BROKER` where nobody saw how one ended: that is no verdict.
 */
export async function runHooks(
  hooks: readonly Hook[],
  node: string,
  { cwd, settings, run, programs }: Surroundings,
): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const { command, deadlineSeconds } of hooks.filter((hook) => hook.node === node)) {
    const end = await programs.runToEnd(
      {
        argv: command,
        cwd,
        env: ChildEnvironment.hook(settings),
        input: "",
        deadlineMs: deadlineSeconds * 1000,
        mostBytes,
        scratchDir: settings.scratchDir,
      },
      run,
    );
    if (end.kind === "ended" && end.code === 0) continue;
    if (end.kind === "lost")
      throw new LoopError(
        "LOOP_E_BROKER",
        `the check \`${command.join(" ")}\` has no verdict: ${end.why}`,
        "nothing to do: it runs again when the work is looked at the next time",
      );
    failed.push(
      `the check \`${command.join(" ")}\` failed: ${end.kind === "ended" ? endSentence(end) : end.why}`,
    );
  }
  return failed;
}
