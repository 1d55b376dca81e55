import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { LoopError } from "@loopwork/core/ports";
import { ChildEnvironment } from "@loopwork/runtime/child-environment";
import { startProgram } from "../processes/child-process.ts";
import { tailOfPlainFile } from "../files/plain-file.ts";
import { logFileOf } from "./log-file.ts";
import type { DaemonKind } from "./pidfile.ts";
import type { ServicePlan } from "./services.ts";
import { supervisorVariable } from "./supervisor.ts";

type SpawnPlan = Pick<ServicePlan, "stateRoot" | "configFile" | "self" | "env">;

/** A daemon that was begun, detached. `logFile` has what it prints. */
export type SpawnedDaemon = {
  readonly kind: DaemonKind;
  readonly pid: number | undefined;
  readonly logFile: string;
  readonly hasEnded: () => boolean;
  readonly end: () => void;
};

/** Begins a daemon by this very `loop`, with `env` over that of the plan. */
export function spawnDaemon(
  kind: DaemonKind,
  plan: SpawnPlan,
  env: Readonly<Record<string, string>>,
): SpawnedDaemon {
  const logFile = logFileOf(plan.stateRoot, kind);
  mkdirSync(dirname(logFile), { recursive: true, mode: 0o700 });
  const log = openSync(logFile, "a", 0o600);
  const [program, ...args] = plan.self;
  const config = plan.configFile === null ? [] : ["--config", plan.configFile];
  const child = startProgram(program, [...args, ...config, "daemon", kind], {
    detached: true,
    stdio: ["ignore", log, log],
    cwd: plan.stateRoot,
    env: ChildEnvironment.service(plan.env, { LOOP_DAEMON: "1", ...env }, [supervisorVariable]),
  });
  closeSync(log);
  let ended = false;
  child.once("exit", () => (ended = true));
  child.once("error", () => (ended = true));
  child.unref();
  return {
    kind,
    pid: child.pid,
    logFile,
    hasEnded: () => ended,
    end: () => void child.kill("SIGKILL"),
  };
}

/**
 * Waits until it says that it is up; when it ends instead, its last words are the error. One that
 * does not say so in time is killed: it must not wake up later beside another.
 */
export async function untilSaid(
  { kind, logFile, hasEnded, end }: SpawnedDaemon,
  withinMs: number,
  said: () => boolean,
): Promise<void> {
  const until = performance.now() + withinMs;
  while (performance.now() < until) {
    if (said()) return;
    if (hasEnded())
      throw new LoopError(
        "LOOP_E_DAEMON_START",
        `The ${kind} daemon exited at once: ${await lastWords(logFile)}`,
        `See its log: ${logFile}`,
      );
    await sleep(50);
  }
  end();
  throw new LoopError(
    "LOOP_E_DAEMON_START",
    `The ${kind} daemon didn't start within ${withinMs / 1000} s`,
    `See its log: ${logFile}`,
  );
}

/**
 * The error that ended it stands at the end, in words for people; lines of its log before that say
 * other things.
 */
async function lastWords(logFile: string): Promise<string> {
  const lines = (await tailOfPlainFile(logFile, 4096, "links"))
    .trim()
    .split("\n")
    .filter((line) => line !== "" && !/^ {4}at |^Node\.js v/.test(line)); // Without the traces of a program that broke.
  const words = lines.slice(
    lines.findLastIndex((line) => /^(?:\{"time":|\d\d:\d\d:\d\d )/.test(line)) + 1,
  );
  return (words.length === 0 ? lines.slice(-1) : words.slice(-6)).join(" ").trim() || "no output";
}
