import type { Config } from "@loopwork/core/config";
import { type CommandPlan, runCommand } from "./run-command.ts";

type Hook = Config["routing"]["graph"]["hooks"][number];
export type Surroundings = Pick<CommandPlan, "cwd" | "env">;

/** Runs the operator's checks of a node one after the other; a sentence for each that did not pass. */
export async function runHooks(hooks: readonly Hook[], node: string, around: Surroundings): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const { command, deadlineSeconds } of hooks.filter((hook) => hook.node === node)) {
    const end = await runCommand({ argv: command, ...around, input: "", deadlineMs: deadlineSeconds * 1000 });
    const said = `\`${command.join(" ")}\``;
    if (end.kind === "failed") failed.push(`the check ${said} failed: ${end.why}`);
    else if (end.code !== 0) failed.push(`the check ${said} ended with ${end.code}${end.tail === "" ? "" : `: ${end.tail}`}`);
  }
  return failed;
}
