import { type Fact, oneLine, whyUnfit } from "@loopwork/core/learnings";
import { namesIn, readText } from "./safe-files.ts";

const rootFiles = [
  "AGENTS.md",
  "CLAUDE.md",
  "GEMINI.md",
  ".cursorrules",
  ".windsurfrules",
  ".github/copilot-instructions.md",
];
const folders = [".cursor/rules", ".claude/rules", ".github/instructions"];
/** More rules than these are not compared; nobody reads them either. */
const mostRules = 500;
/** A longer rule is no one-line fact, and is compared by its beginning. */
const longestRule = 160;

/** Characters of a file that are looked at. */
const longestFile = 200_000;

/**
 * What a repository's own rule files tell agents already: each item of a list and each sentence,
 * with where it begins as its id.
 */
export async function readRules(root: string): Promise<readonly Fact[]> {
  const paths = [...rootFiles];
  for (const folder of folders)
    paths.push(
      ...(await namesIn(root, folder).catch(() => []))
        .filter((name) => /\.mdc?$/u.test(name))
        .map((name) => `${folder}/${name}`),
    );
  const rules: Fact[] = [];
  for (const path of paths)
    rules.push(...rulesIn(path, (await readText(root, path).catch(() => null)) ?? ""));
  return rules.slice(0, mostRules);
}

/** A paragraph or an item of a list, with the number of its first line. */
type Passage = { readonly line: number; readonly item: boolean; readonly words: string[] };

function rulesIn(path: string, text: string): readonly Fact[] {
  return passagesOf(text.slice(0, longestFile).split("\n")).flatMap(({ line, item, words }) => {
    const said = oneLine(words.join(" "));
    const rules = (item ? [said] : said.split(/(?<=[.!?])\s/u))
      .map((each) => each.slice(0, longestRule))
      .filter((each) => whyUnfit(each) === null);
    return rules.map((rule, at): Fact => ({
      id: at === 0 ? `${path}:${line}` : `${path}:${line} (sentence ${at + 1})`,
      text: rule,
    }));
  });
}

/** Lines that belong together. Headings, tables, front matter, comments and code are no rules. */
function passagesOf(lines: readonly string[]): readonly Passage[] {
  const passages: Passage[] = [];
  let [open, fence]: [Passage | null, string | null] = [null, null];
  for (const [at, raw] of lines.entries()) {
    const line = raw.slice(0, 400);
    const mark =
      /^\s{0,8}(```|~~~)/u.exec(line)?.[1] ?? (at === 0 && line.trimEnd() === "---" ? "---" : null);
    const item = /^\s{0,8}(?:[-*+]|\d{1,3}[.)])\s(?:\[[ xX]\]\s)?(.{1,400})$/u.exec(line)?.[1];
    if (fence !== null) fence = line.trim().startsWith(fence) ? null : fence;
    else if (mark !== null) [open, fence] = [null, mark];
    else if (item !== undefined)
      passages.push((open = { line: at + 1, item: true, words: [item] }));
    else if (line.trim() === "" || /^\s{0,3}(?:#|\||<|>|={3}|-{3})/u.test(line)) open = null;
    else if (open === null)
      passages.push((open = { line: at + 1, item: false, words: [line.trim()] }));
    else open.words.push(line.trim());
  }
  return passages;
}
