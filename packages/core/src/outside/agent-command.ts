import { isHidden } from "../audit/hidden.ts";
import { harmlessEntities, harmlessTags } from "./agent-tags.ts";

/**
 * Slashes with which a command of a host may begin: before a letter, with no word before them on
 * their line. Hosts differ in what they pass over before a command, and in what ends a line for
 * them, so everything counts for passed over that is no letter and no digit, and every character
 * that some reader takes for the end of a line ends one.
 */
export function commandsIn(line: string): ReadonlySet<number> {
  const found = new Set<number>();
  if (!line.includes("/")) return found;
  let begins = true;
  for (let at = 0; at < line.length;) {
    const code = line.codePointAt(at) ?? 0;
    const char = String.fromCodePoint(code);
    if (lineEnds.has(code)) begins = true;
    const passed = begins ? passedOver(line, at) : 0;
    if (passed === 0 && begins) {
      if (char === "/" && /[A-Za-z]/.test(line.charAt(at + 1))) found.add(at);
      begins = isHidden(code) || !/[\p{L}\p{N}]/u.test(char);
    }
    at += Math.max(passed, char.length);
  }
  return found;
}

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
