import { describe, expect, it } from "vitest";
import type { Installed } from "../src/install.ts";
import { judge } from "../src/judge.ts";
import { tarballOf } from "../src/pack.ts";
import { parseManifest } from "../src/workspace.ts";

const manifests = [
  parseManifest(
    "core",
    `{ "name": "@loopwork/core", "dependencies": { "yaml": "1" }, "exports": { ".": {}, "./refs": {}, "./package.json": "" } }`,
  ),
  parseManifest(
    "cli",
    `{ "name": "@loopwork/cli", "dependencies": { "@loopwork/store": "1", "@loopwork/core": "1", "commander": "1" }, "bin": { "loop": "x" } }`,
  ),
];

const installed = (
  name: string,
  installedPackages: number,
  failures: readonly string[] = [],
): Installed => ({ name, installedPackages, bytes: 1, failures });

describe("the publish check", () => {
  it("reads entries and programs from the manifest", () => {
    expect(manifests[0]?.entries).toEqual([".", "./refs"]);
    expect(manifests[1]?.programs).toEqual(["loop"]);
  });

  it("does not take the tarball of harness-a-extra for the one of harness-a", () => {
    const files = ["loopwork-harness-a-0.1.0.tgz", "loopwork-harness-a-extra-0.1.0.tgz"];
    expect(tarballOf("@loopwork/harness-a", files)).toBe("loopwork-harness-a-0.1.0.tgz");
    expect(() => tarballOf("@loopwork/core", files)).toThrow("not packed once but 0 times");
  });

  it("fails when core brings a third package, or is not there at all", () => {
    expect(judge([installed("@loopwork/core", 2)], [], true)).toEqual([]);
    expect(judge([installed("@loopwork/core", 3)], [], true)).toEqual([
      expect.stringContaining("exactly 2 packages, and brought 3"),
    ]);
    expect(judge([], [], true)).toHaveLength(1);
  });

  it("fails when the command line is packed without the plugin, and passes every other failure on", () => {
    expect(judge([installed("@loopwork/core", 2)], [], false)).toEqual([
      "the packed command line has no plugin in it",
    ]);
    expect(
      judge(
        [
          installed("@loopwork/core", 2),
          installed("@loopwork/cli", 90, ["loop --help ended with 1"]),
        ],
        ["no answer"],
        true,
      ),
    ).toEqual(["loop --help ended with 1", "no answer"]);
  });
});
