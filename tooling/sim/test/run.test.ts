import { expect, test } from "vitest";
import { noPlant } from "../src/plants.ts";
import { runSeed } from "../src/run.ts";

test(
  "the same seed tells the same story to the last byte, another one another",
  { timeout: 60_000 },
  async () => {
    const [once, twice, other] = [
      await runSeed(7, noPlant),
      await runSeed(7, noPlant),
      await runSeed(8, noPlant),
    ];
    expect(twice.traceHash).toBe(once.traceHash);
    expect(twice.steps).toBe(once.steps);
    expect(other.traceHash).not.toBe(once.traceHash);
  },
);

test("fifty runs with crashes and disorder break nothing", { timeout: 120_000 }, async () => {
  const broken: string[] = [];
  for (let seed = 1001; seed <= 1050; seed++)
    for (const violation of (await runSeed(seed, noPlant)).violations)
      broken.push(`seed ${seed}: ${violation}`);
  expect(broken).toEqual([]);
});

test(
  "runs in which people leave much to the operator come to rest",
  { timeout: 60_000 },
  async () => {
    const broken: string[] = [];
    for (const seed of [304, 405, 761, 863])
      broken.push(...(await runSeed(seed, noPlant, true)).violations);
    expect(broken).toEqual([]);
  },
);
