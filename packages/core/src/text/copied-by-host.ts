/**
 * Where the code host may have copied into a text of somebody else. Of a comment all above the line
 * that names its author is a copy, whatever that leaves open: to `above`, -1 where there is none. Of
 * a discussion all below its opening tag is one, as it may end any element itself; the host lets the
 * tag begin a line, and each of `below` is the beginning of such a line.
 */
export type Copied = { readonly above: number; readonly below: readonly number[] };

export function copiedIn(text: string): Copied {
  return {
    above: endOfCopy(text),
    below: text.includes("discussions-op-text")
      ? Array.from(text.matchAll(discussion), ({ index }) => index)
      : [],
  };
}

/** Whether a text may hold any copy. */
export function mayBeCopied({ above, below }: Copied): boolean {
  return above !== -1 || below.length > 0;
}

/**
 * What is copied, as start and end; empty where nothing is. A tag in code only tells of one: no
 * stranger's words stand above it.
 */
export function copiedSpans(
  { above, below }: Copied,
  codeLines: ReadonlySet<number>,
  length: number,
): readonly number[] {
  const tag = below.find((start) => start >= above && !codeLines.has(start)) ?? -1;
  return [...(above === -1 ? [] : [0, above]), ...(tag === -1 ? [] : [tag, length])];
}

const discussion = /^ {0,3}<div\s{1,4}type\s{0,4}=\s{0,4}["']?discussions-op-text/gimu;

/** Behind the last line by which the host says whose comment is copied above. */
function endOfCopy(text: string): number {
  let end = -1;
  for (let at = text.search(named); at !== -1;) {
    const start = text.lastIndexOf("\n", at) + 1;
    const newline = text.indexOf("\n", at);
    const behind = newline === -1 ? text.length : newline;
    if (line.test(text.slice(start, Math.min(behind, start + longestLine)))) end = behind;
    const next = text.slice(behind).search(named);
    at = next === -1 ? -1 : behind + next;
  }
  return end;
}

const named = /originally posted by/iu;
const line =
  /^\s{0,40}[*_]{1,3} ?originally posted by \S.{0,300} in \S.{0,300}[*_]{1,3}\s{0,40}$/iu;
const longestLine = 800;
