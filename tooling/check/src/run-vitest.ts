import { mkdirSync } from "node:fs";
import { cpus } from "node:os";
import { dirname } from "node:path";
import type { Counts } from "./count-tests.ts";
import { runTests } from "./run-checks.ts";

/** Many tests wait for processes, so more files run at once than there are processors. */
const beside = [`--maxWorkers=${Math.max(2, Math.ceil(cpus().length * 1.5))}`];

/** On a busy machine a test only takes longer; what hangs ends after five minutes. */
const bounds = ["--testTimeout=300000", "--hookTimeout=300000"];

/** Runs vitest with these arguments, and counts by the report it leaves. */
export function runVitest(args: readonly string[], root: string, report: string): Promise<Counts> {
  mkdirSync(dirname(report), { recursive: true });
  return runTests(
    [
      "vitest",
      "run",
      ...bounds,
      ...beside,
      ...args,
      "--reporter=dot",
      "--reporter=json",
      `--outputFile.json=${report}`,
    ],
    report,
    root,
  );
}
