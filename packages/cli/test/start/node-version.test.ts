import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { isSupported } from "../../src/node-version.ts";

test.each([
  ["20.20.2", false],
  ["24.14.9", false],
  ["24.15.0", true],
  ["24.21.0", true],
  ["26.10.0", true],
  ["3.99.0", false],
])("Node %s: %s", (version, supported) => {
  expect(isSupported(version)).toBe(supported);
});

/** Lets the program believe that it runs under an old Node, before its first line. */
const pretendOld =
  "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.20.2'})";

test.each(["bin.ts", "daemon-entry.ts"])(
  "%s under an old Node ends with one line that says what to do, exit 2",
  (file) => {
    const ran = spawnSync(
      process.execPath,
      [
        "--conditions=@loopwork/source",
        "--import",
        pretendOld,
        fileURLToPath(new URL(`../../src/${file}`, import.meta.url)),
        "status",
      ],
      { encoding: "utf8" },
    );
    expect(ran.status).toBe(2);
    expect(ran.stdout).toBe("");
    expect(ran.stderr).toMatch(
      /^loop needs Node\.js 24\.15 or newer, but this is 20\.20\.2\. .*\n$/,
    );
  },
);
