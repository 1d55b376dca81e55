import { expect, test } from "vitest";
import { type FleetPlan, runFleet } from "../src/fleet/run.ts";

/**
 * A short form of `npm run faults -- --store postgres --full`, which is run by hand
 * (docs/reliability.md).
 */
const short: FleetPlan = {
  deliveries: 48,
  instances: 3,
  items: 40,
  lanes: 6,
  wordsPerLane: 6,
  kills: 2,
  stops: 1,
  adoptions: 1,
  serverKills: 1,
};
const quiet = (): void => {};

test(
  "S08 S09 instances on one PostgreSQL server that are killed, stopped and adopted, as is the server: nothing lost, doubled, out of order or two at once, every new item claimed once",
  { timeout: 300_000 },
  async () => {
    const said: string[] = [];
    const report = await runFleet(short, 5, null, (text) => said.push(text));
    expect(report, said.join("\n")).toMatchObject({
      lost: 0,
      doubled: 0,
      overlapping: 0,
      outOfOrder: 0,
      passedOver: 0,
      claims: short.items,
      claimedTwice: 0,
      lateTaken: 0,
      violations: [],
    });
    expect([
      report.accepted >= short.deliveries,
      report.turnsExpected >= 36,
      report.adopted > 0,
      report.lateRefused > 0,
    ]).toEqual([true, true, true, true]);
  },
);

test("without the claim several instances take one item", { timeout: 300_000 }, async () => {
  const { claimedTwice, violations } = await runFleet(short, 5, "claim", quiet);
  expect([claimedTwice > 0, violations.length > 0]).toEqual([true, true]);
});

test(
  "without the accept lock readers pass deliveries over, with it and all else the same they pass none",
  { timeout: 300_000 },
  async () => {
    const { passedOver, passedOverWithLock, violations } = await runFleet(
      short,
      5,
      "accept-lock",
      quiet,
    );
    expect([passedOverWithLock, passedOver > 0, violations.length]).toEqual([0, true, passedOver]);
  },
);

test(
  "without the fence somebody who has lost a lane begins a turn",
  { timeout: 300_000 },
  async () => {
    const { lateTaken, violations } = await runFleet(
      { ...short, kills: 0, adoptions: 0, serverKills: 0, stops: 3 },
      5,
      "fence",
      quiet,
    );
    expect([lateTaken > 0, violations.length > 0]).toEqual([true, true]);
  },
);
