import { execFileSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { compileCache } from "@loopwork-tooling/practice-host";
import { expect, test } from "vitest";
import { ask } from "../../src/io/ask.ts";
import { createScene } from "../support/scene.ts";

const bin = fileURLToPath(new URL("../../src/bin.ts", import.meta.url));

function typed(
  keys: string,
  thenLeaves: boolean,
): { readonly input: PassThrough; readonly output: PassThrough } {
  const [input, output] = [new PassThrough(), new PassThrough()];
  input.write(keys);
  if (thenLeaves) input.end();
  return { input, output };
}

test("an answer is what was typed, without what surrounds it", async () => {
  const { input, output } = typed("  ada/garden \n", false);
  expect(await ask("Which? ", input, output)).toBe("ada/garden");
  expect(String(output.read())).toContain("Which? ");
});

test("somebody who leaves instead of answering is told that nothing was written, and it is no bug", async () => {
  const { input, output } = typed("", true);
  await expect(ask("Which? ", input, output)).rejects.toMatchObject({ code: "LOOP_E_NO_ANSWER" });
});

/** Types a command line in a folder that goes before it begins. */
function inGoneFolder(...argv: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "loop-gone-"));
  const script = `cd "$1" && rmdir "$1" && shift && "$@"; echo "exit $?"`;
  const said = execFileSync(
    "/bin/sh",
    [
      "-c",
      `${script}`,
      "sh",
      folder,
      process.execPath,
      "--conditions=@loopwork/source",
      bin,
      ...argv,
    ],
    {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env["PATH"] ?? "", HOME: createScene().home, ...compileCache() },
    },
  );
  expect(() => rmdirSync(folder)).toThrow("ENOENT");
  return said;
}

test(
  "in a folder that is there no more every command says so, and help helps",
  { timeout: 60_000 },
  () => {
    expect(inGoneFolder("status", "--json")).toMatch(/LOOP_E_NO_FOLDER[^]*exit 2/);
    expect(inGoneFolder("--help")).toMatch(/Usage: loop[^]*exit 0/);
    expect(inGoneFolder("hook", "stop")).toBe("exit 0\n");
  },
);
