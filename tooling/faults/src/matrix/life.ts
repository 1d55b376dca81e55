import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Fault } from "./faults.ts";
import type { Scene } from "./scene.ts";
import type { MatrixGuard } from "./without.ts";

export type Strikes = { readonly point: string; readonly fault: Fault; readonly nth: number };

/** How the service is started: perhaps with a fault on its way, and perhaps without a guard. */
export type LifePlan = {
  readonly strikes: Strikes | null;
  readonly without: MatrixGuard | null;
  readonly passages?: string;
  readonly env?: Readonly<Record<string, string>>;
};

const program = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "./daemon.ts" : "./daemon.js", import.meta.url),
);

/** Starts the service of a scene. */
export function startLife(
  scene: Scene,
  { strikes, without, passages = scene.passages, env = scene.env }: LifePlan,
): ChildProcess {
  const log = openSync(scene.log, "a");
  const args = [
    without ?? "none",
    ...(strikes === null ? [] : [strikes.point, strikes.fault, String(strikes.nth), passages]),
  ];
  const child = spawn(process.execPath, [...process.execArgv, program, ...args], {
    cwd: scene.folder,
    env,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  return child;
}

export function isOver({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Ends it in order, and by force when it takes longer than 20 s. */
export async function endLife(life: ChildProcess): Promise<void> {
  if (isOver(life)) return;
  const gone = once(life, "exit");
  life.kill("SIGTERM");
  const forced = setTimeout(() => life.kill("SIGKILL"), 20_000);
  await gone;
  clearTimeout(forced);
}

/** How often the process came by its point, and whether it was struck there. */
export function readPassages(file: string): { readonly hits: number; readonly struck: boolean } {
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  return {
    hits: lines.filter((line) => line === "passed").length,
    struck: lines.includes("struck"),
  };
}

export async function answers(healthUrl: string): Promise<boolean> {
  return fetch(healthUrl, { signal: AbortSignal.timeout(1_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Whether a second start beside a process that is stopped ends at once, as it must. */
export async function isTwinRefused(scene: Scene): Promise<boolean> {
  const twin = startLife(scene, { strikes: null, without: null });
  for (const until = performance.now() + 20_000; performance.now() < until && !isOver(twin);)
    await sleep(50);
  const refused = isOver(twin) && twin.exitCode !== 0;
  if (!isOver(twin)) await endLife(twin);
  return refused && readFileSync(scene.log, "utf8").includes("LOOP_E_DAEMON_TWIN");
}
