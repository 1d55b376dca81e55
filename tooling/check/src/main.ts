import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { checks } from "./checks.ts";
import { addCounts, formatCounts, runChecks } from "./run-checks.ts";
import { runVitest } from "./run-vitest.ts";
import { lookAgain } from "./second-look.ts";

/**
 * `npm test [-- --again]`: every check, then every test but the long ones. All run even when one
 * fails. The last line is plain: `N passed, N failed, N skipped`, where a check counts like a test.
 * With `--again` a few tests that fail are run once more, alone.
 */
const { again } = parseArgs({ options: { again: { type: "boolean", default: false } } }).values;
const root = fileURLToPath(new URL("../../..", import.meta.url));
const reports = join(root, "node_modules", ".reports");
const report = join(reports, "vitest.json");

const began = performance.now();
const checked = await runChecks(checks, root, (text) => process.stderr.write(text));
const tested = await runVitest(["--exclude=**/*.long.test.ts"], root, report);
const judged = again
  ? await lookAgain(
      tested,
      report,
      (files, to) => runVitest(files, root, to, "alone"),
      (text) => process.stdout.write(text),
    )
  : tested;
const counts = addCounts(checked, judged);
writeFileSync(join(reports, "seconds"), String(Math.round((performance.now() - began) / 1_000)));
process.stdout.write(formatCounts(counts));
process.exitCode = counts.failed === 0 ? 0 : 1;
