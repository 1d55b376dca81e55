import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tailOfPlainFile } from "../../src/files/plain-file.ts";
import { createOutputWindow } from "../../../runtime/src/turn/output-window.ts";
import { createScene } from "../support/scene.ts";

test("X02 signals stay whole and in order among the newest of the rest; noise is cut and dropped", () => {
  const window = createOutputWindow();
  const result = `{"type":"result","denied":"${"x".repeat(3_000_000)}"}`;
  window.add("first", true);
  for (let i = 0; i < 5_000; i++) window.add(`${i} ${"n".repeat(100_000)}`, false);
  window.add(result, true);
  const lines = window.lines();
  expect(lines[0]).toBe("first");
  expect(lines.at(-1)).toBe(result);
  expect(lines).toHaveLength(202);
  expect(lines[1]?.startsWith("4800 ")).toBe(true);
  expect(Math.max(...lines.slice(1, -1).map((line) => line.length))).toBeLessThanOrEqual(64 * 1024);
});

test("X02 a flood of signals is bounded, and the newest one always stays", () => {
  const window = createOutputWindow();
  for (let i = 0; i < 100; i++) window.add(`${i}${"s".repeat(1_000_000)}`, true);
  const kept = window.lines();
  expect(kept.length).toBeLessThanOrEqual(34);
  expect(kept.at(-1)?.startsWith("99")).toBe(true);
});

test("the end of a file is read without the rest, and a missing file is empty", async () => {
  const { dir } = createScene();
  writeFileSync(join(dir, "log"), `${"a".repeat(100_000)}the end`);
  expect(await tailOfPlainFile(join(dir, "log"), 7)).toBe("the end");
  expect(await tailOfPlainFile(join(dir, "nothing"))).toBe("");
});
