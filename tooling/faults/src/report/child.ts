import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { Make } from "./full.ts";

const program = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "../main.ts" : "../main.js", import.meta.url),
);

/**
 * Makes a run as the command does, in a group of processes of its own, all of which are ended when
 * it takes too long. Rejects then, and where it could not measure.
 */
export const makeInChild: Make = async (args, say, withinMs) => {
  const child = spawn(process.execPath, [...process.execArgv, program, ...args, "--json"], {
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const end = (): void => endGroup(child.pid);
  const interrupted = (): never => {
    end();
    process.exit(130);
  };
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) process.once(signal, interrupted);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    end();
  }, withinMs);
  try {
    createInterface({ input: child.stderr }).on("line", say);
    const told = await text(child.stdout);
    if (late) throw new Error(`it did not end within ${Math.round(withinMs / 60_000)} minutes`);
    if (told === "") throw new Error("it could not measure");
    return JSON.parse(told);
  } finally {
    clearTimeout(timer);
    for (const signal of signals) process.off(signal, interrupted);
    end(); // What it left running.
  }
};

function endGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, "SIGKILL");
  } catch {
    // All have ended.
  }
}
