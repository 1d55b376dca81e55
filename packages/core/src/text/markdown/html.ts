import { closeElement, openElement } from "./elements.ts";
import { isDigit, type Line } from "./line.ts";
import { findAhead, hideSpan, type InlineState } from "./spans.ts";
import {
  closingTagEnd,
  isGap,
  isLetter,
  nameEnd,
  openingTag,
  passGaps,
  rawTag,
  tagName,
} from "./tag.ts";
import type { Scannable } from "./scannable.ts";

/** Whether a `<` stands in the paragraph. */
export function hasTag(state: InlineState, text: Scannable, start: number, end: number): boolean {
  const at = findAhead(state, "tag", "<", text, start);
  return at !== -1 && at < end;
}

/** Which of CommonMark's seven kinds of HTML block begins with the line, 0 for none. */
export function htmlBlockKind(
  text: Scannable,
  line: Line,
  inParagraph: boolean,
  state: InlineState,
): number {
  const { at, end } = line;
  const next = at + 1 < end ? text.charCodeAt(at + 1) : 0;
  if (next === 63 /* ? */) return 3;
  if (next === 33 /* ! */)
    return text.startsWith("<!--", at)
      ? 2
      : text.startsWith("<![CDATA[", at)
        ? 5
        : isLetter(text.charCodeAt(at + 2))
          ? 4
          : 0;
  const closes = next === 47;
  const name = tagName(text, closes ? at + 2 : at + 1);
  if (name === "") return 0;
  const behind = nameEnd(text, closes ? at + 2 : at + 1);
  const code = behind < end ? text.charCodeAt(behind) : 10;
  if (!closes && rawNames.has(name)) return code === 62 || isGap(code) ? 1 : 0;
  if (
    blockNames.has(name) &&
    (code === 62 || isGap(code) || (code === 47 && text.charCodeAt(behind + 1) === 62))
  )
    return 6;
  if (inParagraph || (!closes && rawNames.has(name))) return 0;
  state.noTagAt.clear();
  const tagEnd = closes
    ? closingTagEnd(text, at + 2, end)
    : (openingTag(state, text, at + 1, end)?.end ?? -1);
  return tagEnd !== -1 && passGaps(text, tagEnd, end) === end ? 7 : 0;
}

/**
 * Whether the block ends on the line from `at` to `end`; the last two kinds end at a blank line.
 */
export function endsHtmlBlock(text: Scannable, kind: number, at: number, end: number): boolean {
  const what = endings[kind];
  if (what !== undefined) {
    for (let i = at; i < end; i += 1)
      if (
        text.charCodeAt(i) === what.charCodeAt(0) &&
        i + what.length <= end &&
        text.startsWith(what, i)
      )
        return true;
    return false;
  }
  if (kind !== 1) return false;
  for (let i = at; i < end; i += 1) {
    if (text.charCodeAt(i) !== 60 || text.charCodeAt(i + 1) !== 47) continue;
    if (rawNames.has(tagName(text, i + 2)) && text.charCodeAt(nameEnd(text, i + 2)) === 62)
      return true;
  }
  return false;
}

const endings: readonly (string | undefined)[] = [undefined, undefined, "-->", "?>", ">", "]]>"];
const rawNames: ReadonlySet<string> = new Set(["pre", "script", "style", "textarea"]);
const blockNames: ReadonlySet<string> = new Set(
  "address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead title tr track ul".split(
    " ",
  ),
);

/**
 * What begins with `<` inside of a paragraph, by CommonMark's grammar; returns the position behind.
 */
export function passAngle(state: InlineState, text: Scannable, at: number, end: number): number {
  const next = text.charCodeAt(at + 1);
  if (next === 33 || next === 63) return passDeclaration(state, text, at, end);
  if (next === 47) {
    const behind = closingTagEnd(text, at + 2, end);
    if (behind === -1) return at + 1;
    closeElement(state, tagName(text, at + 2), at, behind);
    return behind;
  }
  const address = addressEnd(text, at, end);
  if (address !== -1) return address;
  const tag = openingTag(state, text, at + 1, end);
  if (tag === null) return at + 1;
  openElement(state, tag.name, tag.concealed, at, tag.end);
  return tag.end;
}

/** A comment, an instruction, a section of raw characters, a declaration. */
function passDeclaration(state: InlineState, text: Scannable, at: number, end: number): number {
  const behind = declarationEnd(state, text, at);
  if (behind === -1 || behind > end) return at + 1;
  hideSpan(state, at, behind);
  if (endsEarlier(state, text, at, behind)) lose(state, at);
  return behind;
}

