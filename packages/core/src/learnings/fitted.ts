import { shortHash } from "./short-hash.ts";
import { oneLine } from "./vocabulary.ts";

/** A text that becomes no candidate, and why. */
export type LeftOut = { readonly text: string; readonly left: string };

/**
 * The first five of what one source says, and the others as left out: a flood is looked through by
 * nobody. `textOf` is how one is told.
 */
export function firstOf<T>(
  some: readonly T[],
  textOf: (one: T) => string,
): readonly (T | LeftOut)[] {
  return some.map((one, at) =>
    at < most
      ? one
      : { text: textOf(one), left: "more than five of one source are not kept at once" },
  );
}

const most = 5;

/**
 * A text of others in at most `room` characters. Where it is longer, what was cut off is told apart
 * by a hash of the whole, so that two that begin alike stay two.
 */
export function fitted(text: string, room: number, mark: string): string {
  const line = oneFitLine(text);
  if (line.length <= room) return line;
  const end = `… (${mark}:${shortHash(line)})`;
  return `${oneLine(line.slice(0, room - end.length))}${end}`;
}

/** A text as a line that may stand in a learning. */
export function oneFitLine(text: string): string {
  return oneLine(text.replaceAll(/<!--|-->/gu, " "));
}

/** The beginning of a text, with a sign for what is cut off. */
export function truncate(text: string, room: number): string {
  return text.length <= room ? text : `${oneLine(text.slice(0, room - 1))}…`;
}

/**
 * A name of others in letters, digits and hyphens: one identifier, and too little to give an order
 * in. A long one ends with a hash of the whole.
 */
export function slugOf(name: string, room: number): string {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, " ")
    .trim()
    .replaceAll(/ {1,60}/gu, "-");
  if (slug.length <= room) return slug;
  const hash = shortHash(name);
  return `${slug.slice(0, room - hash.length - 1).replace(/[^\p{L}\p{N}]$/u, "")}-${hash}`;
}
