import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** measuring.md, startup: whole processes, interleaved with `node -e 0`, in a home of their own. */
export type StartupReport = { readonly commands: readonly { readonly name: string; readonly medianMs: number; readonly ratioToNode: number }[] };

const bin = fileURLToPath(new URL("../../../packages/cli/dist/bin.js", import.meta.url));
const measured: readonly { readonly name: string; readonly args: readonly string[] }[] = [
  { name: "node -e 0", args: ["-e", "0"] },
  { name: "--help", args: [bin, "--help"] },
  { name: "sessions list", args: [bin, "sessions", "list"] },
  { name: "hook pre-tool", args: [bin, "hook", "pre-tool"] },
];

/** Uses the built command line; throws when it is not built or a command fails. */
export function benchStartup({ rounds = 25, progress }: { readonly rounds?: number; readonly progress: (line: string) => void }): StartupReport {
  const home = mkdtempSync(join(tmpdir(), "loop-startup-"));
  try {
    const times = measured.map((): number[] => []);
    for (let round = 0; round < rounds; round++) {
      for (const [at, { name, args }] of (round % 2 === 0 ? measured : measured.toReversed()).entries()) {
        const index = round % 2 === 0 ? at : measured.length - 1 - at;
        times[index]?.push(timeOf(name, args, home));
      }
      if (round % 5 === 4) progress(`round ${round + 1} of ${rounds}`);
    }
    const medians = times.map(median);
    return { commands: measured.map(({ name }, at) => ({ name, medianMs: round2(medians[at] ?? 0), ratioToNode: round2((medians[at] ?? 0) / (medians[0] ?? 1)) })) };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function timeOf(name: string, args: readonly string[], home: string): number {
  const env = { PATH: process.env["PATH"] ?? "", HOME: home };
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: home, env, encoding: "utf8", input: "" });
  const ms = performance.now() - started;
  if (status !== 0) throw new Error(`${name} ended with ${String(status)}: ${stderr}`);
  return ms;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
