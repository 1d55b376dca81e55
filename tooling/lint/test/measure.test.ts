import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { cyclesIn } from "../src/folders.ts";
import { measure, typesOfDecide } from "../src/measure.ts";
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

it("follows the types of decide's signature through their declarations, and no others", () => {
  const files = [
    source(
      "decide/decide.ts",
      'import type { State } from "./state.ts";',
      'import { type Unused, use } from "./unused.ts";',
      "export function decide(state: State): void {",
      "  use(state);",
      "}",
    ),
    source("decide/unused.ts", "export type Unused = string;"),
    source(
      "decide/state.ts",
      'import { type Item, helper } from "../work-item/item.ts";',
      "/** Not a Mention. */",
      "type Mention = string;",
      "export interface State extends Item {",
      "  readonly own: Own;",
      "}",
      "type Own = number;",
    ),
    source("work-item/item.ts", "export type Item = { readonly name: string };"),
  ];
  expect([...typesOfDecide(files)].toSorted()).toEqual([
    "packages/core/src/decide/state.ts Own",
    "packages/core/src/decide/state.ts State",
    "packages/core/src/work-item/item.ts Item",
  ]);
});

it("counts what is there", () => {
  using folder = scratch();
  const { path: root, write } = folder;
  const long = `export function long(): void {\n${"  call();\n".repeat(40)}}\n`;
  write("packages/core/src/decide/decide.ts", `import "../text/words.ts";\n${long}`);
  write("packages/core/src/text/words.ts", `export const wide = "${"x".repeat(150)}";\n`);
  write("packages/core/package.json", '{ "exports": { ".": {}, "./package.json": {} } }');
  write("packages/core/api.md", "const wide: string;\ntype Word = string;\n");
  write("docs/page.md", "four words of prose\n");
  write("docs/errors.md", "made by a program\n");
  write("package.json", '{ "scripts": { "test": "x" } }');
  execFileSync("git", ["init", "-q"], { cwd: root });
  execFileSync("git", ["add", "-A"], { cwd: root });
  expect(measure(root)).toMatchObject({
    "source files": 2,
    "source lines": 44,
    "functions over 40 lines": 1,
    "lines over 140": 1,
    "entries of core": 1,
    "exports of core": 2,
    "files reachable from decide.ts": 2,
    "folder cycles in core": 0,
    "upward imports in core": 0,
    "words of docs, written by hand": 4,
    "root scripts": 1,
  });
});
