import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const bin = fileURLToPath(new URL("../../src/bin.ts", import.meta.url));
const preload = new URL("../support/loaded-modules.ts", import.meta.url).href;

// Time is for the benchmark (`bench startup`); what made it slow once was one import of the whole core.
test.each([["--help"], ["hook", "pre-tool"]])("`loop %s` loads nothing of the core but its errors, and no other package than it needs", (...args) => {
  const own = loadedBy(args).filter((url) => url.includes("/packages/"));

  expect(own.filter((url) => url.includes("/packages/core/")).map((url) => url.split("/packages/core/src/")[1])).toEqual(["errors.ts"]);
  expect(own.filter((url) => !/\/packages\/(?:core|cli|harness-a\/src\/(?:ledger|terminal\/events|hook-line|fields)\.)/.test(url))).toEqual([]);
  expect(own.length).toBeGreaterThan(4);
});

test.each([["--help"], ["hook", "pre-tool"], ["sessions", "list"], ["status"]])("`loop %s` loads neither Express nor schemas nor the SDK of MCP nor tracing: those are the service's", (...args) => {
  expect(loadedBy(args, [0, 1]).filter((url) => /node_modules\/.*(?:express|zod|@modelcontextprotocol|prom-client)|\/tracing\//.test(url))).toEqual([]);
});

test("a command that reads the configuration does load the core, so that the test above can fail", () => {
  expect(loadedBy(["sessions", "list"]).filter((url) => url.includes("/packages/core/")).length).toBeGreaterThan(20);
});

function loadedBy(args: readonly string[], expected: readonly (number | null)[] = [0]): string[] {
  const home = mkdtempSync(join(tmpdir(), "loop-light-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const list = join(home, "loaded");
  const env = { PATH: process.env["PATH"], HOME: home, LOADED_MODULES: list };
  const { status, stderr } = spawnSync(process.execPath, ["--conditions=@loopwork/source", "--import", preload, bin, ...args], { cwd: home, env, encoding: "utf8", input: "" });
  expect(stderr).toBe("");
  expect(expected).toContain(status);
  return readFileSync(list, "utf8").trim().split("\n");
}
