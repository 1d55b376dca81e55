import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Sample, sizeOfProcess } from "./probe.ts";

/** A process that measures itself and tells us. */
export type Watched = {
  readonly pid: number;
  readonly samples: readonly Sample[];
  /** What it keeps once its garbage is collected. */
  rest(): Promise<ReturnType<typeof sizeOfProcess>>;
  isAlive(): boolean;
  /**
   * Ends it with SIGTERM, in a minute with SIGKILL; resolves to its exit code, null for a signal.
   */
  stop(): Promise<number | null>;
};

type Told = { readonly sample?: Sample; readonly rest?: ReturnType<typeof sizeOfProcess> };

/** Starts `daemon` or `bystander` of this folder with its output in a file. */
export function startWatched(
  program: "daemon" | "bystander",
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
  logFile: string,
): Watched {
  const log = openSync(logFile, "a");
  const file = fileURLToPath(
    new URL(`./${program}${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url),
  );
  const child = spawn(process.execPath, [...process.execArgv, "--expose-gc", file, ...args], {
    cwd,
    env,
    stdio: ["ignore", log, log, "ipc"],
  });
  closeSync(log);
  const samples: Sample[] = [];
  let rested = (_size: ReturnType<typeof sizeOfProcess>): void => {};
  child.on("message", (told: Told) => {
    if (told.sample !== undefined) samples.push(told.sample);
    if (told.rest !== undefined) rested(told.rest);
  });
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null;
  return {
    pid: child.pid ?? 0,
    samples,
    isAlive,
    rest: () =>
      new Promise((resolve, reject) => {
        if (!isAlive()) return reject(new Error("the process that was to be measured is gone"));
        rested = resolve;
        child.once("exit", () => reject(new Error("the process that was to be measured ended")));
        child.send({});
      }),
    stop: () => end(child),
  };
}

async function end(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  const force = setTimeout(() => child.kill("SIGKILL"), 60_000);
  await exited;
  clearTimeout(force);
  return child.exitCode;
}
