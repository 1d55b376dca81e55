import { fixtureClaude } from "@loopwork-tooling/fixture-harness";
import { describe, expect, test } from "vitest";
import { rows } from "../src/rows/index.ts";
import { runRow } from "../src/run-rows.ts";
import { fixtureSubject } from "../src/subject.ts";

describe("the fixture keeps the contract of harness A", () => {
  test.concurrent.each(rows.map((row) => [row.id, row.title, row] as const))("%s %s", { timeout: 400_000 }, async (_id, _title, row) => {
    expect((await runRow(row, fixtureSubject(fixtureClaude))).failure).toBe(null);
  });
});

test("ids of rows are stable names: each stands once", () => {
  expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length);
  expect(rows.length).toBeGreaterThan(60);
  // A look for the adversarial case R01 must find what proves it and nothing else.
  for (const { id } of rows) expect(id).toMatch(/^(AD|HA)-[a-z]+-\d\d$/);
});
