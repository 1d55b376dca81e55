import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { formatCounts } from "../run-checks.ts";
import { run } from "../run.ts";
import { type AttackClass, attackClasses, type RowClass, rowClasses } from "./classes.ts";
import { type ClassResult, formatResults, resultOfRows, resultsByClass } from "./results.ts";

/**
 * `npm run test:attacks [-- --class NAME] [-- --json]`: tries every way in that we know, class by
 * class, against the real parts. The last line is plain, `N passed, N failed, N skipped`; an
 * attempt that gets in and a control that does not are failures.
 */
const { values } = parseArgs({
  options: { class: { type: "string", multiple: true }, json: { type: "boolean", default: false } },
});
const names = [...attackClasses, ...rowClasses].map(({ name }) => name);
const unknown = (values.class ?? []).find((name) => !names.includes(name));
if (unknown !== undefined) {
  process.stderr.write(`unknown class "${unknown}"; choose from: ${names.join(", ")}\n`);
  process.exit(2);
}
const isWanted = ({ name }: { readonly name: string }): boolean =>
  values.class?.includes(name) ?? true;

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const results = [...(await tryTests(attackClasses.filter(isWanted)))];
for (const each of rowClasses.filter(isWanted)) results.push(await tryRows(each));
const sum = (read: (result: (typeof results)[number]) => number): number =>
  results.reduce((total, each) => total + read(each), 0);
const failed = sum(({ waysIn, failedControls }) => waysIn.length + failedControls.length);
const skipped = sum((each) => each.skipped);
const passed =
  sum(
    ({ attempts, waysIn, controls }) =>
      attempts - waysIn.filter((each) => !each.endsWith("› was not run")).length + controls,
  ) - skipped;
process.stdout.write(
  values.json
    ? `${JSON.stringify({ attempts: sum((each) => each.attempts), waysIn: sum(({ waysIn }) => waysIn.length), classes: results })}\n`
    : `${formatResults(results)}${formatCounts({ passed, failed, skipped })}`,
);
process.exitCode = failed === 0 ? 0 : 1;

async function tryTests(classes: readonly AttackClass[]): Promise<readonly ClassResult[]> {
  if (classes.length === 0) return [];
  const reports = join(root, "node_modules", ".reports");
  const report = join(reports, "attacks.json");
  mkdirSync(reports, { recursive: true });
  rmSync(report, { force: true });
  // Projects of one run need one number of workers.
  const workers = `--maxWorkers=${Math.max(2, cpus().length)}`;
  await run(
    [
      "vitest",
      "run",
      workers,
      "--testTimeout=60000",
      "--hookTimeout=60000",
      ...classes.flatMap(({ files }) => files),
      "--reporter=dot",
      "--reporter=json",
      `--outputFile.json=${report}`,
    ],
    root,
    false,
  );
  if (!existsSync(report)) throw new Error("the test runner left no report");
  return resultsByClass(classes, readFileSync(report, "utf8"), root);
}

async function tryRows({ name, rows, control }: RowClass): Promise<ClassResult> {
  const { output } = await run(
    [
      process.execPath,
      "--conditions=@loopwork/source",
      "tooling/contract/src/main.ts",
      "--only",
      rows,
    ],
    root,
    true,
  );
  const result = resultOfRows(name, control, output);
  if (result.waysIn.length + result.failedControls.length > 0) process.stderr.write(output);
  return result;
}
