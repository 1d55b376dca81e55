import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let clone: string;
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), "loop-ci-"));
  mkdirSync(join(clone, "tools"));
  cpSync(fileURLToPath(new URL("../../../.ci", import.meta.url)), join(clone, ".ci"), {
    recursive: true,
  });
  tool("id", "echo 1000"); // Not root: nothing is installed here.
});
afterEach(() => rmSync(clone, { recursive: true, force: true }));

function tool(name: string, script: string): void {
  writeFileSync(join(clone, "tools", name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(clone, "tools", name), 0o755);
}

/** Runs `.ci/run` with an npm that answers as given to `npm test`, and to each of the two other suites. */
function ci(
  test: string,
  rest: string,
): { readonly stdout: string; readonly last: string; readonly status: number | null } {
  tool("npm", `if [ "$1" = test ]; then ${test}; else ${rest}; fi`);
  const { stdout, status } = spawnSync("bash", [".ci/run"], {
    cwd: clone,
    encoding: "utf8",
    env: { PATH: `${join(clone, "tools")}:/usr/local/bin:/usr/bin:/bin` },
  });
  return { stdout, last: stdout.trimEnd().split("\n").at(-1) ?? "", status };
}

describe(".ci/run", () => {
  it.each([
    [
      "everything passed",
      "echo '10 passed, 0 failed, 1 skipped'",
      "echo '7 passed, 0 failed, 0 skipped'",
      "24 passed, 0 failed, 1 skipped",
      0,
    ],
    [
      "a test failed",
      "echo '9 passed, 1 failed, 0 skipped'; exit 1",
      "echo '7 passed, 0 failed, 0 skipped'",
      "23 passed, 1 failed, 0 skipped",
      1,
    ],
    [
      "a suite ended without counts",
      "echo 'the build failed'; exit 2",
      "echo '7 passed, 0 failed, 0 skipped'",
      "14 passed, 1 failed, 0 skipped",
      1,
    ],
    [
      "a suite ended badly with good counts",
      "echo '10 passed, 0 failed, 0 skipped'; exit 1",
      "echo '7 passed, 0 failed, 0 skipped'",
      "24 passed, 1 failed, 0 skipped",
      1,
    ],
    [
      "nothing ran at all",
      "echo '0 passed, 0 failed, 0 skipped'",
      "echo '0 passed, 0 failed, 0 skipped'",
      "0 passed, 0 failed, 0 skipped",
      1,
    ],
    [
      "a test prints a line that looks like counts",
      "echo '99 passed, 0 failed, 0 skipped'; echo '3 passed, 2 failed, 0 skipped'; exit 1",
      "echo '1 passed, 0 failed, 0 skipped'",
      "5 passed, 2 failed, 0 skipped",
      1,
    ],
  ])("ends with the sum of all suites when %s", (_, test, rest, last, status) => {
    expect(ci(test, rest)).toMatchObject({ last, status });
  });

  it("says at the end once more what failed in any suite, in plain text, however much was printed since", () => {
    const failing = String.raw`printf '\033[31m FAIL \033[39m |core| test/a.test.ts > it breaks\nError: because\n'; echo '9 passed, 1 failed, 0 skipped'; exit 1`;
    const { stdout } = ci(
      failing,
      "seq 5000; echo 'FAIL row-3 a row (12 ms)'; seq 5000; echo '6 passed, 1 failed, 0 skipped'; exit 1",
    );
    const end = stdout.trimEnd().split("\n").slice(-120);
    expect(end).toContain("== what failed, from above");
    const [test, row] = [" FAIL  |core| test/a.test.ts > it breaks", "FAIL row-3 a row (12 ms)"];
    const ours = end.slice(end.indexOf("== what failed, from above"));
    expect(ours.filter((line) => line.includes("FAIL"))).toEqual([test, row, row, test, row]);
    expect(end).toContain("Error: because");
  });

  it("does not wait for a program that a test left behind with our output open", () => {
    const { last, status } = ci(
      "sleep 600 & echo $! >left; echo '10 passed, 0 failed, 0 skipped'",
      "echo '7 passed, 0 failed, 0 skipped'",
    );
    process.kill(Number(readFileSync(join(clone, "left"), "utf8")));
    expect([last, status]).toEqual(["24 passed, 0 failed, 0 skipped", 0]);
  });

  it("repeats nothing when nothing failed", () => {
    expect(
      ci("echo '1 passed, 0 failed, 0 skipped'", "echo '1 passed, 0 failed, 0 skipped'").stdout,
    ).not.toContain("what failed");
  });
});
