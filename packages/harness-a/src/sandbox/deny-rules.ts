import { existsSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { LoopError } from "@loopwork/core/ports";
import { bothPlaces } from "./both-places.ts";
import type { HiddenPaths } from "./hidden-paths.ts";
import { isWithin } from "./is-within.ts";

/**
 * Rules that keep the harness's Read, Write and Edit tools out of hidden folders: they run outside
 * of the sandbox, and in bypass mode nothing else stops them. A deny rule beats every allow rule,
 * so that a folder with something readable in it is denied by the names in it, outermost folders
 * first. Where that takes too many rules, folders with many names are denied by what those begin
 * with. `work` is what of the open the file tools have to reach; the rest is for commands. What is
 * loop's own in an open folder gets rules as well. Throws `LOOP_E_SANDBOX` where not everything can
 * be denied.
 */
export async function denyRules(
  { outermost, inOpen, tooOpen }: HiddenPaths,
  open: readonly string[],
  work: readonly string[] = open,
): Promise<readonly string[]> {
  // For what isn't there nothing is left open.
  const standing = bothPlaces(open.filter((file) => existsSync(file) && !tooOpen.includes(file)));
  const working = bothPlaces(work);
  const closed = outermost.filter((file) => !standing.some((each) => isWithin(file, each)));
  const hidden = await hiddenIn([...closed, ...inOpen.filter(existsSync)], standing);
  const coming = inOpen.filter((file) => !existsSync(file)).map(notThereYet);
  // The sandbox makes a rule its own, where letters count as they are and a pattern as what it means.
  const kept = (pattern: string): readonly string[] =>
    /[?*]/.test(pattern) ? standing : standing.filter((file) => working.includes(file));
  const rules = [...shortest(hidden), coming].flatMap((said) =>
    said.map(([pattern, file]) => sayable(file, pattern, kept(pattern))),
  );
  if (rules.length * 2 <= most) {
    return rules.flatMap((pattern) => [`Read(/${pattern})`, `Read(/${pattern}/**)`]);
  }
  const why = `hiding everything but the checkout and tools takes ${rules.length * 2} rules`;
  throw unsaid(`${why}, and Claude Code is given ${most} at most`, "Remove folders from the home");
}

/** Rules that let the file tools read these files and folders, and write none of them. */
export function lockRules(paths: readonly string[]): readonly string[] {
  return bothPlaces(paths).flatMap((each) => [
    `Edit(/${patternOf(each)})`,
    ...(isFolder(each) ? [`Edit(/${patternOf(each)}/**)`] : []),
  ]);
}

function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** More would only fill the conversation, which the harness shows them in. */
const most = 400;

/** A folder with more names than this is denied by what they begin with in any case. */
const crowded = 100;

/** Patterns, each with a path that it denies. */
type Said = readonly (readonly [pattern: string, file: string])[];

/**
 * A hidden folder: whole, or by the names in it, of which `short` says the same in fewer patterns.
 */
type Hidden = { readonly exact: Said; readonly short: Said };

/**
 * Folders by their exact names where that fits, and those with the most to gain by fewer patterns
 * where not.
 */
function shortest(hidden: readonly Hidden[]): readonly Said[] {
  const gain = ({ exact, short }: Hidden): number => exact.length - short.length;
  const shortened = new Set(hidden.filter(({ exact }) => exact.length > crowded));
  const count = (): number =>
    hidden.reduce((sum, each) => sum + (shortened.has(each) ? each.short : each.exact).length, 0);
  for (const each of hidden.toSorted((one, other) => gain(other) - gain(one))) {
    if (count() * 2 <= most) break;
    if (gain(each) > 0) shortened.add(each);
  }
  return hidden.map((each) => (shortened.has(each) ? each.short : each.exact));
}

async function hiddenIn(
  hide: readonly string[],
  open: readonly string[],
): Promise<readonly Hidden[]> {
  const found: Hidden[] = [];
  let level = hide;
  while (level.length > 0) {
    const deeper: string[] = [];
    for (const file of level) {
      const kept = keptIn(file, open);
      const whole: Said = [[patternOf(file), file]];
      if (kept.size === 0) {
        found.push({ exact: whole, short: whole });
        continue;
      }
      const names = (await namesIn(file)).filter((name) => !kept.has(name));
      const below = ([pattern, name]: readonly [string, string]): Said[number] => [
        `${patternOf(file)}/${pattern}`,
        path.join(file, name),
      ];
      const short = [...beginnings(names, kept)].map(below);
      found.push({ exact: names.map(exactly).map(below), short });
      const inside = [...kept].map((name) => path.join(file, name));
      deeper.push(...inside.filter((each) => !open.includes(each)));
    }
    level = deeper;
  }
  return found;
}

/** Names in a folder by which something readable is reached. */
function keptIn(folder: string, open: readonly string[]): ReadonlySet<string> {
  const inside = open.filter((each) => each !== folder && isWithin(each, folder));
  return new Set(inside.map((each) => path.relative(folder, each).split("/")[0] ?? ""));
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    const why = error instanceof Error ? error.message : String(error);
    throw unsaid(`what to hide in ${folder} can't be listed: ${why}`, "Make the folder readable");
  }
}

