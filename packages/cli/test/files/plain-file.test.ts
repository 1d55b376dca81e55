import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, lstatSync, mkdtempSync, readdirSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openForOutput } from "../../src/files/plain-file.ts";

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "loop-plain-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

const canMakeDevices = ((): boolean => {
  const file = join(tmpdir(), `loop-device-${process.pid}`);
  const made = spawnSync("mknod", [file, "c", "1", "3"]).status === 0;
  rmSync(file, { force: true });
  return made;
})();

test.runIf(canMakeDevices).each([
  ["the one that keeps nothing is written to", ["c", "1", "3"], false],
  ["another one is an error", ["c", "1", "5"], true],
  ["a disk is an error", ["b", "7", "200"], true],
])("a device in the place of output is never moved: %s", (_what, kind, refused) => {
  const at = join(folder(), "out");
  execFileSync("mknod", [at, ...kind]);
  const before = lstatSync(at);
  if (refused) expect(() => openForOutput(at)).toThrow("is a device");
  else {
    const opened = openForOutput(at);
    expect(writeSync(opened, "kept nowhere")).toBe(12);
    closeSync(opened);
  }
  expect(lstatSync(at).rdev).toBe(before.rdev);
  expect(readdirSync(join(at, ".."))).toEqual(["out"]);
});

test("a pipe in the place of output is moved beside a new file", () => {
  const at = join(folder(), "out");
  execFileSync("mkfifo", [at]);
  closeSync(openForOutput(at));
  expect(lstatSync(at).isFile()).toBe(true);
  expect(readdirSync(join(at, ".."))).toHaveLength(2);
});
