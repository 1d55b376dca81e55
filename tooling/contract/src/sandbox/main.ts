import { writeFileSync } from "node:fs";
import { type RowResult, runRow } from "../run-rows.ts";
import { sandboxRows } from "../rows/sandbox.ts";
import { realSubject } from "../subject.ts";

/**
 * Runs the rows about the sandbox as whoever starts it: `main.ts PROGRAM REPORT [PATTERN]`. The
 * report is a list of results.
 */
const [program = "", report = "", only = ""] = process.argv.slice(2);
const subject = await realSubject(program);
const results: RowResult[] = [];
for (const row of sandboxRows.filter(({ id }) => id.includes(only)))
  results.push(await runRow(row, subject));
await subject.close();
writeFileSync(report, JSON.stringify(results));
process.exit();
