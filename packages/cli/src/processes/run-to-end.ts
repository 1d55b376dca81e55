import { lstatSync } from "node:fs";
import { join } from "node:path";
import { isBrokerLost, knownEnd, type RunningChild, type RunProcess } from "@loopwork/core/ports";
import type { CommandEnd, CommandPlan } from "@loopwork/runtime";
import { readPlainFile } from "../files/plain-file.ts";
import { inScratch } from "./scratch.ts";

const graceMs = 2_000;

/**
 * Runs a program whose output is small, and waits for it and for all that it started; once more
 * where nobody saw its end. Never rejects for what the program does.
 */
export async function runToEnd(plan: CommandPlan, run: RunProcess): Promise<CommandEnd> {
  const end = await runOnce(plan, run);
  return end.kind === "lost" ? runOnce(plan, run) : end;
}

function runOnce(plan: CommandPlan, run: RunProcess): Promise<CommandEnd> {
  return inScratch(plan.scratchDir, (folder) => runIn(folder, plan, run));
}

async function runIn(folder: string, plan: CommandPlan, run: RunProcess): Promise<CommandEnd> {
  const files = { stdoutFile: join(folder, "out"), stderrFile: join(folder, "err") };
  try {
    const child = await started(plan, files, run);
    if (typeof child === "string") return { kind: "failed", why: child };
    void child.write(plan.input).then(() => child.endInput()); // Whoever reads nothing of it may end without doing so.
    const { code, signal, stopped } = knownEnd(await child.ended);
    if (stopped === "deadline")
      return { kind: "failed", why: `it ran longer than ${plan.deadlineMs / 1000} s` };
    const tooMuch = [files.stdoutFile, files.stderrFile].some(
      (file) => sizeOf(file) > plan.mostBytes,
    );
    const [stdout, stderr] = [
      await readPlainFile(files.stdoutFile, plan.mostBytes),
      await readPlainFile(files.stderrFile, plan.mostBytes),
    ];
    if (stopped === "output-limit" || tooMuch)
      return { kind: "failed", why: `it printed more than ${plan.mostBytes} bytes` };
    if (stdout === null || stderr === null)
      return { kind: "failed", why: "it replaced the file that its output goes to" };
    if (code === null) return { kind: "failed", why: `it was ended by ${signal ?? "a signal"}` };
    return {
      kind: "ended",
      code,
      stdout: stdout.toString("utf8"),
      stderr: stderr.toString("utf8"),
    };
  } catch (error) {
    if (isBrokerLost(error)) return { kind: "lost", why: messageOf(error) };
    throw error;
  }
}

/** Of a plain file only: what a link leads to is none of its output. */
function sizeOf(file: string): number {
  const found = lstatSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true ? found.size : 0;
}

/** The child, or why there is none. Rejects where nobody knows. */
async function started(
  { argv: [program = "", ...args], cwd, env, deadlineMs, mostBytes }: CommandPlan,
  files: { readonly stdoutFile: string; readonly stderrFile: string },
  run: RunProcess,
): Promise<RunningChild | string> {
  try {
    return await run.spawn({
      argv: [program, ...args],
      cwd,
      env: env.variables,
      ...files,
      deadlineMs,
      maxOutputBytes: mostBytes,
      graceMs,
    });
  } catch (error) {
    if (isBrokerLost(error)) throw error;
    return `${program} could not be run: ${messageOf(error)}`;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
