/**
 * The headings of a Markdown text that have text under them, as they compare (`comparable`). Text
 * under a deeper heading counts for those above it. Fenced code is text and holds no headings; HTML
 * comments, rules and what a template leaves to be filled are no text.
 */
export function filledHeadings(markdown: string): ReadonlySet<string> {
  const filled = new Set<string>();
  const open: Heading[] = [];
  let fence: string | null = null;
  for (const line of withoutComments(markdown).split("\n")) {
    const marker = fenceOf(line);
    const heading = fence === null ? headingOf(line) : null;
    if (heading !== null) {
      while ((open.at(-1)?.level ?? 0) >= heading.level) open.pop();
      open.push(heading);
    } else if (fence === null && marker !== null) fence = marker;
    else if (fence !== null && marker?.startsWith(fence) === true) fence = null;
    else if (fence === null ? isText(line) : line.trim() !== "")
      for (const { name } of open) filled.add(name);
  }
  return filled;
}

/** Headings compare without case, numbering, emphasis, and blanks and colons at their ends. */
export function comparable(text: string): string {
  const words = text.replaceAll(/[*_`]/g, "").trim().toLowerCase();
  const unnumbered = words.replace(/^\d{1,3}(?:\.\d{1,3}){0,3}[.)]?[ \t]/, "").trim();
  return unnumbered.endsWith(":") ? unnumbered.slice(0, -1).trimEnd() : unnumbered;
}

type Heading = { readonly level: number; readonly name: string };

function headingOf(line: string): Heading | null {
  const signs = /^ {0,3}(#{1,6})(?=[ \t]|$)/.exec(line);
  if (signs === null) return null;
  const words = line.slice(signs[0].length).trim();
  let end = words.length;
  while (words[end - 1] === "#") end -= 1;
  // A row of signs at the end belongs to the heading's mark, unless it touches a word.
  const text =
    end === 0 || words[end - 1] === " " || words[end - 1] === "\t" ? words.slice(0, end) : words;
  return { level: signs[1]?.length ?? 1, name: comparable(text) };
}

/** The signs that begin or end fenced code; null where the line does neither. */
function fenceOf(line: string): string | null {
  const [, signs] = /^ {0,3}(`{3,40}|~{3,40})/.exec(line) ?? [];
  return signs ?? null;
}

/**
 * What a template asks to be replaced stands in angle brackets or says that it is still to be done;
 * an empty list item or table row is nothing.
 */
function isText(line: string): boolean {
  const words = line
    .trim()
    .replace(/^(?:[-*+>]|\d{1,9}[.)])[ \t]/, "")
    .replace(/^\[[ xX]\]/, "")
    .trim();
  if (!/[\p{L}\p{N}]/u.test(words)) return false;
  const plain = words.replace(/[.:!]$/, "").toLowerCase();
  const placeholder = plain.startsWith("<") && plain.indexOf(">") === plain.length - 1;
  return !placeholder && !leftOpen.has(plain);
}

const leftOpen: ReadonlySet<string> = new Set(["todo", "tbd", "to do", "fill in", "…", "..."]);

function withoutComments(text: string): string {
  let kept = "";
  for (let at = 0; ;) {
    const from = text.indexOf("<!--", at);
    if (from < 0) return kept + text.slice(at);
    kept += text.slice(at, from);
    const end = text.indexOf("-->", from + 4);
    if (end < 0) return kept;
    at = end + 3;
  }
}
