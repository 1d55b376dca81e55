import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { inspect } from "../src/inspect.ts";
import { readTarball, type PackedFile } from "../src/tarball.ts";

const whole = { "README.md": "x", LICENSE: "x", "dist/index.js": "x", "dist/index.d.ts": "x" };
const packed = (
  manifest: object,
  more: Readonly<Record<string, string>> = {},
): readonly PackedFile[] =>
  Object.entries({
    ...whole,
    "package.json": JSON.stringify({ license: "MIT", ...manifest }),
    ...more,
  }).map(([path, text]) => ({ path, bytes: new TextEncoder().encode(text) }));

describe("what is wrong with a packed package", () => {
  it("is nothing when it has what it needs and no more", () => {
    expect(
      inspect("x", packed({ dependencies: { yaml: "2.9.1", "@loopwork/core": "^0.1.0" } })),
    ).toEqual([]);
  });

  it.each([
    [
      "a range only this repository understands",
      { dependencies: { yaml: "catalog:" } },
      {},
      "asks for yaml at catalog:",
    ],
    [
      "a sibling that is not a version",
      { dependencies: { "@loopwork/core": "workspace:^" } },
      {},
      "at workspace:^",
    ],
    [
      "an entry into sources",
      { exports: { ".": { "@loopwork/source": "./src/index.ts" } } },
      {},
      "exports sources",
    ],
    [
      "a script that runs at installation",
      { scripts: { postinstall: "node x" } },
      {},
      "runs postinstall",
    ],
    ["no licence", { license: undefined }, {}, "licence"],
    ["build state", {}, { "dist/.tsbuildinfo": "x" }, "packed with dist/.tsbuildinfo"],
    [
      "a map to sources that are not there",
      {},
      { "dist/index.js.map": "x" },
      "packed with dist/index.js.map",
    ],
    ["half of a build", {}, { "dist/refs.js": "" }, "an empty dist/refs.js"],
    ["secrets", {}, { ".npmrc": "x" }, "packed with .npmrc"],
  ])("is %s", (_, manifest, more, problem) => {
    expect(inspect("x", packed(manifest, more))).toEqual([expect.stringContaining(problem)]);
  });

  it("is each file that it needs and that is not there", () => {
    expect(inspect("x", [])).toHaveLength(5);
    expect(inspect("@loopwork/control-plane", packed({}))).toEqual([
      "@loopwork/control-plane is packed without dist/ui/index.html",
      "@loopwork/control-plane is packed without dist/ui/licenses.md",
    ]);
  });
});

describe("reading a tarball", () => {
  const folder = mkdtempSync(join(tmpdir(), "loop-tarball-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("finds every file with its bytes, also below a long path", () => {
    const long = `package/dist/${"deep/".repeat(30)}file-with-a-name.js`;
    for (const [path, text] of Object.entries({
      "package/package.json": "{}",
      [long]: "é".repeat(700),
      "package/empty": "",
    })) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    for (const format of ["ustar", "pax"]) {
      execFileSync("tar", ["-czf", "x.tgz", `--format=${format}`, "package"], { cwd: folder });
      const files = readTarball(join(folder, "x.tgz")).map(
        ({ path, bytes }) => `${path} ${bytes.length}`,
      );
      expect(new Set(files)).toEqual(
        new Set([`${long.replace("package/", "")} 1400`, "empty 0", "package.json 2"]),
      );
    }
  });
});
