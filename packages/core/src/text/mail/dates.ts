import { dayNames, monthNames } from "./words-by-language.ts";

/**
 * An address, which the host may have blanked out as `***@***.***`. A mention begins with its `@`
 * and is none.
 */
export function hasAddress(words: string): boolean {
  return /[^\s<>@(]@[^\s<>@]/u.test(words);
}

/** An address in brackets of some kind, of which the host may have left only the second. */
export function hasMailbox(words: string): boolean {
  for (let at = words.indexOf("@"); at !== -1; at = words.indexOf("@", at + 1)) {
    let start = at;
    while (start > 0 && !apart.includes(words.charAt(start - 1))) start -= 1;
    // The name of an account in the address of a page is none.
    if (start === at || words.charAt(start - 1) === "/") continue;
    let end = at + 1;
    while (end < words.length && !ends.includes(words.charAt(end))) end += 1;
    if (end > at + 1 && ">)]".includes(words.charAt(end) || " ")) return true;
  }
  return false;
}

/** What an address begins behind, and what ends one. */
const apart = " \t\u00a0<>@/:([\"'：";
const ends = " \t\u00a0<>@/)]";

/** A time of day, or a day in digits. */
export function hasDate(words: string): boolean {
  return hasDay(words) || hasClock(words);
}

/** A year, or a day in digits. The number of a version is none. */
export function hasDay(words: string): boolean {
  return (
    /(?:^|[^\p{Script=Latin}\p{Nd}.])(?:19|20)\p{Nd}{2}(?![\p{Nd}\p{Script=Latin}])/u.test(words) ||
    /(?:^|[^\p{Nd}.])\p{Nd}{1,4}([./-]) ?\p{Nd}{1,2}\1 ?(?:19|20)?\p{Nd}{2}(?![\p{Nd}.])/u.test(
      words,
    ) ||
    /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59]{4}/u.test(words) ||
    /\p{Nd}[年년] ?\p{Nd}{1,2}[月월]/u.test(words)
  );
}

/** A time of day: `10:04`, `10h04`, `kl. 10.04`. */
export function hasClock(words: string): boolean {
  return /(?:^|\P{Nd})(?:\p{Nd}{1,2}[:h]|(?:kl|klo|um)\.? ?\p{Nd}{1,2}\.)\p{Nd}{2}(?!\p{Nd})/u.test(
    words,
  );
}

/** A day by name: one of the week, or of a month. Words in lower case. */
export function hasNamedDay(lower: string): boolean {
  return namedDay.test(lower);
}

const namedDay = new RegExp(
  `(?:^|\\P{L})(?:(?:${dayNames.join("|")})|(?:mon|tue|wed|thu|fri|sat|sun)[.,])|` +
    `\\p{Nd}{1,2}(?:st|nd|rd|th|\\.)? (?:of |de |di )?(?:${monthNames.join("|")})|` +
    `(?:^|\\P{L})(?:${monthNames.join("|")})\\p{L}{0,8}\\.? \\p{Nd}{1,2}(?!\\p{Nd})`,
  "u",
);
