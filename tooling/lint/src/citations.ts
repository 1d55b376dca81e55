import { anchorsOf, deadLinks } from "./links.ts";

type Page = { readonly path: string; readonly text: string };

/**
 * Changelogs say what was true then, reports become pages of `docs`, and the tests of this check
 * cite what isn't there.
 */
const unchecked =
  /(^|\/)CHANGELOG\.md$|^\.changeset\/|^tooling\/(?:\w+\/report|lint\/(?:src\/citations|test))/u;

/** Documents that the product was made from, which readers of this repository don't have. */
const outsider =
  /\b(?:decisions|service|measuring|house|adversarial-cases)\.md\b|\bfacts\/[\w-]{1,40}\.md\b/gu;

/** `ADR 0013`, also where a comment wraps between the two, or a path below `docs/adr`. */
const decision =
  /\bADRs?[\s*/#-]{1,20}(?<number>\d{1,4})\b|\badr\/(?<file>\d{4}-[\w.-]{1,100}md\b|\d{4}\b)/gu;

/** A page named from the root of the repository; what agents learn lies in those of others. */
const page =
  /(?<![\w./-])(?<path>docs\/(?!learnings\/)[\w/-]{1,100}\.md)(?:#(?<anchor>[\w-]{1,100}))?/gu;

/**
 * `file:line: …` for each citation of a decision, page or heading that this repository doesn't
 * have, and a line for each decision that the index leaves out or whose number another one has.
 * `exists` knows of folders and pictures, which may be linked as well.
 */
export function citationBreaches(
  files: readonly Page[],
  exists: (path: string) => boolean = () => false,
): readonly string[] {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const read = (path: string): string | null => texts.get(path) ?? (exists(path) ? "" : null);
  const decisions = files.flatMap(
    ({ path }) => /^docs\/adr\/(\d{4}-.+\.md)$/u.exec(path)?.[1] ?? [],
  );
  return [
    ...indexBreaches(decisions, texts.get("docs/adr/README.md") ?? ""),
    ...files
      .filter(({ path }) => !unchecked.test(path))
      .flatMap((file) => [
        ...outsiders(file),
        ...deadDecisions(file, decisions),
        ...(file.path.endsWith(".md")
          ? deadLinks(file.path, file.text, read)
          : deadPages(file, texts)),
      ]),
  ];
}

function indexBreaches(decisions: readonly string[], index: string): readonly string[] {
  return [
    ...decisions
      .filter((name) => !index.includes(`](${name})`))
      .map((name) => `docs/adr/README.md: doesn't list ${name}`),
    ...decisions
      .filter((name, at) => decisions.slice(0, at).some((other) => startsAlike(other, name)))
      .map((name) => `docs/adr/${name}: another page has this number`),
  ];
}

function startsAlike(name: string, other: string): boolean {
  return name.slice(0, 4) === other.slice(0, 4);
}

function outsiders({ path, text }: Page): readonly string[] {
  return [...text.matchAll(outsider)].map(
    ({ 0: cited, index }) =>
      `${path}:${lineAt(text, index)}: ${cited} is not in this repository; cite docs/specification.md or an ADR`,
  );
}

function deadDecisions({ path, text }: Page, decisions: readonly string[]): readonly string[] {
  return [...text.matchAll(decision)].flatMap(({ index, groups }) => {
    const { number, file = "" } = groups ?? {};
    const start = number === undefined ? file : `${number.padStart(4, "0")}-`;
    if (decisions.some((name) => name.startsWith(start))) return [];
    const cited = number === undefined ? `docs/adr/${file}` : `ADR ${number}`;
    return [`${path}:${lineAt(text, index)}: there is no ${cited}`];
  });
}

/** Pages that comments cite; elsewhere a path may be anything, such as a file that a test makes. */
function deadPages({ path, text }: Page, texts: ReadonlyMap<string, string>): readonly string[] {
  return text.split("\n").flatMap((line, at) =>
    isComment.test(line)
      ? [...line.matchAll(page)].flatMap(({ groups }) => {
          const { path: cited = "", anchor } = groups ?? {};
          const target = texts.get(cited);
          if (target === undefined) return [`${path}:${at + 1}: there is no ${cited}`];
          return anchor === undefined || anchorsOf(target).has(anchor)
            ? []
            : [`${path}:${at + 1}: ${cited} has no heading for #${anchor}`];
        })
      : [],
  );
}

const isComment = /^\s*(?:\/\/|\/?\*|#)/u;

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}
