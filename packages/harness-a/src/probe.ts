import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import {
  type ChildEnd,
  type HarnessProbe,
  isBrokerLost,
  knownEnd,
  type RunningChild,
  type RunProcess,
} from "@loopwork/core/ports";
import { testedVersions } from "./capabilities.ts";
import { reducedEnvironment } from "./strip-parent-env.ts";
import { parseObject } from "./fields.ts";
import { outsideOfRepositories } from "./outside.ts";
import { plainTextIfAny } from "./plain-file.ts";
import type { HarnessAOptions } from "./options.ts";

export type ProbeOptions = Pick<
  HarnessAOptions,
  "command" | "env" | "passEnv" | "environment" | "processes" | "probeDir"
>;

/**
 * Asks the installed program for its version and its login; neither asks the network. `proven` says
 * whether a version's receipts may be trusted. Rejects with `LOOP_E_BROKER` where nobody saw an
 * answer.
 */
export async function probeHarness(
  options: ProbeOptions,
  proven: (version: string) => Promise<boolean>,
): Promise<HarnessProbe> {
  const asked = await runProgram(options, [options.command, "--version"]);
  if (asked === null) {
    return {
      found: false,
      command: options.command,
      version: null,
      tested: false,
      login: "unknown",
      hint: `Install harness A (npm install -g @anthropic-ai/claude-code) or set harnesses.A.command; ${options.command} was not found.`,
    };
  }
  const version = versionIn(asked.stdout);
  const tested = version !== null && (await proven(version));
  const login =
    version === null
      ? "unknown"
      : loginOf((await runProgram(options, [options.command, "auth", "status"]))?.stdout ?? "");
  return {
    found: true,
    command: options.command,
    version,
    tested,
    login,
    hint: hintOf(options.command, version, tested, login),
  };
}

/**
 * The version of the installed program; null when it is missing or prints none. Rejects like
 * `probeHarness`.
 */
export async function installedVersion(options: ProbeOptions): Promise<string | null> {
  return versionIn((await runProgram(options, [options.command, "--version"]))?.stdout ?? "");
}

function versionIn(stdout: string): string | null {
  return /^(\d{1,6}\.\d{1,6}\.\d{1,6})\b/.exec(stdout)?.[1] ?? null;
}

/**
 * Reads the answer of `auth status`: an object with `loggedIn`. Older versions have no such
 * command.
 */
export function loginOf(stdout: string): HarnessProbe["login"] {
  const loggedIn = parseObject(stdout)?.["loggedIn"];
  return typeof loggedIn === "boolean" ? (loggedIn ? "yes" : "no") : "unknown";
}

function hintOf(
  command: string,
  version: string | null,
  tested: boolean,
  login: HarnessProbe["login"],
): string | null {
  if (version === null)
    return `${command} --version printed no version; is harnesses.A.command the right program?`;
  if (login === "no")
    return `Run ${command} once and log in, or set its API key in the environment of the service.`;
  if (!tested)
    return `Version ${version} is not one of those that were tested (${testedVersions.join(", ")}), and the proof of its receipts failed here: an attempt that dies on the way is shown as uncertain when its traces prove nothing.`;
  return null;
}

/** Bytes of the longest answer that is read. */
const longestAnswer = 1024 * 1024;

/**
 * Runs a program without input in an empty folder outside of any repository; null when it cannot be
 * started. At most 10 s and 64 KiB. Rejects with `LOOP_E_BROKER` where nobody knows.
 */
export async function runProgram(
  options: ProbeOptions,
  argv: readonly [string, ...string[]],
): Promise<{
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly stopped: ChildEnd["stopped"];
} | null> {
  const dir = path.join(options.probeDir, randomUUID());
  await mkdir(dir, { recursive: true });
  try {
    const end = await outsideOfRepositories(options.environment["TMPDIR"], async (cwd) => {
      const child = await start(options.processes, { options, argv, dir, cwd });
      child?.endInput();
      return child === null ? null : knownEnd(await child.ended);
    });
    if (end === null) return null;
    if (end.code === 127) return null;
    const said = (name: string): Promise<string> =>
      plainTextIfAny(path.join(dir, name), longestAnswer);
    const [stdout, stderr] = [await said("stdout"), await said("stderr")];
    return { code: end.code, stdout, stderr, stopped: end.stopped };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function start(
  processes: RunProcess,
  {
    options,
    argv,
    dir,
    cwd,
  }: { options: ProbeOptions; argv: readonly [string, ...string[]]; dir: string; cwd: string },
): Promise<RunningChild | null> {
  const env = reducedEnvironment({ ...options.environment, ...options.env }, options.passEnv);
  const plan = {
    argv,
    cwd,
    env: { ...env, ...options.env, DISABLE_AUTOUPDATER: "1" },
    stdoutFile: path.join(dir, "stdout"),
    stderrFile: path.join(dir, "stderr"),
    deadlineMs: 10_000,
    maxOutputBytes: 65_536,
  };
  try {
    return await processes.spawn(plan);
  } catch (error) {
    if (isBrokerLost(error)) throw error;
    return null;
  }
}
