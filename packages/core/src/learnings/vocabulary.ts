/** Categories that there are; also names of files, hence a closed list. */
export const categories = [
  "architecture",
  "build",
  "ci",
  "code-style",
  "data",
  "dependencies",
  "docs",
  "git",
  "process",
  "release",
  "security",
  "testing",
  "tools",
  "general",
] as const;
export type Category = (typeof categories)[number];

/** Longest learning in characters. */
export const longestLearning = 160;

/** Why a text cannot stand in a line of ours, whatever it says; null when it can. */
export function malformed(text: string): string | null {
  if (text !== oneLine(text)) return "a learning is one line without control characters";
  if (text.length > longestLearning)
    return `a learning has at most ${longestLearning} characters, and this has ${text.length}`;
  if (text.includes("<!--") || text.includes("-->")) return "a learning holds no HTML comment";
  return null;
}

/** A text on one line, without control and other invisible characters. */
export function oneLine(text: string): string {
  return text
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]/gu, " ")
    .replaceAll(/ {2,}/gu, " ")
    .trim();
}

export function oneOf<T extends string>(value: unknown, among: readonly T[]): T | null {
  return among.find((each) => each === value) ?? null;
}
