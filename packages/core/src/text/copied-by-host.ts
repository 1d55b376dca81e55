/**
 * What the code host copied into a text of somebody else, as start and end; empty where it copied
 * nothing. Of a discussion all below its opening tag is a copy, as it may end any element itself; of
 * a comment all above the line that names its author, whatever that leaves open.
 */
export function copiedSpan(text: string): readonly number[] {
  const below = discussion.exec(text)?.index ?? -1;
  const above = endOfCopy(text);
  if (below === -1) return above === -1 ? [] : [0, above];
  return above < below
    ? [...(above === -1 ? [] : [0, above]), below, text.length]
    : [0, text.length];
}

const discussion = /<div\s{1,4}type\s{0,4}=\s{0,4}["']?discussions-op-text/iu;

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
