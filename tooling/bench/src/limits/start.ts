import { spawnSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { median } from "../numbers.ts";
import { contenderScript } from "../receiver/contender-script.ts";
import { startServer } from "../receiver/server-process.ts";
import { makeScratch } from "../scratch.ts";

/** From the start of the process to its first good answer; `ratio`: against `bare`. */
export type StartRow = { readonly name: string; readonly readyMs: number; readonly ratio: number };
export type Start = { readonly deliveries: number; readonly rows: readonly StartRow[] };

export type StartOptions = {
  readonly deliveries: number;
  readonly rounds: number;
  readonly progress: (line: string) => void;
};

const names = ["bare", "loop", "loop-file"];
const settings = { secret: "start", flushDelayUs: 0 };

/**
 * How long receivers need to be up again over what a killed one left. They run from the built
 * packages, as installed ones do.
 */
export async function measureStart({ deliveries, rounds, progress }: StartOptions): Promise<Start> {
  const left = new Map(names.map((name) => [name, makeScratch("start-")]));
  try {
    for (const [name, folder] of left) if (name !== "bare") fill(name, folder, deliveries);
    const times = new Map<string, number[]>(names.map((name) => [name, []]));
    for (let round = 0; round < rounds; round += 1) {
      for (const name of round % 2 === 0 ? names : names.toReversed()) {
        const ms = await timeStart(name, left.get(name) ?? "");
        times.get(name)?.push(ms);
        progress(`limits: start ${round + 1}/${rounds} ${name} ${Math.round(ms)} ms`);
      }
    }
    const bare = median(times.get("bare") ?? []);
    return {
      deliveries,
      rows: names.map((name) => ({
        name,
        readyMs: Math.round(median(times.get(name) ?? [])),
        ratio: Number((median(times.get(name) ?? []) / bare).toFixed(2)),
      })),
    };
  } finally {
    for (const folder of left.values()) rmSync(folder, { recursive: true, force: true });
  }
}

/** Each time over a copy: what was recovered once is not recovered again. */
async function timeStart(name: string, folder: string): Promise<number> {
  const directory = makeScratch("started-");
  try {
    cpSync(folder, directory, { recursive: true });
    const began = performance.now();
    const server = await startServer(contenderScript(name), { ...settings, directory }, []);
    const ms = performance.now() - began;
    await server.stop();
    return ms;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function fill(name: string, folder: string, deliveries: number): void {
  const script = fileURLToPath(new URL("./fill.ts", import.meta.url));
  const { signal, stdout, stderr } = spawnSync(
    process.execPath,
    [script, name, folder, String(deliveries)],
    { encoding: "utf8" },
  );
  if (signal !== "SIGKILL" || stdout !== `filled ${deliveries}\n`)
    throw new Error(`${name} was not filled: ${stderr}`);
}
