import { expect, test, vi } from "vitest";
import { runSyscalls } from "../src/syscalls/run.ts";

/**
 * A short form of `npm run faults -- --syscalls 500`, which is run by hand (docs/reliability.md).
 */
const short = { positions: 12, beside: 2, without: null, say: () => {} };

test(
  "D02 calls of the system that fail while deliveries are stored: nothing acknowledged is lost, and with the disk whole again it goes on",
  { timeout: 300_000 },
  async ({ skip }) => {
    const report = await runSyscalls(short);
    if (report.notRun > 0) skip("strace is not installed");
    expect(report).toMatchObject({ positions: 12, notReached: 0, violations: [] });
    expect(Object.keys(report.struck)).toHaveLength(6);
  },
);

test(
  "without the refusal of what could not be stored the same run goes red",
  { timeout: 300_000 },
  async ({ skip }) => {
    const { notRun, violations } = await runSyscalls({ ...short, without: "refusal" });
    if (notRun > 0) skip("strace is not installed");
    expect(violations.length).toBeGreaterThan(0);
  },
);

test("without strace nothing is run, and the report says of how many that is so", async () => {
  const said: string[] = [];
  vi.stubEnv("PATH", "/nowhere");
  const report = await runSyscalls({ ...short, say: (text) => said.push(text) }).finally(() =>
    vi.unstubAllEnvs(),
  );
  expect(report).toMatchObject({ positions: 0, notRun: 12, violations: [] });
  expect(said.join()).toContain("strace is not installed");
});
