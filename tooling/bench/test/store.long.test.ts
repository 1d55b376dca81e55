import { expect, test } from "vitest";
import { benchStore } from "../src/store.ts";

test("a short run measures every driver, PostgreSQL on a real server, and answers with the documented keys", async () => {
  const { drivers } = await benchStore({
    seconds: 0.1,
    rounds: 1,
    connections: 4,
    items: 5,
    progress: () => {},
  });
  expect(drivers.map(({ name }) => name)).toEqual(["memory", "sqlite", "postgres"]);
  for (const driver of drivers) {
    expect(Object.keys(driver)).toEqual([
      "name",
      "acceptsPerSecond",
      "acceptP99Ms",
      "claimP99Ms",
      "dispatchP99Ms",
    ]);
    for (const value of [
      driver.acceptsPerSecond,
      driver.acceptP99Ms,
      driver.claimP99Ms,
      driver.dispatchP99Ms,
    ])
      expect(value).toBeGreaterThan(0);
  }
}, 120_000);
