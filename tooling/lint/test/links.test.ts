import { expect, test } from "vitest";
import { deadLinks, externalLinks, faultOfExternal } from "../src/links.ts";
import { trackedFiles } from "../src/repository-rules.ts";
import { root } from "./scratch.ts";

const pages = trackedFiles(root).filter(
  ({ path }) => path.endsWith(".md") && /^(?:[^/]+$|docs\/|.*\/README\.md$)/.test(path),
);

test("the check can fail: no such file, no such heading; other sites are not looked at", () => {
  const text =
    "# A page\n[a](gone.md) [b](../README.md#no-such-heading) [c](#a-page) [d](#b-page) [e](https://example.org/x)";
  expect(
    deadLinks("docs/a.md", text, (path) => (path === "README.md" ? "## Some heading" : null)),
  ).toEqual([
    "docs/a.md: there is no docs/gone.md",
    "docs/a.md: README.md has no heading for #no-such-heading",
    "docs/a.md: docs/a.md has no heading for #b-page",
  ]);
});

test("rejects a link to a comment in a block of code", () => {
  const text = "```sh\n# no heading\n```\n[a](#no-heading)";
  expect(deadLinks("a.md", text, () => null)).toEqual([
    "a.md: a.md has no heading for #no-heading",
  ]);
});

test("a link may stand around code, and pictures and references are links as well; what stands in code is none", () => {
  const text =
    '[`b`](gone.md)\n<img src="gone.png">\n[ref]: gone.txt\n`[x](in-code.md)`\n  ```text\n[y](in-block.md)\n  ```\n';
  expect(deadLinks("a.md", text, () => null)).toEqual([
    "a.md: there is no gone.md",
    "a.md: there is no gone.txt",
    "a.md: there is no gone.png",
  ]);
});

test("pages lead out of the repository over https alone", () => {
  const found = pages.flatMap(({ path, text }) =>
    externalLinks(text).map((link) => ({ page: path, link })),
  );
  expect(pages.length).toBeGreaterThan(50);
  expect(
    found.flatMap(({ page, link }) =>
      faultOfExternal(link) === null ? [] : [`${page}: ${faultOfExternal(link)}`],
    ),
  ).toEqual([]);
  expect([...new Set(found.map(({ link }) => link))].toSorted()).toEqual([]);
});

test.each([
  ["http://example.org/a", "http://example.org/a is not https"],
  ["https://exa mple", "https://exa mple is no address"],
  ["https://name@example.org/", "https://name@example.org/ should be https://name@example.org/"],
  ["https://EXAMPLE.org/a", "https://EXAMPLE.org/a should be https://example.org/a"],
])("the check can fail: %s", (link, fault) => expect(faultOfExternal(link)).toBe(fault));
