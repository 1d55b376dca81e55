import { describe, expect, it } from "vitest";
import { citationBreaches } from "../src/adr-citations.ts";
import { trackedFiles } from "../src/repository-rules.ts";
import { root } from "./scratch.ts";

const page = { path: "docs/adr/0007-restarts.md", text: "# 7. Restarts" };
const index = { path: "docs/adr/README.md", text: "- [0007](0007-restarts.md)" };

describe("citations of decisions", () => {
  it("name pages of this repository, all of which the index lists", () => {
    const files = trackedFiles(root);
    expect(files.filter(({ path }) => path.startsWith("docs/adr/")).length).toBeGreaterThan(20);
    expect(citationBreaches(files)).toEqual([]);
  });

  it.each([
    "// As decided (ADR 7).",
    "/**\n * As decided (ADR\n * 0007).\n */",
    "# docs/adr/0007",
    "[restarts](../adr/0007-restarts.md#consequences)",
    "Decisions are in docs/adr, in 2026.",
  ])("accepts a citation of a page that exists: %j", (text) => {
    expect(citationBreaches([page, index, { path: "a.ts", text }])).toEqual([]);
  });

  it.each([
    ["// As decided (ADR 8).", "a.ts:1: there is no ADR 8"],
    ["/**\n * As decided (ADR\n * 0070).\n */", "a.ts:2: there is no ADR 0070"],
    ["# docs/adr/0008", "a.ts:1: there is no docs/adr/0008"],
    [
      "\n[restarts](../adr/0007-restart.md#consequences)",
      "a.ts:2: there is no docs/adr/0007-restart.md",
    ],
  ])("rejects a citation of a page that doesn't exist: %j", (text, breach) => {
    expect(citationBreaches([page, index, { path: "a.ts", text }])).toEqual([breach]);
  });

  it("ignores changelogs", () => {
    const changelog = { path: "packages/core/CHANGELOG.md", text: "ADR 99" };
    expect(citationBreaches([page, index, changelog])).toEqual([]);
  });

  it("rejects a page that the index leaves out, and a number that two pages have", () => {
    const twin = { path: "docs/adr/0007-upgrades.md", text: "" };
    expect(citationBreaches([page, index, twin])).toEqual([
      "docs/adr/README.md: doesn't list 0007-upgrades.md",
      "docs/adr/0007-upgrades.md: another page has this number",
    ]);
  });
});
