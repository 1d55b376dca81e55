import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { countTests, type Counts } from "../src/count-tests.ts";
import { lookAgain } from "../src/second-look.ts";

type File = readonly [
  name: string,
  tests: Readonly<Record<string, "passed" | "failed" | "pending">>,
];

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "loop-second-look-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function reportOf(files: readonly File[]): string {
  const all = files.flatMap(([, tests]) => Object.values(tests));
  const count = (status: string): number => all.filter((each) => each === status).length;
  const testResults = files.map(([name, tests]) => ({
    name,
    status:
      Object.values(tests).every((each) => each === "passed") && Object.keys(tests).length > 0
        ? "passed"
        : "failed",
    assertionResults: Object.entries(tests).map(([fullName, status]) => ({ fullName, status })),
  }));
  return JSON.stringify({
    numPassedTests: count("passed"),
    numFailedTests: count("failed"),
    numPendingTests: 0,
    numTodoTests: 0,
    testResults,
  });
}

/**
 * Looks at a first run's files again, where the second run comes out as given; null leaves no
 * report.
 */
async function look(
  first: readonly File[],
  second: readonly File[] | null,
  counts: Counts = countTests(reportOf(first)),
): Promise<{ readonly counts: Counts; readonly ran: readonly string[]; readonly said: string }> {
  const report = join(folder, "report.json");
  writeFileSync(report, reportOf(first));
  let [ran, said]: [readonly string[], string] = [[], ""];
  const runFiles = async (files: readonly string[], to: string): Promise<Counts> => {
    ran = files;
    if (second === null) return { passed: 0, failed: 1, skipped: 0 };
    writeFileSync(to, reportOf(second));
    return countTests(reportOf(second));
  };
  return {
    counts: await lookAgain(counts, report, runFiles, (text) => void (said += text)),
    ran,
    said,
  };
}

describe("a second look at what failed", () => {
  it("runs its files alone; what passes then counts as passed, and is named", async () => {
    const { counts, ran, said } = await look(
      [
        ["a", { one: "failed", two: "passed" }],
        ["b", { three: "passed" }],
      ],
      [["a", { one: "passed", two: "passed" }]],
    );
    expect({ counts, ran }).toEqual({ counts: { passed: 3, failed: 0, skipped: 0 }, ran: ["a"] });
    expect(said).toBe("ONCE MORE a > one: failed beside the others, passed alone\n");
  });

  it("leaves a failure that fails again, and names only the others", async () => {
    const { counts, said } = await look(
      [
        ["a", { one: "failed" }],
        ["b", { two: "failed" }],
      ],
      [
        ["a", { one: "failed" }],
        ["b", { two: "passed" }],
      ],
    );
    expect(counts).toEqual({ passed: 1, failed: 1, skipped: 0 });
    expect(said).toBe("ONCE MORE b > two: failed beside the others, passed alone\n");
  });

  it("counts a test of those files that fails only now", async () => {
    expect(
      (
        await look(
          [["a", { one: "failed", two: "passed" }]],
          [["a", { one: "passed", two: "failed" }]],
        )
      ).counts,
    ).toEqual({ passed: 1, failed: 1, skipped: 0 });
  });

  it("looks again at a file that did not load", async () => {
    const { counts, said } = await look([["a", {}]], [["a", { one: "passed" }]]);
    expect(counts).toEqual({ passed: 1, failed: 0, skipped: 0 });
    expect(said).toContain("a > (the file)");
  });

  it.each([
    ["nothing failed", [["a", { one: "passed" }]] as const, undefined],
    [
      "too much failed",
      [
        [
          "a",
          Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`t${n}`, "failed" as const])),
        ],
      ] as const,
      undefined,
    ],
    [
      "what failed was no test",
      [["a", { one: "passed" }]] as const,
      { passed: 1, failed: 1, skipped: 0 },
    ],
  ])("does not look when %s", async (_, first, counts) => {
    const expected = counts ?? countTests(reportOf(first));
    expect(await look(first, [["a", { one: "passed" }]], counts)).toEqual({
      counts: expected,
      ran: [],
      said: "",
    });
  });

  it.each([
    ["its file no longer loads", [["a", {}]] as const],
    ["it is skipped", [["a", { one: "pending" }]] as const],
    ["it is not there", [["a", { other: "passed" }]] as const],
  ])("leaves a failure where in the second run %s", async (_, second) => {
    expect(await look([["a", { one: "failed" }]], second)).toMatchObject({
      counts: { passed: 0, failed: 1, skipped: 0 },
      said: "",
    });
  });

  it("believes the first run where the second leaves no report", async () => {
    expect((await look([["a", { one: "failed" }]], null)).counts).toEqual({
      passed: 0,
      failed: 1,
      skipped: 0,
    });
  });
});
