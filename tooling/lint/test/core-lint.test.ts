import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { copyOfCore, root } from "./scratch.ts";

/**
 * What compiles, and must not stand in core: clocks, randomness, and roads to Node that no type
 * forbids.
 */
const impure: Readonly<Record<string, { readonly text: string; readonly rule: string }>> = {
  "date-now": { text: "export const value: number = Date.now();", rule: "no-restricted-globals" },
  "new-date": { text: "export const value: Date = new Date();", rule: "no-restricted-globals" },
  "through-globalThis": {
    text: "export const value: number = globalThis.Date.now();",
    rule: "no-restricted-globals",
  },
  random: { text: "export const value: number = Math.random();", rule: "no-restricted-properties" },
  performance: {
    text: "export const value: number = performance.now();",
    rule: "no-restricted-globals",
  },
  "random-renamed": {
    text: "const { random } = Math;\nexport const value: number = random();",
    rule: "no-restricted-properties",
  },
  crypto: {
    text: "export const value: string = crypto.randomUUID();",
    rule: "no-restricted-globals",
  },
  "node-fs": {
    text: `import { readFileSync } from "node:fs";\nexport const value: unknown = readFileSync;`,
    rule: "no-restricted-imports",
  },
  "node-bare": {
    text: `import { join } from "path";\nexport const value: unknown = join;`,
    rule: "no-restricted-imports",
  },
  sibling: {
    text: `import { openStore } from "@loopwork/store";\nexport const value: unknown = openStore;`,
    rule: "no-restricted-imports",
  },
  process: { text: "export const value: unknown = process.env;", rule: "no-restricted-globals" },
  timer: {
    text: "setTimeout(() => {}, 1);\nexport const value: number = 1;",
    rule: "no-restricted-globals",
  },
};

type Finding = { readonly code: string; readonly filename: string };

function lint(folder: string): readonly Finding[] {
  const { stdout } = spawnSync(
    join(root, "node_modules/.bin/oxlint"),
    ["--format=json", "packages/core/src"],
    { cwd: folder, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
  );
  const {
    diagnostics,
    number_of_files,
  }: { readonly diagnostics: readonly Finding[]; readonly number_of_files: number } =
    JSON.parse(stdout);
  expect(number_of_files).toBeGreaterThan(20);
  return diagnostics.filter(({ code }) => code.includes("no-restricted"));
}

describe("the lint rules of core", { timeout: 60_000 }, () => {
  it("find nothing in core as it is, and every clock, random number and import of Node that is put into it", () => {
    using core = copyOfCore();
    expect(lint(core.path)).toEqual([]);

    for (const [name, { text }] of Object.entries(impure))
      core.write(`packages/core/src/violation-${name}.ts`, text);
    const findings = lint(core.path);
    for (const [name, { rule }] of Object.entries(impure)) {
      const codes = findings
        .filter(({ filename }) => filename.endsWith(`violation-${name}.ts`))
        .map(({ code }) => code);
      expect(codes, name).toContain(`eslint(${rule})`);
    }
  });
});
