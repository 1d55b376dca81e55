import { describe, expect, it } from "vitest";
import { countsAtTheEnd, parts, partsOfCi } from "../src/long/parts.ts";

const passed = { passed: 1, failed: 0, skipped: 0 };
const failed = { passed: 0, failed: 1, skipped: 0 };

describe("npm run test:long", () => {
  it.each([
    ["a last line of counts", 0, "ok\n3 passed, 0 failed, 1 skipped\n", [3, 0, 1]],
    ["failures", 1, "3 passed, 2 failed, 0 skipped\n", [3, 2, 0]],
    ["an exit code that no failure explains", 1, "3 passed, 0 failed, 0 skipped\n", [3, 1, 0]],
    ["counts that are not last", 0, "3 passed, 0 failed, 0 skipped\nkilled\n", [0, 1, 0]],
    ["nothing", 0, "", [0, 1, 0]],
  ])("reads %s", (_name, code, output, [passing, failing, skipped]) => {
    expect(countsAtTheEnd(code, output)).toEqual({ passed: passing, failed: failing, skipped });
  });

  it.each([
    ["simulation of 2000 seeds", { seeds: 2000, violations: [] }, { seeds: 2000, violations: [1] }],
    [
      "kills",
      { lost: 0, doubled: 0, outOfOrder: 0, violations: [] },
      { lost: 0, doubled: 1, outOfOrder: 0, violations: [] },
    ],
    ["fault matrix", { cellsRun: 9, violations: [] }, { cellsRun: 0, violations: [] }],
  ])("judges the report of the %s", (name, good, bad) => {
    const part = parts.find((each) => each.name === name);
    expect(part?.judge(0, `said before\n${JSON.stringify(good)}\n`)).toEqual(passed);
    expect(part?.judge(0, `${JSON.stringify(bad)}\n`)).toEqual(failed);
    expect(part?.judge(1, `${JSON.stringify(good)}\n`)).toEqual(failed);
    expect(part?.judge(0, "no report\n")).toEqual(failed);
  });

  it("gives CI the attacks and seeds that are always the same", () => {
    expect(partsOfCi.map(({ name }) => name)).toEqual(["simulation of 500 seeds", "attacks"]);
  });
});
