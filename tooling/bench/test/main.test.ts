import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parseFlags } from "../src/flags.ts";

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));

function bench(...args: readonly string[]): {
  readonly code: number | null;
  readonly out: string;
  readonly told: string;
} {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--conditions=@loopwork/source", main, ...args],
    { encoding: "utf8" },
  );
  return { code: status, out: stdout, told: stderr };
}

describe("npm run bench", () => {
  test("reads how to measure; what is not said is left to the measurement", () => {
    expect(
      parseFlags([
        "receiver",
        "--json",
        "--out",
        "bench.json",
        "--seconds",
        "0.5",
        "--only",
        "loop,bare",
      ]),
    ).toEqual({
      name: "receiver",
      json: true,
      out: "bench.json",
      options: { seconds: 0.5, only: ["loop", "bare"] },
    });
  });

  test.each([
    [["speed"], 'there is no measurement "speed"'],
    [[], 'there is no measurement ""'],
    [["route", "store"], "store is one too many"],
    [["route", "--seconds", "soon"], "--seconds takes a number"],
    [["route", "--fast"], "Unknown option '--fast'"],
  ])("%j: says what is wrong and what there is, exit 2", (args, why) => {
    const { code, out, told } = bench(...args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(told).toContain(why);
    expect(told).toContain(
      "usage: npm run bench -- <route|startup|workspace|store|sandbox|spawn|receiver|limits|all>",
    );
    expect(told).not.toContain("    at ");
  });
});
