import { mkdirSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { findChromium } from "./browser.ts";
import { browserChecks, runBrowserChecks } from "./run-checks.ts";

/**
 * The part of `npm run test:real` that needs a browser. Tells each check, and writes the counts to
 * the file that `--report` names. `LOOP_PICTURES` names a folder that keeps what was seen.
 */
const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    report: { type: "string" },
    "allow-missing": { type: "boolean", default: false },
  },
});
const pictures = process.env["LOOP_PICTURES"] ?? "";
if (pictures !== "") mkdirSync(pictures, { recursive: true });

const checks = browserChecks(pictures === "" ? null : pictures).filter(({ id }) =>
  id.includes(values.only),
);
const count = { passed: 0, failed: 0, skipped: 0 };
const program = findChromium();
if (program === null && checks.length > 0) {
  process.stdout.write(
    `browser: cannot be had${values["allow-missing"] ? ", which is allowed" : ""}: install Debian's \`chromium\`, or name another in LOOP_CHROMIUM; ${checks.length} checks need it\n`,
  );
  count[values["allow-missing"] ? "skipped" : "failed"] += checks.length;
} else if (program !== null && checks.length > 0) {
  process.stdout.write(
    `dashboard: ${checks.length} checks in a real browser, in front of the real service\n`,
  );
  await runBrowserChecks(checks, program, ({ id, title, ms, failure }) => {
    count[failure === null ? "passed" : "failed"] += 1;
    process.stdout.write(
      `${failure === null ? "ok  " : "FAIL"} ${id} ${title} (${ms} ms)\n${failure === null ? "" : `     ${failure.split("\n").slice(0, 24).join("\n     ")}\n`}`,
    );
  });
}
if (values.report !== undefined) writeFileSync(values.report, JSON.stringify(count));
process.exitCode = count.failed > 0 ? 1 : 0;
