import { mkdirSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checks } from "./checks.ts";
import { addCounts, formatCounts, runChecks, runTests } from "./run-checks.ts";

/**
 * `npm test`: every check, then every test. All run even when one fails. The last line is plain:
 * `N passed, N failed, N skipped`, where a check counts like a test.
 */
const root = fileURLToPath(new URL("../../..", import.meta.url));
const reports = join(root, "node_modules", ".reports");
mkdirSync(reports, { recursive: true });
const report = join(reports, "vitest.json");

const checked = await runChecks(checks, root, (text) => process.stderr.write(text));
const limits = ["--testTimeout=60000", "--hookTimeout=60000", `--maxWorkers=${Math.max(2, Math.ceil(cpus().length * 1.5))}`];
const tested = await runTests(["vitest", "run", ...limits, "--reporter=dot", "--reporter=json", `--outputFile.json=${report}`], report, root);
const counts = addCounts(checked, tested);
process.stdout.write(formatCounts(counts));
process.exitCode = counts.failed === 0 ? 0 : 1;
