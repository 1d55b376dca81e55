import { expect, test } from "vitest";
import { type Observed, planCheckout } from "../src/plan.ts";

const rows: readonly (readonly [Observed["clone"], Observed["checkout"], string])[] = [
  ["absent", "absent", "make-clone clean-config fetch follow-default register write-files"],
  ["unfinished", "absent", "clean-config fetch follow-default register write-files"],
  ["ready", "absent", "clean-config fetch follow-default register write-files"],
  ["ready", "stale", "clean-config fetch follow-default forget-worktree register write-files"],
  ["ready", "unwritten", "clean-config write-files"],
  ["ready", "ready", "clean-config"],
  ["occupied", "absent", "blocked by clone"],
  ["ready", "occupied", "blocked by checkout"],
  ["absent", "occupied", "blocked by checkout"],
];

for (const [clone, checkout, expected] of rows) {
  test(`clone ${clone}, checkout ${checkout}: ${expected}`, () => {
    const plan = planCheckout({ clone, checkout });
    expect(plan.kind === "steps" ? plan.steps.join(" ") : `blocked by ${plan.by}`).toBe(expected);
  });
}
