import { dirname, join, normalize } from "node:path";
import { blocksOf, proseOf, spansOf } from "./markdown.ts";
import { textOf } from "./repository.ts";

/** One command of `loop` with the options that its module declares. */
export type KnownCommand = { readonly name: string; readonly options: ReadonlySet<string> };

const everywhere = [
  "--json",
  "--config",
  "--remote",
  "--remote",
  "--help",
  "--version",
  "-h",
  "-V",
];

/**
 * The commands of the table, each with the options that its module declares, or the module of the
 * command that it extends.
 */
export function knownCommands(): readonly KnownCommand[] {
  const table = textOf("packages/cli/src/commands/table.ts") ?? "";
  return [
    ...table.matchAll(/name: "([a-z -]{1,40})",[^]{1,500}?import\("\.\/([a-z/-]{1,40}\.ts)"\)/g),
  ].map(([, name = "", file = ""]) => {
    const path = `packages/cli/src/commands/${file}`;
    const options = [path, ...extendedBy(path)].flatMap((each) => [
      ...(textOf(each) ?? "").matchAll(/[oO]ption\(\s{0,20}["'`](?:-[a-zA-Z], )?(--[a-z-]{1,40})/g),
    ]);
    return { name, options: new Set([...everywhere, ...options.map((match) => match[1] ?? "")]) };
  });
}

function extendedBy(path: string): readonly string[] {
  const extended = /from "(\.[a-z./-]{1,40}-command\.ts)"/.exec(textOf(path) ?? "")?.[1];
  return extended === undefined ? [] : [normalize(join(dirname(path), extended))];
}

/**
 * Command lines of a page: each line of its shell blocks, lines that are set off by four blanks,
 * and code within its sentences. Comments are cut off.
 */
export function commandLinesOf(page: string): readonly string[] {
  const blocks = blocksOf(page).filter(
    ({ language }) => language === "sh" || language === "" || language === "bash",
  );
  const lines = blocks
    .flatMap(({ text }) => text.replaceAll("\\\n", " ").split("\n"))
    .map((line) => line.trim().replace(/^export [^;]{0,100}$/, ""));
  const setOff = proseOf(page)
    .split("\n")
    .filter((line) => /^ {4}(?:loop|npm) /.test(line))
    .map((line) => line.trim().split(/ {2,}/)[0] ?? "");
  return [...lines, ...setOff, ...spansOf(page)]
    .flatMap((line) => programsOf(line.split(/\s+#\s/)[0] ?? ""))
    .filter((line) => line !== "");
}

/** Each program of a command line with its words, without the variables that are set for it. */
function programsOf(line: string): readonly string[] {
  return line.split(/ (?:&&|\|\||\||;) |\$\(|\)(?=\s|$)/).map((each) =>
    each
      .trim()
      .replace(/^(?:[A-Z_][A-Z0-9_]*=(?:"[^"]*"|'[^']*'|\S*) )+/, "")
      .replace(/^sudo /, ""),
  );
}

/**
 * Command lines that the program itself names to people: what stands as code in the texts of a
 * source, its comments aside.
 */
export function commandLinesOfSource(source: string): readonly string[] {
  const code = source.split("\n").filter((line) => !/^\s{0,20}(\/\/|\/\*|\*)/.test(line));
  return code.flatMap((line) =>
    [...line.matchAll(/\\?`(loop [a-z][^`\\$]{0,80})\\?`/g)].map(([, found = ""]) => found.trim()),
  );
}

/**
 * Why a command line cannot be right; null when nothing speaks against it, or when it is no `loop`
 * or `npm` line.
 */
export function faultOfLine(
  line: string,
  commands: readonly KnownCommand[],
  scripts: ReadonlySet<string>,
): string | null {
  const [program, ...words] = line.split(/\s+/);
  if (program === "npm") return faultOfScript(words, scripts);
  if (program !== "loop") return null;
  const command = commands
    .filter(({ name }) => name.split(" ").every((word, at) => words[at] === word))
    .toSorted((a, b) => b.name.length - a.name.length)[0];
  const options = words
    .filter((word) => /^--?[a-zA-Z]/.test(word))
    .map((word) => word.split("=")[0] ?? "");
  if (command === undefined)
    return words.every((word) => everywhere.includes(word)) ? null : `there is no command: ${line}`;
  const unknown = options.filter((option) => !command.options.has(option));
  return unknown.length === 0 ? null : `loop ${command.name} has no ${unknown.join(", ")}: ${line}`;
}

function faultOfScript(words: readonly string[], scripts: ReadonlySet<string>): string | null {
  const [verb = "", ...rest] = words.filter((word) => word !== "-s" && word !== "--silent");
  if (verb === "start" || verb === "test")
    return scripts.has(verb) ? null : `there is no script ${verb}`;
  if (verb !== "run") return null;
  const isOfFolder = rest[0] === "--prefix";
  const name = (isOfFolder ? `${rest[1]} ${rest[2]}` : rest[0]) ?? "";
  return scripts.has(name) ? null : `there is no script: npm run ${name}`;
}
