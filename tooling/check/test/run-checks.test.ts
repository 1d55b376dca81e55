import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { Check } from "../src/checks.ts";
import { addCounts, formatCounts, runChecks, runTests } from "../src/run-checks.ts";

const folder = mkdtempSync(join(tmpdir(), "loop-check-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const node = (code: string): readonly [string, ...string[]] => [process.execPath, "-e", code];
let said: string;
beforeEach(() => (said = ""));
const say = (text: string): void => void (said += text);

describe("runChecks", () => {
  it("goes on after a failure, counts both, and shows what only the failed one printed", async () => {
    const checks: readonly Check[] = [
      {
        name: "bad",
        argv: node(`console.log("to out"); console.error("to err"); process.exit(3)`),
      },
      { name: "good", argv: node(`console.log("chatter")`) },
    ];
    expect(await runChecks(checks, folder, say)).toEqual({ passed: 1, failed: 1, skipped: 0 });
    expect(said).toMatch(/^FAIL bad \(\d+\.\d s\)\n/);
    expect(said).toContain("to out");
    expect(said).toContain("to err");
    expect(said).toMatch(/\nok {3}good \(\d+\.\d s\)\n$/);
    expect(said).not.toContain("chatter");
  });

  it("takes a program that is not there, or that a signal ended, for failed", async () => {
    const checks: readonly Check[] = [
      { name: "absent", argv: ["no-such-program-anywhere"] },
      { name: "killed", argv: node(`process.kill(process.pid, "SIGKILL")`) },
    ];
    expect(await runChecks(checks, folder, say)).toEqual({ passed: 0, failed: 2, skipped: 0 });
    expect(said).toContain("no-such-program-anywhere could not be started");
  });
});

describe("runTests", () => {
  const report = join(folder, "report.json");
  const writes = (failed: number, code: number): readonly [string, ...string[]] =>
    node(
      `fs.writeFileSync(${JSON.stringify(report)}, JSON.stringify({ numPassedTests: 5, numFailedTests: ${failed}, numPendingTests: 1, numTodoTests: 0, testResults: [] })); process.exit(${code})`,
    );

  it.each([
    ["all is well", writes(0, 0), { passed: 5, failed: 0, skipped: 1 }],
    ["a test failed", writes(2, 1), { passed: 5, failed: 2, skipped: 1 }],
    ["something outside of every test failed", writes(0, 1), { passed: 5, failed: 1, skipped: 1 }],
    [
      "it ended before it wrote a report",
      node("process.exit(1)"),
      { passed: 0, failed: 1, skipped: 0 },
    ],
    ["it wrote no report and claims success", node(""), { passed: 0, failed: 1, skipped: 0 }],
  ])("counts what happened when %s, never an older report", async (_, argv, counts) => {
    writeFileSync(report, `{ "numPassedTests": 999 }`);
    expect(await runTests(argv, report, folder)).toEqual(counts);
  });
});

it("ends with one plain line over everything", () => {
  expect(
    formatCounts(
      addCounts({ passed: 1, failed: 2, skipped: 3 }, { passed: 10, failed: 20, skipped: 30 }),
    ),
  ).toBe("11 passed, 22 failed, 33 skipped\n");
});
