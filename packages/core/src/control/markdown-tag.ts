import type { Scannable } from "./markdown-blocks.ts";
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
  if (code !== 62 && code !== 47 && code !== 10 && code !== 13 && !isBlank(code)) return "none";
  for (const name of knownTags) if (name.length === end - start && isNamed(text, start, name)) return name;
  return "other";
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
