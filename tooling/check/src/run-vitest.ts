import { mkdirSync } from "node:fs";
import { cpus } from "node:os";
import { dirname } from "node:path";
import type { Counts } from "./count-tests.ts";
import { runTests } from "./run-checks.ts";

/** Many tests wait for processes, so more files run at once than there are processors. */
const beside = [`--maxWorkers=${Math.max(2, Math.ceil(cpus().length * 1.5))}`];
const alone = ["--no-file-parallelism", "--maxConcurrency=1"];

/**
 * Runs vitest with these arguments, one file beside others or alone, and counts by the report it
 * leaves.
 */
export function runVitest(
  args: readonly string[],
  root: string,
  report: string,
  how: "beside" | "alone" = "beside",
): Promise<Counts> {
  mkdirSync(dirname(report), { recursive: true });
  return runTests(
    [
      "vitest",
      "run",
      "--testTimeout=60000",
      "--hookTimeout=60000",
      ...(how === "alone" ? alone : beside),
      ...args,
      "--reporter=dot",
      "--reporter=json",
      `--outputFile.json=${report}`,
    ],
    report,
    root,
  );
}
