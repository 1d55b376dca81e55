import { findAhead, hideSpan, type InlineState } from "./markdown-spans.ts";
import { isRawTag, type Tag, tagAt } from "./markdown-tag.ts";
import type { Scannable } from "./scannable.ts";

/** Whether a `<` stands in the paragraph. */
export function hasTag(state: InlineState, text: Scannable, start: number, end: number): boolean {
  const at = findAhead(state, "tag", "<", text, start);
  return at !== -1 && at < end;
}

/** A comment, or an element whose content is no Markdown, at the beginning of a line. */
export function isRawHtml(text: Scannable, at: number): boolean {
  return text.startsWith("<!--", at) || isRawTag(tagAt(text, at + 1));
}

/** Hides such a block up to its end, to the end of the text when it has none; returns the position behind. */
export function skipRawHtml(state: InlineState, text: Scannable, at: number): number {
  const behind = text.startsWith("<!--", at) ? commentEnd(state, text, at) : rawEnd(text, at);
  const end = behind === -1 ? text.length : behind;
  hideSpan(state, at, end);
  return end;
}

/** A comment or a tag is hidden, and an element whose content is no words of its author from its first tag to its last. */
export function passAngle(state: InlineState, text: Scannable, at: number, end: number): number {
  if (text.startsWith("<!--", at)) {
    const behind = commentEnd(state, text, at);
    if (behind === -1 || behind > end) return at + 4;
    hideSpan(state, at, behind);
    return behind;
  }
  const closes = text.charCodeAt(at + 1) === 47;
  const tag = tagAt(text, closes ? at + 2 : at + 1);
  if (tag === "none") return at + 1;
  const tagEnd = findAhead(state, "tagEnd", ">", text, at);
  if (tagEnd === -1 || tagEnd >= end) return at + 1;
  if (closes) closeElement(state, tag, at, tagEnd + 1);
  else openElement(state, tag, at, tagEnd + 1);
  return tagEnd + 1;
}

function openElement(state: InlineState, tag: Tag, start: number, end: number): void {
  if (tag !== "pre" && tag !== "code" && tag !== "blockquote") return hideSpan(state, start, end);
  if (state.hiddenFrom === -1) state.hiddenFrom = start;
  state.depth[tag] += 1;
}

function closeElement(state: InlineState, tag: Tag, start: number, end: number): void {
  const { depth } = state;
  if ((tag === "pre" || tag === "code" || tag === "blockquote") && depth[tag] > 0) {
    depth[tag] -= 1;
    if (depth.pre + depth.code + depth.blockquote > 0) return;
    state.spans.push(state.hiddenFrom, end);
    state.hiddenFrom = -1;
  } else hideSpan(state, start, end);
}

/** Behind the `-->` of a comment that begins at `at`; -1 when it never ends. */
function commentEnd(state: InlineState, text: Scannable, at: number): number {
  // `<!-->` is a whole comment, so the search begins at its dashes.
  const end = findAhead(state, "commentEnd", "-->", text, at + 2);
  return end === -1 ? -1 : end + 3;
}

/** Behind the closing tag of the raw element at `at`; -1 when it is never closed. */
function rawEnd(text: Scannable, at: number): number {
  for (let close = text.indexOf("</", at); close !== -1; close = text.indexOf("</", close + 2)) {
    if (!isRawTag(tagAt(text, close + 2))) continue;
    const end = text.indexOf(">", close);
    return end === -1 ? -1 : end + 1;
  }
  return -1;
}
