import { expect, test } from "vitest";
import { benchSpawn } from "../src/spawn.ts";

test("a short run measures both ways at each size and the intake beside them, and answers with the documented keys", async () => {
  const before = process.execArgv;
  process.execArgv = ["--conditions=@loopwork/source"];
  const { ways, intake } = await benchSpawn({
    rounds: 1,
    adds: 3,
    seconds: 0.2,
    connections: 2,
    progress: () => {},
  }).finally(() => {
    process.execArgv = before;
  });
  expect(ways.map(({ name }) => name)).toEqual([
    "direct",
    "broker",
    "direct",
    "broker",
    "direct",
    "broker",
  ]);
  for (const way of ways)
    expect(Object.keys(way)).toEqual([
      "name",
      "residentMiB",
      "blockP50Ms",
      "blockP99Ms",
      "startedP50Ms",
    ]);
  for (const { residentMiB } of ways.slice(4)) expect(residentMiB).toBeGreaterThanOrEqual(300);
  for (const { startedP50Ms, blockP50Ms } of ways) expect(startedP50Ms).toBeGreaterThan(blockP50Ms);
  expect(intake.map(({ name, ratioToIdle }) => [name, ratioToIdle > 0])).toEqual([
    ["idle", true],
    ["direct", true],
    ["broker", true],
  ]);
}, 120_000);
