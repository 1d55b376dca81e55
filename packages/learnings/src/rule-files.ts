import { type Fact, oneLine, unfit } from "@loopwork/core/learnings";
import { namesIn, readText } from "./safe-files.ts";

const rootFiles = ["AGENTS.md", "CLAUDE.md", ".cursorrules"];
const folders = [".cursor/rules", ".claude/rules"];
/** More rules than these are not compared; nobody reads them either. */
const mostRules = 500;

/** What a repository's own rule files tell agents already: each line of a list, with where it stands as its id. */
export async function readRules(root: string): Promise<readonly Fact[]> {
  const paths = [...rootFiles];
  for (const folder of folders) paths.push(...(await namesIn(root, folder).catch(() => [])).filter((name) => /\.mdc?$/u.test(name)).map((name) => `${folder}/${name}`));
  const rules: Fact[] = [];
  for (const path of paths) rules.push(...rulesIn(path, (await readText(root, path).catch(() => null)) ?? ""));
  return rules.slice(0, mostRules);
}

function rulesIn(path: string, text: string): readonly Fact[] {
  return text.split("\n").flatMap((line, at) => {
    const said = /^\s{0,8}(?:[-*+]|\d{1,3}[.)])\s(.{1,400})$/u.exec(line)?.[1];
    const rule = said === undefined ? "" : oneLine(said).slice(0, 160);
    return rule === "" || unfit(rule) !== null ? [] : [{ id: `${path}:${at + 1}`, text: rule }];
  });
}
