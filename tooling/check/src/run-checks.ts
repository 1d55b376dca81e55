import { existsSync, readFileSync, rmSync } from "node:fs";
import type { Check } from "./checks.ts";
import { countTests, type Counts } from "./count-tests.ts";
import { run } from "./run.ts";

/**
 * Runs every check, also after one failed. Says each with its time and, when it failed, all that it
 * printed.
 */
export async function runChecks(
  checks: readonly Check[],
  root: string,
  say: (text: string) => void,
): Promise<Counts> {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { name, argv } of checks) {
    const started = performance.now();
    const { code, output } = await run(argv, root, true);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    say(code === 0 ? `ok   ${name} (${seconds} s)\n` : `FAIL ${name} (${seconds} s)\n${output}\n`);
    counts[code === 0 ? "passed" : "failed"]++;
  }
  return counts;
}

/**
 * Runs tests that show themselves and write a report. The numbers are the report's; a run that
 * fails without a failed test in it, or that leaves no report, is one failure.
 */
export async function runTests(
  argv: readonly [string, ...string[]],
  report: string,
  root: string,
): Promise<Counts> {
  rmSync(report, { force: true });
  const { code } = await run(argv, root, false);
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: 0 };
  const counts = countTests(readFileSync(report, "utf8"));
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

export function addCounts(one: Counts, other: Counts): Counts {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
  };
}

/** The plain last line that CI reads. */
export function formatCounts({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped\n`;
}
