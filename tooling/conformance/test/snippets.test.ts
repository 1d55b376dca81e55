import { expect, test } from "vitest";
import { blocksOf } from "../src/markdown.ts";
import { pages, textOf } from "../src/repository.ts";
import { complaintsAbout, entriesOfCore, examplesIn, snippets } from "../src/snippets.ts";

test("whole files stand in the one page whose program is run", () => {
  const shown = pages().filter((page) =>
    blocksOf(textOf(page) ?? "").some(({ language }) => /^[jt]s /.test(language)),
  );
  expect(shown).toEqual(["docs/writing-an-adapter.md"]);
});

test("every TypeScript block of a page fits the sources", { timeout: 120_000 }, () => {
  const all = snippets();
  expect(all.length).toBeGreaterThan(8);
  expect(complaintsAbout(all)).toEqual([]);
});

test("every entry of core has an example that fits the sources", { timeout: 120_000 }, () => {
  const entries = entriesOfCore();
  expect(entries.length).toBeGreaterThan(4);
  expect(entries.filter((entry) => examplesIn(entry).length === 0)).toEqual([]);
  expect(complaintsAbout(entries.flatMap(examplesIn))).toEqual([]);
});

test(
  "the check can fail: a name that is not exported, and an argument of the wrong type",
  { timeout: 120_000 },
  () => {
    const readme = "packages/store/README.md";
    const complaints = complaintsAbout([
      { readme, line: 10, code: 'import { openShop } from "@loopwork/store";\nopenShop();\n' },
      {
        readme,
        line: 20,
        code: 'import { openStore } from "@loopwork/store";\n\nawait openStore(7, { instance: "a", now: Date.now });\n',
      },
    ]);
    expect(
      complaints.some(
        (complaint) => complaint.startsWith(`${readme}:10: `) && complaint.includes("openShop"),
      ),
    ).toBe(true);
    expect(complaints.some((complaint) => complaint.startsWith(`${readme}:22: `))).toBe(true);
  },
);
