import { expect, test } from "vitest";
import { importsOf } from "../src/imports.ts";

/** What the files of a tree import; each blob is the text itself. */
async function importsIn(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const tree = Object.entries(files).map(([path, blob]) => ({ mode: "100644", blob, path }));
  return importsOf(tree, async (blobs) => blobs);
}

test.each([
  ["a rule of Cursor's", ".cursor/rules/a.mdc", "Follow @docs/style.md."],
  ["a link of Cursor's", ".cursor/rules/a.mdc", "Follow [the style](mdc:docs/style.md)."],
  ["a link of Cursor's from the root", ".cursor/rules/a.mdc", "[style](mdc:/docs/style.md#names)"],
  ["an import from the root", "CLAUDE.md", "@/docs/style.md"],
  ["instructions in a folder", "app/AGENTS.md", "See `@docs/style.md`"],
  ["rules without an extension", ".cursorrules", "@docs/style.md"],
  ["rules of another tool", ".windsurfrules", "@docs/style.md"],
  ["hints", ".goosehints", "@docs/style.md"],
])("%s may mean a file from the root of the repository", async (_what, path, text) => {
  expect(await importsIn({ [path]: text })).toContain("docs/style.md");
});

test("a path is read from the folder of its file as well", async () => {
  expect(await importsIn({ ".cursor/rules/a.mdc": "mdc:b.mdc @../c.md" })).toEqual(
    expect.arrayContaining([".cursor/rules/b.mdc", "b.mdc", ".cursor/c.md"]),
  );
});

test("what a link imports is followed", async () => {
  const files = {
    ".cursor/rules/a.mdc": "[x](mdc:docs/one.md)",
    "docs/one.md": "See @two.md",
    "docs/two.md": "@three.md",
  };
  expect(await importsIn(files)).toEqual(
    expect.arrayContaining(["docs/one.md", "docs/two.md", "docs/three.md"]),
  );
});

test("a folder whose name begins with two dots is one of the tree, and none above it", async () => {
  expect(await importsIn({ "CLAUDE.md": "@..foo/y.md @../up.md @.. @. @~/own.md" })).toEqual([
    "..foo/y.md",
  ]);
});
