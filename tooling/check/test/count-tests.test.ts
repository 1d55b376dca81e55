import { describe, expect, it } from "vitest";
import { countTests } from "../src/count-tests.ts";

const report = (files: readonly unknown[], numbers: Record<string, unknown> = {}): string =>
  JSON.stringify({
    numPassedTests: 3,
    numFailedTests: 0,
    numPendingTests: 1,
    numTodoTests: 0,
    testResults: files,
    ...numbers,
  });

describe("countTests", () => {
  it("takes the numbers of the report", () => {
    expect(
      countTests(report([{ status: "passed", assertionResults: [{}] }], { numFailedTests: 2 })),
    ).toEqual({ passed: 3, failed: 2, skipped: 1 });
  });

  it("counts a file that does not load, and so holds no test, as one failure", () => {
    expect(countTests(report([{ status: "failed", assertionResults: [] }])).failed).toBe(1);
  });

  it("does not count a file twice when its failed tests are counted already", () => {
    expect(
      countTests(report([{ status: "failed", assertionResults: [{}] }], { numFailedTests: 1 }))
        .failed,
    ).toBe(1);
  });

  it("does not take a report of another shape for a run without failures", () => {
    expect(() => countTests("{}")).toThrow("no number numPassedTests");
    expect(() =>
      countTests(
        JSON.stringify({
          numPassedTests: 1,
          numFailedTests: 0,
          numPendingTests: 0,
          numTodoTests: 0,
        }),
      ),
    ).toThrow("lists no files");
  });
});
