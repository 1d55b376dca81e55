import { expect, test } from "vitest";
import { benchTables } from "../../src/report/bench-tables.ts";
import { targets, targetTable } from "../../src/report/targets.ts";

const contender = (name: string, requestsPerSecond: number, cpuMicrosPerRequest: number) => ({
  name,
  durable: name === "loop",
  requestsPerSecond,
  ratio: requestsPerSecond / 10_000,
  cpuMicrosPerRequest,
  cpuRatio: cpuMicrosPerRequest / 30,
  rssMiB: 90,
});
const bench = {
  receiver: {
    contenders: [
      contender("bare", 10_000, 30),
      contender("loop", 9_100, 45),
      contender("probot", 3_000, 120),
      contender("octokit-webhooks", 6_000, 60),
      contender("loop-keeps-nothing", 9_500, 33),
    ],
  },
  route: { payloads: 206, decisionsPerSecond: 400_000, worstCase64KiBMs: 0.7, growthPer4x: 4.1 },
  limits: {
    slowDisk: {
      rows: [
        { name: "loop", connections: 64, ratio: 26, p99Ms: 14 },
        { name: "loop", connections: 256, ratio: 59, p99Ms: 30 },
      ],
    },
    alone: { rows: [{ name: "loop", overBareInFlushes: 1.2 }] },
    start: { rows: [{ name: "loop", ratio: 1.6 }] },
  },
  workspace: {
    ways: [{ name: "loop from the pool", ratioToWorktreeAdd: 0.5 }],
    concurrent: { adds: 1_000, failures: 0 },
  },
  spawn: {
    intake: [
      { name: "idle", ratioToIdle: 1 },
      { name: "broker", ratioToIdle: 1.1 },
    ],
  },
};
const kills = { kills: 1_000, lost: 0, doubled: 1 };

test("every row of the table of targets has what the run measured and whether that is enough, or why nothing measures it", () => {
  const table = targetTable((name) => (name === "bench" ? bench : name === "kills" ? kills : null));
  const outcomes = table
    .split("\n")
    .slice(2)
    .map((line) => line.split(" | ").at(-1)?.replace(" |", ""));
  const [met, not, none] = ["met", "**not met**", ""];
  expect(outcomes).toEqual([
    met,
    not,
    met,
    not,
    none,
    none,
    not,
    met,
    met,
    met,
    not,
    met,
    not,
    met,
    met,
    not,
  ]);
  expect(table).toContain("| 26 times with 64; 59 times with 256 |");
  expect(table).toContain("| 3 us more, for all of the receiver");
  expect(table).toContain("not measured here: it is a Go program");
  expect(table).not.toMatch(/NaN|undefined|no run on record/);
});

test("without a record each row that is measured says so, and there are sixteen", () => {
  const table = targetTable(() => null);
  expect(targets).toHaveLength(16);
  expect(table.match(/no run on record/g)).toHaveLength(14);
});

test("each measurement has a table; what was not measured in a run says so", () => {
  const shown = benchTables({ route: bench.route, receiver: bench.receiver });
  expect(shown).toContain("| payloads | decisionsPerSecond | worstCase64KiBMs | growthPer4x |");
  expect(shown).toContain("| loop | true | 9,100 | 0.91 | 45 | 1.5 | 90 |");
  expect(shown).toContain("**Commands**\n\nNot in the run on record.");
});
