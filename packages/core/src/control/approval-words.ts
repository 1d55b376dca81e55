import { plainText } from "../text/comment-text.ts";

const approvals: ReadonlySet<string> = new Set(["approved", "approve", "lgtm"]);

/**
 * The first line with a word on it, without quotes and code: what quotes an approval gives none.
 */
export function saysApproved(body: string): boolean {
  const first =
    plainText(body.slice(0, longestLookedAt))
      .split("\n")
      .find((line) => line.trim() !== "") ?? "";
  const words = first.trim().toLowerCase();
  return approvals.has(words.endsWith(".") || words.endsWith("!") ? words.slice(0, -1) : words);
}

const longestLookedAt = 4_000;
