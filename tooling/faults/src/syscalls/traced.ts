import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { answers, isOver } from "../matrix/life.ts";
import type { MatrixGuard } from "../matrix/without.ts";
import { calls, injectionOf, type Position } from "./positions.ts";
import type { Room } from "./room.ts";

/** A service under strace; `traces` holds a file a thread. */
export type Traced = { readonly strace: ChildProcess; readonly traces: string };

const program = fileURLToPath(
  new URL(`../matrix/daemon.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url),
);

/** Starts it and waits until it answers or has ended. Position null: nothing fails. */
export async function startTraced(
  room: Room,
  position: Position | null,
  without: MatrixGuard | null,
): Promise<Traced> {
  const traces = join(room.folder, "traces");
  mkdirSync(traces, { recursive: true });
  const injected = position === null ? [] : ["-e", injectionOf(position)];
  const args = [
    "-ff",
    "--seccomp-bpf",
    "-qq",
    "-e",
    `trace=${calls.join(",")}`,
    ...injected,
    "-o",
    join(traces, "calls"),
    process.execPath,
    ...process.execArgv,
    program,
    without ?? "none",
  ];
  const traced = { strace: start(room, "strace", args), traces };
  await untilUpOrOver(room, traced.strace);
  return traced;
}

/** The same service with nothing in its way. */
export async function startPlain(room: Room): Promise<ChildProcess> {
  const life = start(room, process.execPath, [...process.execArgv, program, "none"]);
  await untilUpOrOver(room, life);
  return life;
}

/** strace passes the signal on. */
export async function stopTraced({ strace }: Traced): Promise<void> {
  await stopProcess(strace);
}

export async function stopProcess(child: ChildProcess): Promise<void> {
  if (isOver(child)) return;
  const gone = once(child, "exit");
  if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
  const forced = setTimeout(
    () => child.pid !== undefined && process.kill(-child.pid, "SIGKILL"),
    15_000,
  );
  await gone;
  clearTimeout(forced);
}

/** In a process group of its own, so that the signal reaches the service behind strace. */
function start(room: Room, command: string, args: readonly string[]): ChildProcess {
  const log = openSync(room.log, "a");
  const child = spawn(command, args, {
    cwd: room.folder,
    env: room.env,
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  return child;
}

async function untilUpOrOver({ healthUrl }: Room, child: ChildProcess): Promise<void> {
  for (
    const until = performance.now() + 60_000;
    performance.now() < until && !isOver(child);
    await sleep(30)
  )
    if (await answers(healthUrl)) return;
}
