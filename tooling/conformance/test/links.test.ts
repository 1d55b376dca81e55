import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { deadLinks } from "../src/links.ts";
import { pages, root, textOf } from "../src/repository.ts";

const read = (path: string): string | null => textOf(path) ?? (existsSync(join(root, path)) ? "" : null);

test.each(pages())("%s links to what there is", (page) => expect(deadLinks(page, textOf(page) ?? "", read)).toEqual([]));

test("the check can fail: no such file, no such heading; other sites are not looked at", () => {
  const text = "# A page\n[a](gone.md) [b](../README.md#no-such-heading) [c](#a-page) [d](#b-page) [e](https://example.org/x)";
  expect(deadLinks("docs/a.md", text, (path) => (path === "README.md" ? "## Some heading" : null))).toEqual(["docs/a.md: there is no docs/gone.md", "docs/a.md: README.md has no heading for #no-such-heading", "docs/a.md: docs/a.md has no heading for #b-page"]);
});
