import { fixtureClaude } from "@loopwork-tooling/fixture-harness";
import { planTurn, proveReceipts } from "@loopwork/harness-a";
import { describe, expect, onTestFinished, test } from "vitest";
import { proofIn } from "../src/rows/crashes.ts";
import { rows } from "../src/rows/index.ts";
import { runRow } from "../src/run-rows.ts";
import { openScene } from "../src/scene.ts";
import { fixtureSubject } from "../src/subject.ts";

describe("the fixture keeps the contract of harness A", () => {
  test.concurrent.each(rows.map((row) => [row.id, row.title, row] as const))(
    "%s %s",
    { timeout: 400_000 },
    async (_id, _title, row) => {
      expect((await runRow(row, fixtureSubject(fixtureClaude))).failure).toBe(null);
    },
  );
});

test("ids of rows are stable names: each stands once", () => {
  expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length);
  expect(rows.length).toBeGreaterThan(60);
  // A search for the hostile case R01 must find what proves it and nothing else.
  for (const { id } of rows) expect(id).toMatch(/^(AD|HA)-[a-z]+-\d\d$/);
});

// No row: the real program writes its record some 100 ms late, which a slow machine takes longer
// than to ask the model.
test(
  "a version that writes its record some time after it asked the model fails the proof",
  { timeout: 60_000 },
  async () => {
    const scene = openScene(fixtureSubject(fixtureClaude));
    onTestFinished(scene.close);
    const withoutFlush: typeof planTurn = (request, command) => {
      const plan = planTurn(request, command);
      return { ...plan, env: { ...plan.env, CLAUDE_CODE_EAGER_FLUSH: "0" } };
    };
    expect(await proveReceipts(proofIn(scene), withoutFlush)).toBe(false);
  },
);
