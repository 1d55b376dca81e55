import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { cpus } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { countTests, type Counts } from "./count-tests.ts";

/**
 * `npm test`: every check, each with its name, time and, when it fails, its whole output. All run even when one fails.
 * The last line is plain: `N passed, N failed, N skipped`, where a check counts like a test.
 */
const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const reports = join(root, "node_modules", ".reports");

type Check = { readonly name: string; readonly argv: readonly [string, ...string[]] };

const checks: readonly Check[] = [
  { name: "types of sources and tests", argv: ["turbo", "run", "typecheck", "--continue", "--output-logs=errors-only"] },
  { name: "lint", argv: ["oxlint", "--type-aware", "--deny-warnings"] },
  { name: "boundaries between packages", argv: ["node", "--conditions=@loopwork/source", "tooling/lint/src/boundaries.ts"] },
  { name: "rules of this repository", argv: ["node", "--conditions=@loopwork/source", "tooling/lint/src/repository-rules.ts"] },
  { name: "unused files, exports and dependencies", argv: ["knip", "--no-progress"] },
  { name: "dependency versions", argv: ["sherif", "-r", "packages-without-package-json"] },
  { name: "packed packages", argv: ["node", "--conditions=@loopwork/source", "tooling/publish/src/check-packed.ts"] },
  { name: "sizes of the built packages", argv: ["size-limit"] },
];

const totals: Counts = { passed: 0, failed: 0, skipped: 0 };
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
for (const check of checks) {
  if (await runCheck(check)) totals.passed++;
  else totals.failed++;
}
await runTests();
process.stdout.write(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped\n`);
process.exitCode = totals.failed === 0 ? 0 : 1;

async function runCheck({ name, argv }: Check): Promise<boolean> {
  const started = performance.now();
  const { code, output } = await run(argv, true);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stderr.write(`${code === 0 ? "ok  " : "FAIL"} ${name} (${seconds} s)\n${code === 0 ? "" : `${output}\n`}`);
  return code === 0;
}

/** The tests show themselves; their numbers come from the report, where a file that does not load counts as failed. */
async function runTests(): Promise<void> {
  const report = join(reports, "vitest.json");
  const { code } = await run(["vitest", "run", "--testTimeout=60000", "--hookTimeout=60000", `--maxWorkers=${Math.max(2, cpus().length)}`, "--reporter=dot", "--reporter=json", `--outputFile.json=${report}`], false);
  const counts = countTests(readFileSync(report, "utf8"));
  totals.passed += counts.passed;
  totals.failed += counts.failed + (code !== 0 && counts.failed === 0 ? 1 : 0);
  totals.skipped += counts.skipped;
}

function run([program, ...args]: readonly [string, ...string[]], quiet: boolean): Promise<{ readonly code: number; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, stdio: ["ignore", quiet ? "pipe" : 2, quiet ? "pipe" : 2] });
    let output = "";
    child.stdout?.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr?.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.on("error", reject);
    child.on("exit", (code) => resolve({ code: code ?? 1, output }));
  });
}
