import { type Category, categories, malformed, oneOf } from "./vocabulary.ts";

/** A line of a managed block: one learning. */
export type Line = { readonly id: number; readonly text: string };

/** The learnings of one category, and how many more its topic file has. */
export type Section = {
  readonly category: Category;
  readonly lines: readonly Line[];
  readonly more: number;
};

/** A file with a managed block: what people wrote around it is kept byte for byte. */
export type BlockFile = {
  readonly before: string;
  readonly sections: readonly Section[];
  readonly after: string;
};

export type ParsedBlock =
  | { readonly ok: true; readonly file: BlockFile }
  | { readonly ok: false; readonly line: number; readonly problem: string };

const startMark = "<!-- loop:learnings v1; managed block, edit text freely, keep ids -->";
const startPrefix = "<!-- loop:learnings";
const endMark = "<!-- /loop:learnings -->";

export const emptyIndex: BlockFile = { before: "# Learnings\n", sections: [], after: "" };

export function formatBlock({ before, sections, after }: BlockFile): string {
  return `${before}${[startMark, ...sections.flatMap(sectionLines), endMark].join("\n")}\n${after}`;
}

function sectionLines({ category, lines, more }: Section): readonly string[] {
  return [
    `## ${category}`,
    ...lines.map(({ id, text }) => `- [${idText(id)}] ${text}`),
    ...(more === 0 ? [] : [`- more: topics/${category}.md (${more})`]),
  ];
}

/** Whether a text has a managed block, of whatever version and in whatever state. */
export function hasBlock(text: string): boolean {
  return text
    .split("\n")
    .some((line) => line.startsWith(startPrefix) || line.trimEnd() === endMark);
}

/** 17 → 017. */
export function idText(id: number): string {
  return String(id).padStart(3, "0");
}

/**
 * Reads a file with a managed block. A block that does not follow the grammar is not guessed at:
 * the number of the line and what is wrong with it, so that a person can mend it and nothing is
 * overwritten.
 */
export function parseBlock(text: string): ParsedBlock {
  const lines = text.split("\n");
  const starts = lines.flatMap((line, at) => (line.startsWith(startPrefix) ? [at] : []));
  const ends = lines.flatMap((line, at) => (line.trimEnd() === endMark ? [at] : []));
  const [start, end] = [starts[0], ends[0]];
  if (starts.length > 1 || ends.length > 1)
    return {
      ok: false,
      line: (starts[1] ?? ends[1] ?? 0) + 1,
      problem: "the managed block begins or ends twice",
    };
  if (start === undefined && end === undefined)
    return {
      ok: true,
      file: {
        before: text === "" || text.endsWith("\n") ? text : `${text}\n`,
        sections: [],
        after: "",
      },
    };
  if (start === undefined || end === undefined || end < start)
    return {
      ok: false,
      line: (start ?? end ?? 0) + 1,
      problem: "the managed block has a beginning or an end alone",
    };
  if (lines[start]?.trimEnd() !== startMark)
    return { ok: false, line: start + 1, problem: "the managed block is of another version" };
  const sections = parseSections(lines.slice(start + 1, end), start + 2);
  if ("problem" in sections) return { ok: false, ...sections };
  return {
    ok: true,
    file: {
      before: lines
        .slice(0, start)
        .map((line) => `${line}\n`)
        .join(""),
      sections: sections.sections,
      after: lines.slice(end + 1).join("\n"),
    },
  };
}

type Problem = { readonly line: number; readonly problem: string };

function parseSections(
  lines: readonly string[],
  first: number,
): { readonly sections: readonly Section[] } | Problem {
  const sections: { category: Category; lines: Line[]; more: number }[] = [];
  const ids = new Set<number>();
  for (const [at, raw] of lines.entries()) {
    const line = raw.trimEnd();
    const open = sections.at(-1);
    const wrong = (problem: string): Problem => ({ line: first + at, problem });
    if (line === "") continue;
    if (line.startsWith("## ")) {
      const category = oneOf(line.slice(3), categories);
      if (category === null)
        return wrong(
          `${JSON.stringify(line.slice(3, 60))} is no category; there are ${categories.join(", ")}`,
        );
      if (sections.some((each) => each.category === category))
        return wrong(`the category ${category} stands twice`);
      sections.push({ category, lines: [], more: 0 });
    } else if (open === undefined) return wrong("a learning stands before the first category");
    else {
      const read = parseLine(line, open.category);
      if ("problem" in read) return wrong(read.problem);
      if ("more" in read) open.more = read.more;
      else if (ids.has(read.id)) return wrong(`the id ${idText(read.id)} stands twice`);
      else {
        open.lines.push(read);
        ids.add(read.id);
      }
    }
  }
  return { sections };
}

function parseLine(
  line: string,
  category: Category,
): Line | { readonly more: number } | { readonly problem: string } {
  const more = /^- more: topics\/([a-z0-9-]{1,32})\.md \((\d{1,6})\)$/u.exec(line);
  if (more !== null)
    return more[1] === category
      ? { more: Number(more[2]) }
      : { problem: `this leads to the topic of another category than ${category}` };
  const found = /^- \[(\d{3,9})\] (.{1,400})$/u.exec(line);
  if (found === null)
    return { problem: "a line of the block is `- [nnn] text`; write your own words outside of it" };
  const [id, text] = [Number(found[1]), found[2] ?? ""];
  const fault = malformed(text);
  return fault === null && id > 0 ? { id, text } : { problem: fault ?? "ids start at 001" };
}
