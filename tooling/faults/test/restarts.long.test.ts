import { expect, test } from "vitest";
import { runRestarts } from "../src/restarts.ts";

/**
 * How soon each is answered is for `npm run faults -- --restarts 20` on a machine of its own; here
 * others run beside it.
 */
test(
  "restarted under load: every delivery is answered in the end, all that was accepted is stored, nothing is lost or doubled",
  { timeout: 300_000 },
  async () => {
    const said: string[] = [];
    const report = await runRestarts({
      restarts: 2,
      rate: 50,
      seed: 3,
      lanes: 2,
      say: (text) => said.push(text),
    });
    expect(report.attempts).toBeGreaterThan(100);
    expect(report.turnsExpected).toBeGreaterThan(0);
    expect(report, said.join("\n")).toMatchObject({
      unanswered: 0,
      stored: report.accepted,
      lost: 0,
      doubled: 0,
      violations: [],
    });
    expect(report.accepted).toBe(report.attempts);
  },
);
