import { isHidden } from "../text/hidden-characters.ts";
import { harmlessEntities, harmlessTags } from "./agent-tags.ts";

/**
 * Where a command of a host, or of a bot that many repositories run, may begin: a slash before a
 * letter, or words of the table, with no word before them on their line. Hosts differ in what they
 * pass over before a command, and in what ends a line for them, so everything counts for passed over
 * that is no letter and no digit, and every character that some reader takes for the end of a line
 * ends one.
 */
export function commandsIn(line: string): ReadonlySet<number> {
  const found = new Set<number>();
  if (!mayHold.test(line)) return found;
  let begins = true;
  for (let at = 0; at < line.length;) {
    const code = line.codePointAt(at) ?? 0;
    const char = String.fromCodePoint(code);
    if (lineEnds.has(code)) begins = true;
    const passed = begins ? passedOver(line, at) : 0;
    if (passed === 0 && begins) {
      command.lastIndex = at;
      if (command.test(line)) found.add(at);
      begins = isHidden(code) || !/[\p{L}\p{N}]/u.test(char);
    }
    at += Math.max(passed, char.length);
  }
  return found;
}

/** Words with which a line begins that somebody carries out. */
const commandWords: readonly string[] = [
  "duplicate of", // GitHub closes the issue or pull request
  "bors", // bors-ng merges
  "pre-commit.ci", // pushes commits
  "recheck", // Zuul runs CI
  "retest this", // Jenkins runs CI, also on what a stranger wrote
  "test this",
  "ok to test",
  "add to whitelist",
];

/** Any run without a letter or digit counts for a blank, and so does the end of the line. */
const command = new RegExp(
  `/[a-z]|(?:${commandWords
    .map((words) =>
      words
        .replaceAll(".", "\\.")
        .split(" ")
        .reduceRight((rest, word) => `${word}(?:[^\\p{L}\\p{N}]+${rest}|[^\\p{L}\\p{N}]*$)`),
    )
    .join("|")})(?![\\p{L}\\p{N}])`,
  "iuy",
);

/** One look at most lines tells that there is none. */
const mayHold = new RegExp(
  ["/", ...commandWords.map((words) => words.split(" ")[0])].join("|"),
  "i",
);

/** Vertical tab, form feed, three separators of old, next line, and two of Unicode's own. */
const lineEnds: ReadonlySet<number> = new Set([
  10, 11, 12, 13, 0x1c, 0x1d, 0x1e, 0x85, 0x2028, 0x2029,
]);

/** How long what begins here is, where it holds letters or digits and is no word all the same. */
function passedOver(line: string, at: number): number {
  marker.lastIndex = at;
  const mark = marker.exec(line)?.[0];
  if (mark !== undefined) return mark.length;
  const known = [...harmlessTags, ...harmlessEntities];
  return known.find((each) => line.startsWith(each, at))?.length ?? 0;
}

/** The number of an item of a list, or the box of a task. */
const marker = /\d{1,9}[.)]|\[[xX]\]/y;
