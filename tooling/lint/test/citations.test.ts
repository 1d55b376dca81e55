import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { citationBreaches } from "../src/citations.ts";
import { trackedFiles } from "../src/repository-rules.ts";
import { root } from "./scratch.ts";

const page = { path: "docs/adr/0007-restarts.md", text: "# 7. Restarts\n\n## Consequences" };
const index = { path: "docs/adr/README.md", text: "- [0007](0007-restarts.md)" };
const guide = { path: "docs/guide.md", text: "# Guide\n\n## First steps" };

describe("citations", () => {
  it("name decisions, pages and headings of this repository", () => {
    const files = trackedFiles(root);
    expect(files.filter(({ path }) => path.startsWith("docs/adr/")).length).toBeGreaterThan(20);
    expect(citationBreaches(files, (path) => existsSync(join(root, path)))).toEqual([]);
  });

  it.each([
    ["a.ts", "// As decided (ADR 7)."],
    ["a.ts", "/**\n * As decided (ADR\n * 0007).\n */"],
    ["a.sh", "# docs/adr/0007"],
    ["docs/b.md", "[restarts](adr/0007-restarts.md#consequences), [b](#b)\n# B"],
    ["a.ts", "/** See docs/guide.md#first-steps. */"],
    ["a.ts", "// Kept in docs/learnings/topics/tests.md of that repository."],
    ["a.ts", 'const page = "docs/gone.md";'],
    ["docs/b.md", "Decisions are in docs/adr, in 2026."],
    ["packages/core/CHANGELOG.md", "ADR 99, see decisions.md"],
  ])("accepts what exists, in %s: %j", (path, text) => {
    expect(citationBreaches([page, index, guide, { path, text }])).toEqual([]);
  });

  it.each([
    ["a.ts", "// As decided (ADR 8).", "a.ts:1: there is no ADR 8"],
    ["a.ts", "/**\n * As decided (ADR\n * 0070).\n */", "a.ts:2: there is no ADR 0070"],
    ["a.sh", "# docs/adr/0008", "a.sh:1: there is no docs/adr/0008"],
    ["a.ts", "\n// See docs/gone.md.", "a.ts:2: there is no docs/gone.md"],
    [
      "a.ts",
      "/** docs/guide.md#last-steps */",
      "a.ts:1: docs/guide.md has no heading for #last-steps",
    ],
    ["docs/b.md", "[gone](gone.md)", "docs/b.md: there is no docs/gone.md"],
    [
      "docs/b.md",
      "[guide](guide.md#last-steps)",
      "docs/b.md: docs/guide.md has no heading for #last-steps",
    ],
    [
      "a.test.ts",
      'test("the order of decisions.md 2");',
      "a.test.ts:1: decisions.md is not in this repository; cite docs/specification.md or an ADR",
    ],
    [
      "docs/b.md",
      "see facts/learnings.md",
      "docs/b.md:1: facts/learnings.md is not in this repository; cite docs/specification.md or an ADR",
    ],
  ])("rejects what doesn't exist, in %s: %j", (path, text, breach) => {
    expect(citationBreaches([page, index, guide, { path, text }])).toEqual([breach]);
  });

  it("rejects a page that the index leaves out, and a number that two pages have", () => {
    const twin = { path: "docs/adr/0007-upgrades.md", text: "" };
    expect(citationBreaches([page, index, twin])).toEqual([
      "docs/adr/README.md: doesn't list 0007-upgrades.md",
      "docs/adr/0007-upgrades.md: another page has this number",
    ]);
  });
});