const exactly = (name: string): readonly [pattern: string, name: string] => [patternOf(name), name];

/**
 * Patterns for many names by the shortest beginning of each that no kept name has. They deny what
 * is made later under such a name as well, which is hidden all the same.
 */
function beginnings(
  names: readonly string[],
  kept: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const patterns = new Map<string, string>();
  for (const name of names) {
    const chars = Array.from(name);
    const starts = chars.map((_, at) => patternOf(chars.slice(0, at + 1).join("")));
    const free = starts.find((start) => ![...kept].some((each) => matches(`${start}*`, each)));
    const pattern = free === undefined ? patternOf(name) : `${free}*`;
    if (!patterns.has(pattern)) patterns.set(pattern, name);
  }
  return patterns;
}

/**
 * Rules are patterns as git's ignore lists have them, in brackets. A character that means something
 * there, ends a rule or is trimmed is written as `?`: that only denies more.
 */
function patternOf(file: string): string {
  return file.replaceAll(/[*?[\]{}()!\\\p{Cc}\p{Zl}\p{Zp}\uFEFF\uFFFD]|\s(?=\/|$)/gu, "?");
}

/**
 * The sandbox makes a rule its own, and for a path that isn't there it would hide the folder around
 * it. What a pattern means it looks up.
 */
function notThereYet(file: string): Said[number] {
  const begin = file.slice(0, -(Array.from(file).at(-1)?.length ?? 0));
  return [`${patternOf(begin)}?`, file];
}

/** A pattern that denies nothing readable. */
function sayable(file: string, pattern: string, open: readonly string[]): string {
  const denied = open.find((each) => matches(pattern, each));
  if (denied === undefined) return pattern;
  const why = `no rule can hide ${JSON.stringify(file)} and leave ${JSON.stringify(denied)} readable`;
  throw unsaid(why, "Rename one of them");
}

/**
 * Whether a pattern denies a path or a folder around it; the harness ignores the case of letters.
 */
function matches(pattern: string, file: string): boolean {
  const literal = pattern.replaceAll(/[.$+^|/-]/g, String.raw`\$&`);
  const source = literal.replaceAll("?", "[^/]").replaceAll("*", "[^/]*");
  return new RegExp(`^${source}(?:/|$)`, "i").test(file);
}

function unsaid(why: string, fix: string): LoopError {
  const message = `Claude Code's file tools can't be kept out of hidden folders: ${why}.`;
  return new LoopError("LOOP_E_SANDBOX", message, `${fix}, or set harnesses.A.sandbox: off.`);
}
