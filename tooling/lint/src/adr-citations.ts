type Page = { readonly path: string; readonly text: string };

/** Changelogs say what was true then, and the tests of this check cite what isn't there. */
const unchecked = /(^|\/)CHANGELOG\.md$|^tooling\/lint\/test\//u;

/** `ADR 0013`, also where a comment wraps between the two, or a path below `docs/adr`. */
const citation =
  /\bADRs?[\s*/#-]{1,20}(?<number>\d{1,4})\b|\badr\/(?<file>\d{4}-[\w.-]{1,100}md\b|\d{4}\b)/gu;

/**
 * `file:line: …` for each citation of a decision that has no page, and a line for each page that
 * the index leaves out or whose number another page has.
 */
export function citationBreaches(files: readonly Page[]): readonly string[] {
  const pages = files.flatMap(({ path }) => /^docs\/adr\/(\d{4}-.+\.md)$/u.exec(path)?.[1] ?? []);
  const index = files.find(({ path }) => path === "docs/adr/README.md")?.text ?? "";
  return [
    ...pages
      .filter((page) => !index.includes(`](${page})`))
      .map((page) => `docs/adr/README.md: doesn't list ${page}`),
    ...pages
      .filter((page, at) => pages.slice(0, at).some((other) => startsAlike(other, page)))
      .map((page) => `docs/adr/${page}: another page has this number`),
    ...files
      .filter(({ path }) => !unchecked.test(path))
      .flatMap((file) => deadCitations(file, pages)),
  ];
}

function startsAlike(page: string, other: string): boolean {
  return page.slice(0, 4) === other.slice(0, 4);
}

function deadCitations({ path, text }: Page, pages: readonly string[]): readonly string[] {
  return [...text.matchAll(citation)].flatMap(({ index, groups }) => {
    const { number, file = "" } = groups ?? {};
    const start = number === undefined ? file : `${number.padStart(4, "0")}-`;
    if (pages.some((page) => page.startsWith(start))) return [];
    const cited = number === undefined ? `docs/adr/${file}` : `ADR ${number}`;
    return [`${path}:${text.slice(0, index).split("\n").length}: there is no ${cited}`];
  });
}
