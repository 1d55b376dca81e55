import { randomUUID } from "node:crypto";
import { mkdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import {
  type HarnessProbe,
  isBrokerLost,
  knownEnd,
  type NewConversation,
  type Outcome,
} from "@loopwork/core/ports";
import { programNames } from "./capabilities.ts";
import { reducedEnvironment } from "./strip-parent-env.ts";
import type { HarnessBOptions } from "./options.ts";
import { outsideOfRepositories } from "./outside.ts";
import { judgeWords } from "./outcome.ts";
import { chatIdIn } from "./session-id.ts";

type CallOptions = Pick<
  HarnessBOptions,
  "command" | "env" | "passEnv" | "environment" | "processes" | "probeDir"
>;

/**
 * Looks for the program under its names. Its version is shown; none was ever compared with the
 * documents. Rejects with `LOOP_E_BROKER` where nobody saw its answer.
 */
export async function probeHarness(options: CallOptions): Promise<HarnessProbe> {
  for (const command of options.command === null ? programNames : [options.command]) {
    const answer = await call(options, [command, "--version"]);
    if (answer?.code === 0)
      return {
        found: true,
        command,
        version: answer.stdout.trim().split("\n")[0] ?? null,
        tested: false,
        login: "unknown",
        hint: "This adapter follows the documents of harness B and was not run against it.",
      };
  }
  return {
    found: false,
    command: options.command ?? programNames[0],
    version: null,
    tested: false,
    login: "unknown",
    hint: "Install harness B or set harnesses.B.command.",
  };
}

/**
 * Makes a new chat, whose id every turn resumes. Nothing was said yet, so that a failure which
 * nobody can name may pass.
 */
export async function createChat(options: CallOptions): Promise<NewConversation> {
  try {
    return await madeChat(options);
  } catch (error) {
    if (!isBrokerLost(error)) throw error;
    return { kind: "failed", outcome: notMade(error instanceof Error ? error.message : "") };
  }
}

async function madeChat(options: CallOptions): Promise<NewConversation> {
  const { found, command, hint } = await probeHarness(options);
  if (!found)
    return {
      kind: "failed",
      outcome: {
        kind: "not-installed",
        detail: `Harness B (${command}) is not installed. ${hint ?? ""}`.trim(),
      },
    };
  const answer = await call(options, [command, "create-chat"]);
  const id = answer?.code === 0 ? chatIdIn(answer.stdout) : null;
  if (id !== null) return { kind: "made", id };
  const outcome = judgeWords(
    `${answer?.stdout ?? ""}\n${answer?.stderr ?? ""}`,
    answer?.code ?? null,
  );
  return {
    kind: "failed",
    outcome: outcome.kind === "unclear" ? notMade(outcome.detail) : outcome,
  };
}

function notMade(why: string): Outcome {
  return { kind: "transient", status: null, detail: `no chat could be made: ${why}` };
}

type Answer = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/**
 * Runs a short call without input, outside of any repository, at most 20 s and 64 KiB; null when it could not be started.
 * Rejects with `LOOP_E_BROKER` where nobody knows.
 */
async function call(
  options: CallOptions,
  argv: readonly [string, ...string[]],
): Promise<Answer | null> {
  const dir = path.join(options.probeDir, randomUUID());
  await mkdir(dir, { recursive: true });
  try {
    return await outsideOfRepositories(options.environment["TMPDIR"], (cwd) =>
      callIn({ dir, cwd }, options, argv),
    );
  } catch (error) {
    if (isBrokerLost(error)) throw error;
    return null;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function callIn(
  { dir, cwd }: { readonly dir: string; readonly cwd: string },
  options: CallOptions,
  argv: readonly [string, ...string[]],
): Promise<Answer> {
  const plan = {
    argv,
    cwd,
    env: { ...reducedEnvironment(options.environment, options.passEnv), ...options.env },
    stdoutFile: path.join(dir, "stdout"),
    stderrFile: path.join(dir, "stderr"),
    deadlineMs: 20_000,
    maxOutputBytes: 65_536,
  };
  const child = await options.processes.spawn(plan);
  child.endInput();
  const { code } = knownEnd(await child.ended);
  return {
    code,
    stdout: await readFile(plan.stdoutFile, "utf8"),
    stderr: await readFile(plan.stderrFile, "utf8"),
  };
}
