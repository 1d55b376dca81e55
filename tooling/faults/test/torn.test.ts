import { expect, test } from "vitest";
import { runTorn } from "../src/torn/run.ts";

/** A short form of `npm run faults -- --torn 5000`, which is run by hand (docs/reliability.md). */
const short = { mutations: 60, seed: 1, without: null, say: () => {} };

test(
  "D03 logs and files of bodies that are torn in any way: what was committed before is there, damaged bodies are told, the store goes on",
  { timeout: 120_000 },
  async () => {
    const report = await runTorn(short);
    expect(report.violations).toEqual([]);
    expect([
      Object.keys(report.made).length,
      report.shortened > 0,
      report.damagedBodies > 0,
    ]).toEqual([7, true, true]);
  },
);

test(
  "where no checksum stands over what is damaged the same run goes red",
  { timeout: 120_000 },
  async () => {
    const { violations } = await runTorn({ ...short, mutations: 3, without: "checksum" });
    expect(violations.length).toBeGreaterThan(0);
  },
);
