/** Lines of fenced code, 1 each, and the first line from which on nobody can tell what is code. */
export type CodeLines = { readonly isCode: Uint8Array; readonly doubtFrom: number };

/**
 * Finds the fenced code blocks that every reader of Markdown takes for such: opened by a fence that
 * is indented by at most three, or that follows one list marker, closed by a fence with the same
 * indentation, and no line between them less indented. From the first fence that is anything else
 * nothing counts as code any more. Indented code, and code in quotes, is not found. One pass.
 */
export function codeLines(lines: readonly string[]): CodeLines {
  const isCode = new Uint8Array(lines.length);
  for (let at = 0; at < lines.length; at += 1) {
    const fence = fenceOf(lines[at] ?? "");
    if (fence === null) continue;
    const end = fence === "odd" ? -1 : closingOf(lines, at, fence);
    if (end === -1) return { isCode, doubtFrom: at };
    isCode.fill(1, at, end + 1);
    at = end;
  }
  return { isCode, doubtFrom: lines.length };
}

type Fence = { readonly mark: string; readonly length: number; readonly indent: number };

/** The fence that a line opens; `odd` where only some readers see one. */
function fenceOf(line: string): Fence | "odd" | null {
  const indent = blanksAt(line, 0);
  const behind = markerEnd(line, indent);
  const at = behind ?? indent;
  const mark = line.charAt(at);
  if (mark !== "`" && mark !== "~") return behind !== null && isNested(line, at) ? "odd" : null;
  let end = at;
  while (line.charAt(end) === mark) end += 1;
  // Backquotes with backquotes behind them on the line are code within the line.
  if (end - at < 3 || (mark === "`" && line.includes("`", end))) return null;
  // Lines less indented than a deep fence end it in any reading, so that it does not matter to
  // those that are found here.
  if (indent > 3 || line.slice(0, indent).includes("\t")) return null;
  if (behind === null) return { mark, length: end - at, indent };
  return at <= 4 && /^ *(?:[-+*]|1[.)]) {1,3}$/.test(line.slice(0, at))
    ? { mark, length: end - at, indent: at }
    : "odd";
}

/** Behind one list marker and its blanks; null where none stands. */
function markerEnd(line: string, at: number): number | null {
  let end = at;
  while (end - at < 9 && isDigit(line.charCodeAt(end))) end += 1;
  const isMarker =
    end === at ? "-+*".includes(line.charAt(end) || " ") : ".)".includes(line.charAt(end) || " ");
  if (!isMarker) return null;
  const behind = blanksAt(line, end + 1);
  return behind > end + 1 ? behind : null;
}

/** A second list marker, behind which a fence may stand. */
function isNested(line: string, at: number): boolean {
  return markerEnd(line, at) !== null && (line.includes("```", at) || line.includes("~~~", at));
}

function blanksAt(line: string, from: number): number {
  let at = from;
  while (line.charAt(at) === " " || line.charAt(at) === "\t") at += 1;
  return at;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Line of the closing fence; -1 where readers may differ on it, or there is none. */
function closingOf(
  lines: readonly string[],
  open: number,
  { mark, length, indent }: Fence,
): number {
  for (let at = open + 1; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const words = line.trim();
    if (words === "") continue;
    const depth = line.length - line.trimStart().length;
    const isTabbed = line.startsWith("\t");
    if (depth < indent && !isTabbed) return -1;
    if (words.length < length || !isRun(words, mark)) continue;
    return depth === indent && !line.slice(0, depth).includes("\t") ? at : -1;
  }
  return -1;
}

function isRun(text: string, mark: string): boolean {
  for (const each of text) if (each !== mark) return false;
  return true;
}
