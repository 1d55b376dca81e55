import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { addCounts, formatCounts } from "../run-checks.ts";
import { run } from "../run.ts";
import { runVitest } from "../run-vitest.ts";
import { parts, partsOfCi } from "./parts.ts";

/**
 * `npm run test:long [-- --ci]`: what takes minutes. The tests of files named `*.long.test.ts`, the
 * simulation, every known attack, kills and the fault matrix; with `--ci`, what CI has time for: of
 * the long files only the contract on PostgreSQL.
 * The last line is plain: `N passed, N failed, N skipped`.
 */
const { ci } = parseArgs({ options: { ci: { type: "boolean", default: false } } }).values;
const root = fileURLToPath(new URL("../../../..", import.meta.url));
const say = (text: string): void => void process.stderr.write(text);

let counts = await runVitest(
  [ci ? "packages/store-postgres/test/contract.long.test.ts" : ".long.test."],
  root,
  join(root, "node_modules", ".reports", "long.json"),
);
for (const { name, argv, judge } of ci ? partsOfCi : parts) {
  const started = performance.now();
  const { code, output } = await run(argv, root, true);
  const judged = judge(code, output);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  say(
    judged.failed === 0
      ? `ok   ${name} (${seconds} s)\n`
      : `FAIL ${name} (${seconds} s)\n${output}\n`,
  );
  counts = addCounts(counts, judged);
}
process.stdout.write(formatCounts(counts));
process.exitCode = counts.failed === 0 ? 0 : 1;
