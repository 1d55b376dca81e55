import { describe, expect, it } from "vitest";
import { parseDeclarations } from "../src/api/declarations.ts";
import { entriesOf, firstDifference } from "../src/api/package.ts";
import { apiReport } from "../src/api/report.ts";

const files: Readonly<Record<string, string>> = {
  "dist/index.d.ts":
    'export { open, type Shop as Store } from "./shop.ts";\nexport type { Kind } from "./kinds.ts";\n',
  "dist/shop.d.ts": `import type { Server } from "node:http";
import { type Kind as Sort, kinds } from "./kinds.ts";
/** Where things are. See https://example.org; not a } of ours. */
export interface Shop {
    /** The first. */
    readonly sort: Sort;
    open(at: "a;b" | "https://x//y"): Promise<Server>;
}
type Hidden = {
    readonly shop: Shop;
};
export declare function open(name: string): Hidden;
export declare function open(name: string, of: typeof kinds): Hidden;
export declare function unseen(): Unseen;
export type Unseen = 1;
export {};
`,
  "dist/kinds.d.ts":
    'export type Kind = (typeof kinds)[number];\nexport declare const kinds: readonly ["a", "b"];\n',
};
const report = (changed: Readonly<Record<string, string>> = {}): string =>
  apiReport(
    "x",
    [{ name: "x", types: "dist/index.d.ts" }],
    (file) => ({ ...files, ...changed })[file] ?? "",
  );
const changed = (file: string, from: string, to: string): string =>
  report({ [file]: (files[file] ?? "").replace(from, to) });

describe("what people can use of a package", () => {
  it("is what its entries export and all that leads to, without comments, by name", () => {
    expect(report().split("\n").slice(5)).toEqual([
      "## `x`",
      "",
      "- Kind",
      "- Store",
      "- open",
      "",
      "## Declarations",
      "",
      "```ts",
      "type Hidden = {",
      "    readonly shop: Shop;",
      "};",
      "type Kind = (typeof kinds)[number];",
      "interface Shop {",
      "    readonly sort: Sort;",
      '    open(at: "a;b" | "https://x//y"): Promise<Server>;',
      "}",
      'const kinds: readonly ["a", "b"];',
      "function open(name: string): Hidden;",
      "function open(name: string, of: typeof kinds): Hidden;",
      "```",
      "",
      "## Of other packages",
      "",
      "- Server from node:http",
      "",
    ]);
  });

  it.each([
    ["an export is taken away", "dist/index.d.ts", 'export type { Kind } from "./kinds.ts";\n', ""],
    ["an export has another name", "dist/index.d.ts", "Shop as Store", "Shop"],
    [
      "a parameter is added",
      "dist/shop.d.ts",
      "open(name: string): Hidden",
      "open(name: string, at: number): Hidden",
    ],
    [
      "an overload is taken away",
      "dist/shop.d.ts",
      "export declare function open(name: string): Hidden;\n",
      "",
    ],
    [
      "a type that nobody exports asks for more",
      "dist/shop.d.ts",
      "readonly shop: Shop;",
      "readonly shop: Shop;\n    readonly more: 1;",
    ],
    ["a value of another file has another member", "dist/kinds.d.ts", '"b"', '"c"'],
    ["a type comes from another package", "dist/shop.d.ts", "node:http", "node:https"],
  ])("is another when %s", (_, file, from, to) =>
    expect(changed(file, from, to)).not.toBe(report()),
  );

  it.each([
    ["a comment", "dist/shop.d.ts", "The first", "The very first"],
    ["what nobody can reach", "dist/shop.d.ts", "export type Unseen = 1", "export type Unseen = 2"],
  ])("is the same when %s changes", (_, file, from, to) =>
    expect(changed(file, from, to)).toBe(report()),
  );

  it("passes on what a file passes on whole", () => {
    expect(
      report({
        "dist/index.d.ts": 'export * from "./more.ts";',
        "dist/more.d.ts": 'export type * from "./kinds.ts";\nexport type Own = 1;',
      })
        .split("\n")
        .slice(7, 10),
    ).toEqual(["- Kind", "- Own", "- kinds"]);
  });

  it("says which line is another", () =>
    expect(firstDifference("a\nb\n", "a\nc\n")).toBe('line 2: "b" is now "c"'));
});

it("a form that it does not know, a file without a name that is taken from it, and an entry without declarations are no silence", () => {
  expect(() => parseDeclarations("export default 1;")).toThrow("unknown form");
  expect(() => report({ "dist/index.d.ts": 'export * from "other";' })).toThrow(
    "passes on all of other",
  );
  expect(() =>
    changed("dist/kinds.d.ts", "export declare const kinds", "declare const kinds"),
  ).toThrow("exports no kinds");
  expect(() =>
    entriesOf("x", JSON.stringify({ exports: { ".": { default: "./dist/index.js" } } })),
  ).toThrow("x says no declarations for .");
});

it("entries of the tree that are not published are nobody's to use", () => {
  const entry = { types: "./dist/index.d.ts" };
  const manifest = {
    exports: { ".": entry, "./start/daemons": { types: "./dist/start/daemons.d.ts" } },
    publishConfig: { exports: { ".": entry } },
  };
  expect(entriesOf("x", JSON.stringify(manifest))).toEqual([
    { name: "x", types: "dist/index.d.ts" },
  ]);
});
