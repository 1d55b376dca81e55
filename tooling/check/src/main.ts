import { mkdirSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { checks } from "./checks.ts";
import type { Counts } from "./count-tests.ts";
import { addCounts, formatCounts, runChecks, runTests } from "./run-checks.ts";
import { lookAgain } from "./second-look.ts";

/**
 * `npm test [-- --again]`: every check, then every test. All run even when one fails. The last line
 * is plain: `N passed, N failed, N skipped`, where a check counts like a test. With `--again` a few
 * tests that fail are run once more, alone.
 */
const { again } = parseArgs({ options: { again: { type: "boolean", default: false } } }).values;
const root = fileURLToPath(new URL("../../..", import.meta.url));
const reports = join(root, "node_modules", ".reports");
mkdirSync(reports, { recursive: true });
const report = join(reports, "vitest.json");

const checked = await runChecks(checks, root, (text) => process.stderr.write(text));
const beside = `--maxWorkers=${Math.max(2, Math.ceil(cpus().length * 1.5))}`;
const alone = ["--no-file-parallelism", "--maxConcurrency=1"];
const tested = await vitest([beside], report);
const judged = again
  ? await lookAgain(
      tested,
      report,
      (files, to) => vitest([...alone, ...files], to),
      (text) => process.stdout.write(text),
    )
  : tested;
const counts = addCounts(checked, judged);
process.stdout.write(formatCounts(counts));
process.exitCode = counts.failed === 0 ? 0 : 1;

/** Every test, or those of the files among the arguments. */
function vitest(args: readonly string[], to: string): Promise<Counts> {
  return runTests(
    [
      "vitest",
      "run",
      "--testTimeout=60000",
      "--hookTimeout=60000",
      ...args,
      "--reporter=dot",
      "--reporter=json",
      `--outputFile.json=${to}`,
    ],
    to,
    root,
  );
}
