import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parseRecord, recordOf, writeRecord } from "../src/index.ts";

test("a record says what ran, on which machine and commit, and is read back as it was written", () => {
  const folder = mkdtempSync(join(tmpdir(), "loop-record-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const record = recordOf("npm run -s sim -- --seeds 3", 1.6, { seeds: 3, violations: [] });
  expect(record).toMatchObject({ command: "npm run -s sim -- --seeds 3", seconds: 2, result: { seeds: 3, violations: [] } });
  expect(record.commit).toMatch(/^[0-9a-f]{12}$/);
  expect(record.machine.cores).toBeGreaterThan(0);
  const file = join(folder, "deep", "sim.json");
  writeRecord(file, record);
  expect(parseRecord(readFileSync(file, "utf8"))).toEqual(record);
  expect(readdirSync(join(folder, "deep"))).toEqual(["sim.json"]);
});

test("what is no record is refused", () => {
  expect(() => parseRecord('{"seeds":3}')).toThrow("no record");
});
