import type { Scannable } from "./scannable.ts";
import { isBlank, isDigit } from "./markdown-line.ts";

/** Tags that matter by name; `other` is any other one, `none` is no tag at all, as in `<https://…>` or `a <- b`. */
export type Tag = (typeof knownTags)[number] | "other" | "none";

const knownTags = ["pre", "code", "blockquote", "script", "style", "textarea"] as const;

/** The tag whose name begins at `start`, in any case. */
export function tagAt(text: Scannable, start: number): Tag {
  if (!isLetter(text.charCodeAt(start))) return "none";
  let end = start + 1;
  while (isLetter(text.charCodeAt(end)) || isDigit(text.charCodeAt(end)) || text.charCodeAt(end) === 45) end += 1;
  const code = text.charCodeAt(end);
  if (code !== 62 && code !== 47 && !isGap(code)) return "none";
  if (isGap(code) && !goesOnAsTag(text, end)) return "none";
  for (const name of knownTags) if (name.length === end - start && isNamed(text, start, name)) return name;
  return "other";
}

/** What follows on the name and blanks begins an attribute or ends the tag; in `<Fixes #7>`, which is text, it does neither. */
function goesOnAsTag(text: Scannable, start: number): boolean {
  let at = start;
  while (isGap(text.charCodeAt(at))) at += 1;
  const code = text.charCodeAt(at);
  return isLetter(code) || code === 95 || code === 58 || code === 47 || code === 62;
}

/** Blanks and ends of lines. */
function isGap(code: number): boolean {
  return code === 10 || code === 13 || isBlank(code);
}

function isNamed(text: Scannable, start: number, name: string): boolean {
  for (let i = 0; i < name.length; i += 1) if ((text.charCodeAt(start + i) | 32) !== name.charCodeAt(i)) return false;
  return true;
}

function isLetter(code: number): boolean {
  const lower = code | 32;
  return lower >= 97 && lower <= 122;
}

/** Elements whose content is no Markdown, over empty lines too. */
export function isRawTag(tag: Tag): boolean {
  return tag === "pre" || tag === "script" || tag === "style" || tag === "textarea";
}
