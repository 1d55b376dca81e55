import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { noPlant, plants } from "../src/plants.ts";
import { runSeeds, type SeedResult } from "../src/pool.ts";
import { runSeed } from "../src/run.ts";
import seeds from "../seeds.json" with { type: "json" };

test.each(Object.entries(seeds))("seed %s stays mended: %s", { timeout: 60_000 }, async (seed) => {
  expect((await runSeed(Number(seed), noPlant)).violations).toEqual([]);
});

/**
 * The hash over all traces, as the command prints it, and the seeds in the order in which they were
 * told.
 */
async function told(
  workers: number,
  plant: string,
): Promise<{ readonly hash: string; readonly results: readonly SeedResult[] }> {
  const hash = createHash("sha256");
  const results: SeedResult[] = [];
  await runSeeds({ from: 1, count: 60, plant, workers }, (result) => {
    hash.update(result.traceHash);
    results.push(result);
  });
  return { hash: hash.digest("hex"), results };
}

test(
  "however many threads there are, the same seeds are told in the same order with the same traces",
  { timeout: 120_000 },
  async () => {
    const [one, three] = [await told(1, noPlant.name), await told(3, noPlant.name)];
    expect(three).toEqual(one);
    expect(one.results.map(({ seed }) => seed)).toEqual(
      Array.from({ length: 60 }, (_, n) => n + 1),
    );
  },
);

test("a bug is planted in a thread as well", { timeout: 120_000 }, async () => {
  const { results } = await told(2, plants.find(({ name }) => name === "dedupe")?.name ?? "");
  expect(results.some(({ violations }) => violations.length > 0)).toBe(true);
});
