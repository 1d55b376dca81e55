import { expect, test } from "vitest";
import { benchLimits } from "../src/limits.ts";

test("a short run measures a slow disk, one delivery at a time and a start over what a killed receiver left", async () => {
  const before = process.execArgv;
  process.execArgv = ["--conditions=@loopwork/source"];
  const { slowDisk, alone, start } = await benchLimits({
    seconds: 0.2,
    rounds: 1,
    flushDelayUs: 3_000,
    adds: 300,
    progress: () => {},
  }).finally(() => {
    process.execArgv = before;
  });
  // An answer waits for one flush at least, also when the write and the flush are one call.
  expect(
    slowDisk.rows.map(({ name, connections, requestsPerSecond, p50Ms }) => [
      name,
      connections,
      requestsPerSecond > 0,
      p50Ms >= 3,
    ]),
  ).toEqual(
    [64, 256].flatMap((count) =>
      ["one-commit", "loop", "loop-file"].map((name) => [name, count, true, true]),
    ),
  );
  expect(alone.rows.map(({ name, p50Ms }) => [name, p50Ms > 0])).toEqual(
    ["bare", "one-commit", "loop", "loop-file"].map((name) => [name, true]),
  );
  expect([alone.flushP50Ms > 0, alone.rows[0]?.overBareInFlushes]).toEqual([true, 0]);
  expect([start.deliveries, ...start.rows.map(({ name, readyMs }) => [name, readyMs > 0])]).toEqual(
    [300, ["bare", true], ["loop", true], ["loop-file", true]],
  );
}, 120_000);
