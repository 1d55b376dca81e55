import { expect, test } from "vitest";
import { type Observed, planCheckout } from "../src/plan.ts";

const rows: readonly (readonly [Observed["clone"], Observed["checkout"], string])[] = [
  ["absent", "absent", "make-clone clean-config fetch register follow-default write-files"],
  ["unfinished", "absent", "clean-config fetch register follow-default write-files"],
  ["ready", "absent", "clean-config fetch register follow-default write-files"],
  ["ready", "stale", "clean-config fetch forget-worktree register follow-default write-files"],
  ["ready", "unwritten", "clean-config write-files"],
  ["ready", "ready", "clean-config"],
  ["occupied", "absent", "blocked by clone"],
  ["ready", "occupied", "blocked by checkout"],
  ["absent", "occupied", "blocked by checkout"],
];

for (const [clone, checkout, expected] of rows) {
  test(`clone ${clone}, checkout ${checkout}: ${expected}`, () => {
    const plan = planCheckout({ clone, checkout }, "worktree");
    expect(plan.kind === "steps" ? plan.steps.join(" ") : `blocked by ${plan.by}`).toBe(expected);
  });

  test(`a clone of its own, ${clone}, checkout ${checkout}: the same without a default branch to follow`, () => {
    const plan = planCheckout({ clone, checkout }, "clone");
    expect(plan.kind === "steps" ? plan.steps.join(" ") : `blocked by ${plan.by}`).toBe(
      expected.replace("follow-default ", ""),
    );
  });
}
