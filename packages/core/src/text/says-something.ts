/**
 * Whether a text says anything: a letter or digit that is more than a mark of Markdown, a tag, a
 * comment of HTML, or an entity for something that is none; or a tag that shows or links something,
 * as GitHub writes for a screenshot.
 */
export function saysSomething(text: string): boolean {
  const visible = withoutComments(text);
  if (shows.test(visible)) return true;
  const words = visible
    .replaceAll(/<[^<>]{1,200}>/gu, "")
    .replaceAll(entity, (whole, name: string) => (isBlankEntity(name) ? "" : whole))
    .replaceAll(marks, "");
  return /[\p{L}\p{N}]/u.test(words);
}

/** An image, a video or a recording with a source, or a link with an address. */
const shows =
  /<(?:(?:img|video|audio|source)\s(?:[^<>]*\s)?src|a\s(?:[^<>]*\s)?href)\s*=\s*["']?[^\s"'<>]/iu;

/** Marks of lists, tasks, headings, quotes and tables with which a line begins. */
const marks = /^(?:[ \t>#|]|[-*+](?=\s|$)|\d{1,9}[.)](?=\s|$)|\[[ xX]\](?=\s|$))+/gmu;

/** One that nothing ends hides the rest. */
function withoutComments(text: string): string {
  let [rest, from] = ["", 0];
  for (let at = text.indexOf("<!--"); at !== -1; at = text.indexOf("<!--", from)) {
    rest += text.slice(from, at);
    const end = text.indexOf("-->", at + 2);
    if (end === -1) return rest;
    from = end + 3;
  }
  return rest + text.slice(from);
}

const entity = /&(#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z]{2,8});/gu;

function isBlankEntity(name: string): boolean {
  if (!name.startsWith("#")) return blankEntities.has(name);
  const code = /^#x/iu.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0x10ffff || !/[\p{L}\p{N}]/u.test(String.fromCodePoint(code));
}

const blankEntities: ReadonlySet<string> = new Set(
  "nbsp ensp emsp thinsp zwj zwnj shy lrm rlm lt gt amp quot apos bull middot mdash ndash hellip".split(
    " ",
  ),
);
