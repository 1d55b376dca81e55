import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/**
 * A process of one instance. `late` counts by what it last said of itself: writes that were
 * refused, and begins that were taken, after it had lost its lane.
 */
export type Member = {
  readonly name: string;
  readonly pid: number;
  readonly up: Promise<void>;
  /**
   * Stops the whole process in the midst of its next turn; resolves with that turn's lane and words
   * once it has.
   */
  stopInATurn(): Promise<{ readonly lane: string; readonly words: string }>;
  wake(): void;
  late(): { readonly refused: number; readonly taken: number };
  kill(): Promise<void>;
};

export type FleetOptions = {
  readonly url: string;
  readonly dir: string;
  readonly leaseMs: number;
  /** Turns at a time; 0 only decides. */ readonly room: number;
  readonly without: string | null;
};

const program = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "./instance.ts" : "./instance.js", import.meta.url),
);

export function startMember(
  name: string,
  { url, dir, leaseMs, room, without }: FleetOptions,
): Member {
  const child = spawn(
    process.execPath,
    [...process.execArgv, program, name, dir, String(leaseMs), String(room), without ?? ""],
    {
      env: { PATH: process.env["PATH"] ?? "", STORE_URL: url },
      stdio: ["pipe", "pipe", "inherit"],
    },
  );
  child.stdin.on("error", () => {});
  let late = { refused: 0, taken: 0 };
  let up = (): void => {};
  let stopped = (_at: { readonly lane: string; readonly words: string }): void => {};
  const isUp = new Promise<void>((resolve) => (up = resolve));
  createInterface({ input: child.stdout }).on("line", (line) => {
    const said: {
      readonly kind?: string;
      readonly refused?: number;
      readonly taken?: number;
      readonly lane?: string;
      readonly words?: string;
    } = JSON.parse(line);
    if (said.kind === "up") up();
    if (said.kind === "late") late = { refused: said.refused ?? 0, taken: said.taken ?? 0 };
    if (said.kind === "stopping") stopped({ lane: said.lane ?? "", words: said.words ?? "" });
  });
  return {
    name,
    pid: child.pid ?? 0,
    up: isUp,
    stopInATurn: () =>
      new Promise((resolve) => {
        stopped = resolve;
        child.stdin.write("stop\n");
      }),
    wake: () => void child.kill("SIGCONT"),
    late: () => late,
    kill: () => end(child),
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

/** Looks every so many milliseconds until there is something; null after so many. */
export async function seen<T>(
  look: () => T | Promise<T>,
  withinMs: number,
  everyMs: number = 10,
): Promise<T | null> {
  for (
    const until = performance.now() + withinMs;
    performance.now() < until;
    await sleep(everyMs)
  ) {
    const found = await look();
    if (found !== null && found !== false && found !== undefined) return found;
  }
  return null;
}
