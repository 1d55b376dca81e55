import { expect, test } from "vitest";
import { type Plant, plants } from "../src/plants.ts";
import { runSeed } from "../src/run.ts";

/** What each planted bug is seen by, among others. */
const seenBy: Readonly<Record<string, readonly string[]>> = {
  dedupe: ["word-repeated", "acknowledged-not-stored"],
  receipt: ["word-repeated"],
  "live-child": ["two-turns-in-lane"],
  "lane-lock": ["two-turns-in-lane"],
  pause: ["delivered-while-paused"],
  stop: ["delivered-while-stopped", "delivered-while-closed"],
  echo: ["own-echo"],
  merge: ["word-lost"],
  order: ["out-of-order"],
  outbox: ["post-missing"],
  marker: ["post-doubled"],
  commit: ["acknowledged-not-stored"],
  orphans: ["stuck"],
  gap: ["accepted-undecided", "stuck"],
  audit: ["never-heard-of"],
  facts: ["replayed-otherwise"],
  revoked: ["let-in-late"],
  since: ["undone-late"],
  stranger: ["effect-of-unauthorized", "stranger-heard"],
};

/** A bug that is not seen by then is not seen. */
const mostSeeds = 600;

/**
 * Names of the invariants that the first run that saw the bug found broken; empty when no run did.
 */
async function hunt(plant: Plant, names: readonly string[]): Promise<readonly string[]> {
  for (let seed = 1; seed <= mostSeeds; seed++) {
    const { violations } = await runSeed(seed, plant);
    const found = [...new Set(violations.map((violation) => violation.split(":")[0] ?? ""))];
    if (found.some((name) => names.includes(name))) return found;
  }
  return [];
}

test.each(plants.map((plant) => [plant.name, plant] as const))(
  "the planted bug %s is found",
  { timeout: 120_000 },
  async (name, plant) => {
    const found = await hunt(plant, seenBy[name] ?? []);
    expect(found).toContain((seenBy[name] ?? []).find((each) => found.includes(each)));
    expect(found).not.toEqual([]);
  },
);
