import { randomUUID } from "node:crypto";
import { mkdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { LoopError } from "@loopwork/core";
import type { HarnessProbe } from "@loopwork/core/ports";
import { programNames } from "./capabilities.ts";
import { withoutParentHarness } from "./environment.ts";
import type { HarnessBOptions } from "./options.ts";
import { parseChatId } from "./session-id.ts";

type CallOptions = Pick<HarnessBOptions, "command" | "env" | "passEnv" | "environment" | "processes" | "probeDir">;

/** Looks for the program under its names. Its version is shown; none was ever compared with the documents. */
export async function probeHarness(options: CallOptions): Promise<HarnessProbe> {
  for (const command of options.command === null ? programNames : [options.command]) {
    const stdout = await call(options, [command, "--version"]);
    if (stdout !== null) return { found: true, command, version: stdout.trim().split("\n")[0] ?? null, tested: false, login: "unknown", hint: "This adapter follows the documents of harness B and was not run against it." };
  }
  return { found: false, command: options.command ?? programNames[0], version: null, tested: false, login: "unknown", hint: "Install harness B or set harnesses.B.command." };
}

/** Makes a new chat, whose id every turn resumes. Throws `LOOP_E_HARNESS_MISSING` or `LOOP_E_HARNESS_SESSION_ID`. */
export async function createChat(options: CallOptions): Promise<string> {
  const { found, command, hint } = await probeHarness(options);
  if (!found) throw new LoopError("LOOP_E_HARNESS_MISSING", `Harness B (${command}) is not installed.`, hint ?? "Install harness B.");
  return parseChatId((await call(options, [command, "create-chat"])) ?? "");
}

/** Runs a short call without input, at most 20 s and 64 KiB; its standard output, or null when it did not end well. */
async function call(options: CallOptions, argv: readonly [string, ...string[]]): Promise<string | null> {
  const dir = path.join(options.probeDir, randomUUID());
  await mkdir(dir, { recursive: true });
  try {
    const env = Object.fromEntries(Object.entries(options.environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
    const plan = { argv, cwd: dir, env: { ...withoutParentHarness(env, options.passEnv), ...options.env }, stdoutFile: path.join(dir, "stdout"), stderrFile: path.join(dir, "stderr"), deadlineMs: 20_000, maxOutputBytes: 65_536 };
    const child = await options.processes.spawn(plan);
    child.endInput();
    return (await child.ended).code === 0 ? await readFile(plan.stdoutFile, "utf8") : null;
  } catch {
    return null;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
