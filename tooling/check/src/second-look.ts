import { existsSync, readFileSync } from "node:fs";
import { countTests, type Counts } from "./count-tests.ts";

/** More failures than this are no matter of a slow machine. */
const most = 8;

/** Names of what failed in a JSON report of vitest, by file: tests, or the file itself where it did not load. */
export type Failures = ReadonlyMap<string, readonly string[]>;

/**
 * Runs the files of what failed once more, with nothing beside them, and counts by that (docs/adr/0132). Nothing is run again where
 * none or too much failed, or where what failed was no test. `say` is told every name that only passed now.
 */
export async function lookAgain(counts: Counts, report: string, runFiles: (files: readonly string[], report: string) => Promise<Counts>, say: (text: string) => void): Promise<Counts> {
  if (counts.failed === 0 || counts.failed > most || !existsSync(report)) return counts;
  const first = readFileSync(report, "utf8");
  if (countTests(first).failed !== counts.failed) return counts;
  const failures = failuresIn(first);
  const secondReport = report.replace(/\.json$/, "-again.json");
  const second = await runFiles([...failures.keys()], secondReport);
  if (!existsSync(secondReport)) return counts;
  const still = failuresIn(readFileSync(secondReport, "utf8"));
  for (const [file, names] of failures) for (const name of names) if (!still.get(file)?.includes(name)) say(`ONCE MORE ${file} > ${name}: failed beside the others, passed alone\n`);
  return { ...counts, passed: counts.passed + Math.max(0, counts.failed - second.failed), failed: second.failed };
}

/** Throws where the report is none. */
export function failuresIn(report: string): Failures {
  const { testResults }: { testResults: readonly { readonly name: string; readonly status: string; readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[] }[] } = JSON.parse(report);
  const failed = testResults.map(({ name, status, assertionResults }) => {
    const names = assertionResults.filter((test) => test.status === "failed").map(({ fullName }) => fullName);
    return [name, status === "failed" && assertionResults.length === 0 ? ["(the file)"] : names] as const;
  });
  return new Map(failed.filter(([, names]) => names.length > 0));
}
