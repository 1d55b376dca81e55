import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Start-up: whole processes, interleaved with `node -e 0`, in a home of their own. */
export type StartupReport = {
  readonly commands: readonly {
    readonly name: string;
    readonly medianMs: number;
    readonly ratioToNode: number;
  }[];
};

const bin = fileURLToPath(new URL("../../../packages/cli/dist/bin.js", import.meta.url));
type Measured = {
  readonly name: string;
  readonly args: readonly string[];
  readonly input?: string;
  readonly env?: (home: string) => Readonly<Record<string, string>>;
  readonly exits?: readonly number[];
};

/** As harness A tells of a turn's end. */
const stop = JSON.stringify({
  session_id: "0b2d1c3a-1111-4222-8333-444455556666",
  transcript_path: "/t.jsonl",
  hook_event_name: "Stop",
  stop_hook_active: false,
});
/** In a turn of a work item that goes through a process graph. */
const inGraph = (home: string): Readonly<Record<string, string>> => ({
  LOOP_CONFIG: join(home, "graph", "cli-config.yaml"),
  LOOP_WORK_ITEM: "host:octo/shop#7",
});

const measured: readonly Measured[] = [
  { name: "node -e 0", args: ["-e", "0"] },
  { name: "--help", args: [bin, "--help"] },
  { name: "sessions list", args: [bin, "sessions", "list"] },
  { name: "hook pre-tool", args: [bin, "hook", "pre-tool"] },
  { name: "check", args: [bin, "check"] },
  { name: "hook stop", args: [bin, "hook", "stop"], input: stop },
  { name: "check, in a graph", args: [bin, "check"], env: inGraph, exits: [1] },
  { name: "hook stop, in a graph", args: [bin, "hook", "stop"], input: stop, env: inGraph },
];

/** Uses the built command line; throws when it is not built or a command fails. */
export function benchStartup({
  rounds = 25,
  progress,
}: {
  readonly rounds?: number;
  readonly progress: (line: string) => void;
}): StartupReport {
  const home = mkdtempSync(join(tmpdir(), "loop-startup-"));
  try {
    makeCheckout(home);
    const times = measured.map((): number[] => []);
    for (let round = 0; round < rounds; round++) {
      for (const [at, each] of (round % 2 === 0 ? measured : measured.toReversed()).entries()) {
        const index = round % 2 === 0 ? at : measured.length - 1 - at;
        times[index]?.push(timeOf(each, home));
      }
      if (round % 5 === 4) progress(`round ${round + 1} of ${rounds}`);
    }
    const medians = times.map(median);
    return {
      commands: measured.map(({ name }, at) => ({
        name,
        medianMs: round2(medians[at] ?? 0),
        ratioToNode: round2((medians[at] ?? 0) / (medians[0] ?? 1)),
      })),
    };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** The folder in which everything runs is a checkout, beside it a configuration with a graph. */
function makeCheckout(home: string): void {
  const run = (...args: readonly string[]): void => {
    const { status, stderr } = spawnSync(
      "git",
      ["-c", "user.name=bench", "-c", "user.email=bench@loop.invalid", ...args],
      { cwd: home, encoding: "utf8", env: { PATH: process.env["PATH"] ?? "", HOME: home } },
    );
    if (status !== 0)
      throw new Error(`git ${args.join(" ")} ended with ${String(status)}: ${stderr}`);
  };
  run("init", "-q");
  run("commit", "-q", "--allow-empty", "-m", "begin");
  mkdirSync(join(home, "graph"));
  writeFileSync(
    join(home, "graph", "cli-config.yaml"),
    "routing: { graph: { specDir: docs/specs } }\n",
  );
  // Where a service has run there is a store to look into.
  const { status, stderr } = spawnSync(process.execPath, [bin, "sessions", "list"], {
    cwd: home,
    env: { PATH: process.env["PATH"] ?? "", HOME: home, ...inGraph(home) },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`sessions list ended with ${String(status)}: ${stderr}`);
}

function timeOf(
  { name, args, input = "", env = () => ({}), exits = [0] }: Measured,
  home: string,
): number {
  const around = { PATH: process.env["PATH"] ?? "", HOME: home, ...env(home) };
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: home,
    env: around,
    encoding: "utf8",
    input,
  });
  const ms = performance.now() - started;
  if (status === null || !exits.includes(status))
    throw new Error(`${name} ended with ${String(status)}: ${stderr}`);
  return ms;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
