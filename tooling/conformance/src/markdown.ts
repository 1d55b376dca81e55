/** A block of code between two fences; `line` is where its first line stands, 1 and up. */
export type Block = { readonly language: string; readonly text: string; readonly line: number };

/** Blocks of code in the order of the page, also those within lists. */
export function blocksOf(page: string): readonly Block[] {
  const found: Block[] = [];
  let open: { readonly language: string; readonly indent: string; readonly from: number } | null =
    null;
  const lines = page.split("\n");
  for (const [at, line] of lines.entries()) {
    const fence = /^( {0,12})```(.*)$/.exec(line);
    if (fence === null) continue;
    const [, indent = "", language = ""] = fence;
    if (open === null) open = { language: language.trim(), indent, from: at + 1 };
    else {
      const { indent: before, from } = open;
      found.push({
        language: open.language,
        text: lines
          .slice(from, at)
          .map((each) => (each.startsWith(before) ? each.slice(before.length) : each))
          .join("\n"),
        line: from + 1,
      });
      open = null;
    }
  }
  return found;
}

/** A page without its blocks of code. */
export function proseOf(page: string): string {
  return page
    .split("\n")
    .reduce<{ readonly inside: boolean; readonly text: string }>(
      ({ inside, text }, line) =>
        /^ {0,12}```/.test(line)
          ? { inside: !inside, text }
          : { inside, text: inside ? text : `${text}\n${line}` },
      { inside: false, text: "" },
    ).text;
}

/** Code within sentences, without the blocks. */
export function spansOf(page: string): readonly string[] {
  return [...proseOf(page).matchAll(/`([^`]{1,300})`/g)].map((match) => match[1] ?? "");
}

/**
 * Cells of the rows of every table, headings and rules left out; an escaped bar stays in its cell.
 */
export function rowsOf(page: string): readonly (readonly string[])[] {
  const lines = page.split("\n");
  return lines.flatMap((line, at) => {
    if (!line.startsWith("|") || isRule(line) || isRule(lines[at + 1] ?? "")) return [];
    return [
      line
        .replaceAll("\\|", "\u0000")
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll("\u0000", "|")),
    ];
  });
}

function isRule(line: string): boolean {
  return /^\|[-| :]{3,200}\|$/.test(line);
}
