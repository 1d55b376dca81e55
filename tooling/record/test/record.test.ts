import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parseRecord, recordOf, writeRecord } from "../src/index.ts";

test("a record says what ran, on which machine and commit, and is read back as it was written", () => {
  const folder = mkdtempSync(join(tmpdir(), "loop-record-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const record = recordOf("npm run -s sim -- --seeds 3", 1.6, { seeds: 3, violations: [] });
  expect(record).toMatchObject({
    command: "npm run -s sim -- --seeds 3",
    seconds: 2,
    result: { seeds: 3, violations: [] },
  });
  expect(record.commit).toMatch(/^[0-9a-f]{12}$/);
  expect(record.machine.cores).toBeGreaterThan(0);
  const file = join(folder, "deep", "sim.json");
  writeRecord(file, record);
  expect(parseRecord(readFileSync(file, "utf8"))).toEqual(record);
  expect(readdirSync(join(folder, "deep"))).toEqual(["sim.json"]);
});

test("a tree counts as changed by what is measured, not by the records that a long run has written so far", () => {
  const tree = mkdtempSync(join(tmpdir(), "loop-record-"));
  onTestFinished(() => rmSync(tree, { recursive: true, force: true }));
  const git = (...args: readonly string[]): unknown =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.invalid", ...args], {
      cwd: tree,
      stdio: "ignore",
    });
  const isChanged = (): boolean => recordOf("x", 1, {}, tree).changed;
  mkdirSync(join(tree, "docs", "reliability"), { recursive: true });
  for (const file of ["code.ts", "docs/reliability.md", "docs/reliability/kills.json"])
    writeFileSync(join(tree, file), "1");
  git("init", "-q");
  git("add", ".");
  git("commit", "-q", "-m", "all");
  for (const file of ["docs/reliability.md", "docs/reliability/kills.json"])
    writeFileSync(join(tree, file), "2");
  expect(isChanged()).toBe(false);
  writeFileSync(join(tree, "code.ts"), "2");
  expect(isChanged()).toBe(true);
});

test("what is no record is refused", () => {
  expect(() => parseRecord('{"seeds":3}')).toThrow("no record");
});
