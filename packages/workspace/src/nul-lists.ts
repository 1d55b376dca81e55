/**
 * Lists of git that end each entry with a zero byte, so that a path may hold any other. Paths are
 * bytes as text: `names.ts`.
 */
export const fromList = (text: string): readonly string[] =>
  text.split("\0").filter((entry) => entry !== "");
export const toList = (entries: Iterable<string>): string =>
  [...entries].map((entry) => `${entry}\0`).join("");
