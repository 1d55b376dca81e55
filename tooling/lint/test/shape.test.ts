import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { cyclesIn } from "../src/folders.ts";
import { measureShape } from "../src/shape.ts";
import { scratch } from "./scratch.ts";

const source = (path: string, ...lines: readonly string[]): { path: string; lines: string[] } => ({
  path: `packages/core/src/${path}`,
  lines: [...lines, ""],
});

it("finds folders that lead to each other, also by a third one", () => {
  const files = [
    source("a/x.ts", 'import { y } from "../b/y.ts";'),
    source("b/y.ts", 'export { z } from "../c/z.ts";'),
    source("c/z.ts", 'const late = import("../a/x.ts");', 'import "../d/w.ts";'),
    source("d/w.ts"),
  ];
  expect(cyclesIn(files)).toEqual(["a b", "a c", "b c"]);
});

it("counts what is there", () => {
  using folder = scratch();
  const { path: root, write } = folder;
  const long = `export function long(): void {\n${"  call();\n".repeat(40)}}\n`;
  write("packages/core/src/decide/decide.ts", `import "../text/words.ts";\n${long}`);
  write("packages/core/src/text/words.ts", `export const wide = "${"x".repeat(150)}";\n`);
  write("packages/core/src/text/late.ts", "export type Late = string;\n");
  write(
    "packages/core/src/index.ts",
    'export { long } from "./decide/decide.ts";\nexport type * from "./text/late.ts";\n',
  );
  write(
    "packages/core/package.json",
    '{ "exports": { ".": { "@loopwork/source": "./src/index.ts" }, "./package.json": "" } }',
  );
  write("packages/store/src/a/x.ts", 'import "../b/y.ts";\nexport type X = 1;\n');
  write("packages/store/src/b/y.ts", 'import type { X } from "../a/x.ts";\nexport type Y = X;\n');
  write("tooling/x/src/y.ts", "one();\n");
  write("docs/page.md", "four words of prose\n");
  write("docs/errors.md", "made by a program\n");
  write("package.json", '{ "scripts": { "test": "x" } }');
  write("node_modules/.reports/seconds", "281");
  execFileSync("git", ["init", "-q"], { cwd: root });
  execFileSync("git", ["add", "-A"], { cwd: root });
  expect(measureShape(root)).toEqual({
    files: 6,
    lines: 51,
    over100: 1,
    over140: 1,
    filesOver200: 0,
    filesOver300: 0,
    functionsOver40: 1,
    coreEntries: 1,
    coreExports: 2,
    decideTypes: 0,
    folderCycles: 1,
    upwardImports: 0,
    toolingLines: 1,
    docsWords: 4,
    rootScripts: 1,
    testSeconds: 281,
  });
});