function declarationEnd(state: InlineState, text: Scannable, at: number): number {
  // `<!-->` is a whole comment, so the search begins at its dashes.
  if (text.startsWith("<!--", at))
    return behindOf(findAhead(state, "commentEnd", "-->", text, at + 2), 3);
  if (text.startsWith("<?", at))
    return behindOf(findAhead(state, "instructionEnd", "?>", text, at + 1), 2);
  if (text.startsWith("<![CDATA[", at))
    return behindOf(findAhead(state, "sectionEnd", "]]>", text, at + 9), 3);
  return isLetter(text.charCodeAt(at + 2))
    ? behindOf(findAhead(state, "tagEnd", ">", text, at + 2), 1)
    : -1;
}

function behindOf(found: number, length: number): number {
  return found === -1 ? -1 : found + length;
}

/** Where a browser ends it before Markdown does, and a tag follows, nobody writes by accident. */
function endsEarlier(state: InlineState, text: Scannable, at: number, behind: number): boolean {
  if (text.startsWith("<!--", at)) {
    const bang = findAhead(state, "commentBang", "--!>", text, at + 2);
    return bang !== -1 && bang < behind;
  }
  const tag = text.indexOf("<", at + 1);
  return tag !== -1 && tag < behind;
}

function lose(state: InlineState, at: number): void {
  if (state.lostFrom === -1) state.lostFrom = at;
}

/** Behind an address in angle brackets, which is no tag whatever it holds; -1 where it is none. */
function addressEnd(text: Scannable, at: number, end: number): number {
  let mark = 0;
  for (let i = at + 1; i < end; i += 1) {
    const code = text.charCodeAt(i);
    if (code <= 32 || code === 60) return -1;
    if (code === 62) return mark > 0 ? i + 1 : -1;
    if (mark !== 0) continue;
    if (code === 64) mark = isMailName(text, at + 1, i) ? i : -1;
    else if (code === 58) mark = isScheme(text, at + 1, i) ? i : -1;
  }
  return -1;
}

function isScheme(text: Scannable, start: number, end: number): boolean {
  if (end - start < 2 || end - start > 32 || !isLetter(text.charCodeAt(start))) return false;
  for (let at = start; at < end; at += 1)
    if (!isOneOf(schemeSigns, text.charCodeAt(at))) return false;
  return true;
}

function isMailName(text: Scannable, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1)
    if (!isOneOf(mailSigns, text.charCodeAt(at))) return false;
  return end > start;
}

const schemeSigns = "+.-";
const mailSigns = ".!#$%&'*+/=?^_`{|}~-";

function isOneOf(signs: string, code: number): boolean {
  return isLetter(code) || isDigit(code) || signs.includes(String.fromCharCode(code));
}

/**
 * Hides tags and comments of an HTML block, which goes onto the page as it is, and keeps track of
 * what is open behind it.
 */
export function passRawHtml(state: InlineState, text: Scannable, start: number, end: number): void {
  for (
    let at = findAhead(state, "tag", "<", text, start);
    at !== -1 && at < end && state.lostFrom === -1;
  ) {
    at = findAhead(state, "tag", "<", text, passRawAngle(state, text, at, end));
  }
}

function passRawAngle(state: InlineState, text: Scannable, at: number, end: number): number {
  const next = text.charCodeAt(at + 1);
  const closes = next === 47;
  if (isLetter(closes ? text.charCodeAt(at + 2) : next)) {
    const tag = rawTag(text, closes ? at + 2 : at + 1, end);
    if (tag === null) return loseRest(state, at, end);
    if (closes) closeElement(state, tag.name, at, tag.end);
    else openElement(state, tag.name, tag.concealed, at, tag.end);
    return tag.end;
  }
  if (next !== 33 && next !== 63 && !closes) return at + 1;
  const declared = declarationEnd(state, text, at);
  const behind =
    declared === -1 && !text.startsWith("<!--", at)
      ? behindOf(findAhead(state, "tagEnd", ">", text, at), 1)
      : declared;
  if (behind === -1 || behind > end) return loseRest(state, at, end);
  hideSpan(state, at, behind);
  if (endsEarlier(state, text, at, behind)) lose(state, at);
  return behind;
}

function loseRest(state: InlineState, at: number, end: number): number {
  lose(state, at);
  return end;
}
