import { existsSync, readFileSync } from "node:fs";
import { countTests, type Counts } from "./count-tests.ts";

/** More failures than this are no matter of a slow machine. */
const most = 8;

/**
 * Runs the files of what failed once more, with nothing beside them, and counts by that
 * (ADR 0003). Nothing is run again where none or too much failed, or where what failed was no
 * test. What does not pass then stays failed, also where it was not run. `say` is told every name
 * that only passed now.
 */
export async function lookAgain(
  counts: Counts,
  report: string,
  runFiles: (files: readonly string[], report: string) => Promise<Counts>,
  say: (text: string) => void,
): Promise<Counts> {
  if (counts.failed === 0 || counts.failed > most || !existsSync(report)) return counts;
  const text = readFileSync(report, "utf8");
  if (countTests(text).failed !== counts.failed) return counts;
  const first = resultsIn(text);
  const secondReport = report.replace(/\.json$/, "-again.json");
  const second = await runFiles(
    [...new Set(first.filter(hasFailed).map(({ file }) => file))],
    secondReport,
  );
  if (!existsSync(secondReport)) return counts;
  const passing = new Set(
    resultsIn(readFileSync(secondReport, "utf8"))
      .filter(({ status }) => status === "passed")
      .map(keyOf),
  );
  const still = first.filter(hasFailed).filter((each) => !passing.has(keyOf(each)));
  for (const each of first.filter(hasFailed))
    if (passing.has(keyOf(each)))
      say(`ONCE MORE ${each.file} > ${each.name}: failed beside the others, passed alone\n`);
  const failed = Math.max(second.failed, still.length);
  return { ...counts, passed: counts.passed + Math.max(0, counts.failed - failed), failed };
}

type Result = { readonly file: string; readonly name: string; readonly status: string };
type Report = {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
};

/**
 * What came of each test of a JSON report of vitest, and of each file: one that holds tests and
 * failed, failed by those.
 */
function resultsIn(report: string): readonly Result[] {
  const { testResults }: Report = JSON.parse(report);
  return testResults.flatMap(({ name: file, status, assertionResults: tests }) => [
    { file, name: "(the file)", status: tests.length > 0 ? "passed" : status },
    ...tests.map((test) => ({ file, name: test.fullName, status: test.status })),
  ]);
}

function hasFailed({ status }: Result): boolean {
  return status === "failed";
}

function keyOf({ file, name }: Result): string {
  return `${file}\n${name}`;
}
