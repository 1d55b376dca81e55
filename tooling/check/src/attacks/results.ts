import type { AttackClass } from "./classes.ts";

/**
 * What came of one class. `controls` are the attempts with a guard off that got in, as they must.
 */
export type ClassResult = {
  readonly name: string;
  readonly attempts: number;
  readonly waysIn: readonly string[];
  readonly skipped: number;
  readonly controls: number;
  readonly failedControls: readonly string[];
};

type Test = { readonly file: string; readonly title: string; readonly status: string };

const control = "control: ";

/**
 * Sorts the tests of a JSON report of vitest into classes. A file that did not load counts as a way
 * in, because nothing in it was tried.
 */
export function resultsByClass(
  classes: readonly AttackClass[],
  report: string,
  root: string,
): readonly ClassResult[] {
  const tests = testsIn(report, root);
  return classes.map(({ name, files }) => {
    const own = tests.filter(({ file }) =>
      files.some((each) => file === each || file.startsWith(`${each}/`)),
    );
    const missing = files.filter(
      (each) => !own.some(({ file }) => file === each || file.startsWith(`${each}/`)),
    );
    const [controls, attempts] = [
      own.filter(({ title }) => title.startsWith(control)),
      own.filter(({ title }) => !title.startsWith(control)),
    ];
    const failed = (list: readonly Test[]): readonly string[] =>
      list
        .filter(({ status }) => status === "failed")
        .map(({ file, title }) => `${file} › ${title}`);
    return {
      name,
      attempts: attempts.length,
      waysIn: [...failed(attempts), ...missing.map((file) => `${file} › was not run`)],
      skipped: own.filter(({ status }) => status !== "passed" && status !== "failed").length,
      controls: controls.filter(({ status }) => status === "passed").length,
      failedControls: [
        ...failed(controls),
        ...(controls.length === 0 ? [`${name} › has no control`] : []),
      ],
    };
  });
}

/**
 * Reads what rows against the real harness printed: `ok   HA-sandbox-01 title (ms)`, or `FAIL …`. A
 * row whose title has the words of a control in it tells what happens without what holds the attack
 * off, and fails when that doesn't happen.
 */
export function resultOfRows(name: string, control: string, printed: string): ClassResult {
  const rows = [...printed.matchAll(/^(ok {2}|FAIL) (HA-\S+) (.*) \(\d+ ms\)$/gm)].map(
    ([, state = "", id = "", title = ""]) => ({ passed: state !== "FAIL", id, title }),
  );
  const controls = rows.filter(({ passed, title }) => passed && title.includes(control)).length;
  return {
    name,
    attempts: rows.length,
    waysIn:
      rows.length === 0
        ? [`${name} › was not run`]
        : rows.filter(({ passed }) => !passed).map(({ id, title }) => `${id} › ${title}`),
    skipped: 0,
    controls,
    failedControls: controls === 0 ? [`${name} › has no control`] : [],
  };
}

/** One line per class, with every way in below it. */
export function formatResults(results: readonly ClassResult[]): string {
  const width = Math.max(...results.map(({ name }) => name.length));
  return results
    .flatMap(({ name, attempts, waysIn, controls, failedControls }) => [
      `${name.padEnd(width)}  ${String(attempts).padStart(4)} attempts  ${String(waysIn.length).padStart(2)} ways in  ${String(controls).padStart(2)} of ${controls + failedControls.length} controls got in`,
      ...waysIn.map((each) => `  WAY IN   ${each}`),
      ...failedControls.map((each) => `  CONTROL  ${each}`),
    ])
    .map((line) => `${line}\n`)
    .join("");
}

function testsIn(report: string, root: string): readonly Test[] {
  const value: unknown = JSON.parse(report);
  return listAt(value, "testResults").flatMap((file): readonly Test[] => {
    const path = textAt(file, "name").replace(`${root.replace(/\/$/, "")}/`, "");
    const tests = listAt(file, "assertionResults").map((test) => ({
      file: path,
      title: textAt(test, "title"),
      status: textAt(test, "status"),
    }));
    return tests.length > 0
      ? tests
      : [{ file: path, title: "the file did not load", status: "failed" }];
  });
}

function listAt(value: unknown, name: string): readonly unknown[] {
  const found: unknown =
    typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  if (!Array.isArray(found)) throw new Error(`the test report has no list ${name}`);
  return found;
}

function textAt(value: unknown, name: string): string {
  const found: unknown =
    typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  if (typeof found !== "string") throw new Error(`the test report has no text ${name}`);
  return found;
}
