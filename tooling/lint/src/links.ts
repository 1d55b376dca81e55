import { dirname, join, normalize } from "node:path/posix";

/**
 * Links of a page to other places of the repository that lead nowhere. `read` gives a file's text,
 * null where there is none; folders read as "".
 */
export function deadLinks(
  page: string,
  text: string,
  read: (path: string) => string | null,
): readonly string[] {
  return linksOf(text).flatMap((link) => {
    const [path = "", anchor] = link.split("#");
    if (/^[a-z]{2,10}:/.test(path)) return [];
    const file = path === "" ? page : normalize(join(dirname(page), path));
    const target = path === "" ? text : read(file);
    if (target === null) return [`${page}: there is no ${file}`];
    return anchor === undefined || anchorsOf(target).has(anchor)
      ? []
      : [`${page}: ${file} has no heading for #${anchor}`];
  });
}

/** Links of a page to places that are not in the repository. */
export function externalLinks(text: string): readonly string[] {
  return linksOf(text).filter((link) => /^[a-z]{2,10}:/.test(link));
}

/**
 * Why nobody should follow such a link; null when it is one of https, written as the address is.
 */
export function faultOfExternal(link: string): string | null {
  if (!URL.canParse(link)) return `${link} is no address`;
  const { protocol, username, href } = new URL(link);
  if (protocol !== "https:") return `${link} is not https`;
  return username === "" && href.replace(/\/$/, "") === link.replace(/\/$/, "")
    ? null
    : `${link} should be ${href}`;
}

/** Anchors of the headings, as the code host makes them; a `#` in a block of code is none. */
export function anchorsOf(text: string): ReadonlySet<string> {
  return new Set(
    [...proseOf(text).matchAll(/^#{1,6} (.{1,200})$/gm)].map((match) =>
      (match[1] ?? "")
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
        .trim()
        .replaceAll(" ", "-"),
    ),
  );
}

/** Where links, references and pictures of a page lead, code aside. */
function linksOf(text: string): readonly string[] {
  const prose = proseOf(text).replaceAll(/`[^`\n]{1,300}`/g, "");
  const found = [
    /\]\(([^()\s]{1,200})\)/g,
    /^\[[^\]\n]{1,100}\]: (\S{1,200})$/gm,
    /\b(?:src|srcset|href)="([^"\s]{1,200})"/g,
    /<(https?:[^>\s]{1,200})>/g,
  ];
  return found.flatMap((pattern) => [...prose.matchAll(pattern)].map(([, link = ""]) => link));
}

/** A page without its blocks of code. */
function proseOf(page: string): string {
  return page
    .split(/^ {0,12}```.*$/m)
    .filter((_, at) => at % 2 === 0)
    .join("\n");
}
