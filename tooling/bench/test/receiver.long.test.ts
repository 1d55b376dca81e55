import { expect, test } from "vitest";
import { benchReceiver } from "../src/receiver.ts";

test("a short run measures what it was asked to and answers with the documented keys", async () => {
  const before = process.execArgv;
  process.execArgv = ["--conditions=@loopwork/source"];
  const { contenders, generatorCpu } = await benchReceiver({
    only: ["loop", "loop-file", "loop-keeps-nothing"],
    seconds: 0.2,
    rounds: 1,
    connections: 4,
    flushDelayUs: 500,
    progress: () => {},
  }).finally(() => {
    process.execArgv = before;
  });
  expect(
    contenders.map(({ name, durable, ratio, bad }) => [name, durable, ratio > 0, bad]),
  ).toEqual([
    ["bare", false, true, 0],
    ["loop", true, true, 0],
    ["loop-file", true, true, 0],
    ["loop-keeps-nothing", false, true, 0],
  ]);
  expect(Object.keys(contenders[0] ?? {})).toEqual([
    "name",
    "durable",
    "requestsPerSecond",
    "ratio",
    "cpuMicrosPerRequest",
    "cpuRatio",
    "p50Ms",
    "p99Ms",
    "rssMiB",
    "bad",
  ]);
  expect(generatorCpu).toBeGreaterThan(0);
}, 60_000);
