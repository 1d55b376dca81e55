/** Numbers of one or more test runs. */
export type Counts = { passed: number; failed: number; skipped: number };

/**
 * Counts a JSON report of vitest. A file that does not load has no tests of its own and counts as
 * one failure.
 */
export function countTests(report: string): Counts {
  const value: unknown = JSON.parse(report);
  const read = (name: string): number => {
    const found: unknown =
      typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
    if (typeof found !== "number") throw new Error(`the test report has no number ${name}`);
    return found;
  };
  return {
    passed: read("numPassedTests"),
    failed: read("numFailedTests") + failedToLoad(value),
    skipped: read("numPendingTests") + read("numTodoTests"),
  };
}

function failedToLoad(report: unknown): number {
  const files: unknown =
    typeof report === "object" && report !== null ? Reflect.get(report, "testResults") : undefined;
  if (!Array.isArray(files)) throw new Error("the test report lists no files");
  return files.filter(
    (file: unknown) =>
      typeof file === "object" &&
      file !== null &&
      Reflect.get(file, "status") === "failed" &&
      isEmpty(Reflect.get(file, "assertionResults")),
  ).length;
}

function isEmpty(list: unknown): boolean {
  return !Array.isArray(list) || list.length === 0;
}
