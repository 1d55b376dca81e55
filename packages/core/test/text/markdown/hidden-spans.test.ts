import { describe, expect, it } from "vitest";
import { hiddenSpans } from "../../../src/text/markdown/blocks.ts";
import { quicklyPlain } from "../../../src/text/markdown/quickly-plain.ts";
import { hiddenRows } from "./hidden-rows.ts";

/** The text with what the spans hide between marks. */
function markedBy(text: string, isHidden: (at: number) => boolean): string {
  let marked = "";
  let open = false;
  for (let at = 0; at <= text.length; at += 1) {
    const character = text.charAt(at);
    const hidden = at < text.length && character !== "\n" && character !== "\r" && isHidden(at);
    if (hidden !== open) marked += open ? "»" : "«";
    open = hidden;
    marked += character;
  }
  return marked;
}

function covers(spans: readonly number[], at: number): boolean {
  for (let i = 0; i < spans.length; i += 2)
    if (at >= (spans[i] ?? 0) && at < (spans[i + 1] ?? 0)) return true;
  return false;
}

describe("P01 what of a text is hidden, to the character", () => {
  it.each(hiddenRows)("%s", (_promise, marked) => {
    const text = marked.replaceAll(/[«»]/g, "");
    const spans = hiddenSpans(text, null);
    expect(markedBy(text, (at) => covers(spans, at))).toBe(marked);
    expect(spans).toEqual([...new Set(spans)].toSorted((a, b) => a - b));
  });

  it.each(hiddenRows)("where only one position is asked about: %s", (_promise, marked) => {
    const text = marked.replaceAll(/[«»]/g, "");
    expect(markedBy(text, (at) => covers(hiddenSpans(text, [at]), at))).toBe(marked);
  });

  it.each(hiddenRows)("where the lines before are not read, of letters: %s", (_promise, marked) => {
    const text = marked.replaceAll(/[«»]/g, "");
    const spans = hiddenSpans(text, null);
    const letters = Array.from(text, (_, at) => at).filter((at) => /[a-z]/i.test(text.charAt(at)));
    expect(
      letters.filter((at) => (quicklyPlain(text, at) ?? !covers(spans, at)) === covers(spans, at)),
    ).toEqual([]);
  });
});

describe("P14 paragraphs without a position that is asked about are passed over", () => {
  const text = "`a` b\n\n`c` d\n\n`e` f";
  it.each<readonly [what: string, wanted: readonly number[], spans: readonly number[]]>([
    ["none", [], []],
    ["the first", [4], [0, 3]],
    ["the second", [text.indexOf("d")], [7, 10]],
    ["its first character", [7], [7, 10]],
    ["its last character", [text.indexOf("d")], [7, 10]],
    ["the first and the last", [4, text.indexOf("f")], [0, 3, 14, 17]],
    ["all", [4, 11, 18], [0, 3, 7, 10, 14, 17]],
    ["between two", [5], []],
  ])("%s", (_what, wanted, spans) => expect(hiddenSpans(text, wanted)).toEqual(spans));

  it.each<
    readonly [what: string, text: string, wanted: readonly number[], spans: readonly number[]]
  >([
    ["behind the paragraph of the last one", "a\n\n```\nb", [0], []],
    ["behind the line of the last one", "# a\n```\nb", [2], []],
    ["at the end of that line", "# a\n```\nb", [3], []],
    ["where none is asked about", "```\nb", [], []],
    ["of an item that ends the paragraph of the last one", "a\n- `b`", [0], []],
    ["but not inside of a paragraph", "a `b\nc` d", [0], [2, 7]],
  ])("and nothing is read %s", (_what, read, wanted, spans) =>
    expect(hiddenSpans(read, wanted)).toEqual(spans),
  );

  it("nor does a tag in another paragraph bring them back", () =>
    expect(hiddenSpans("`a` b\n\n<i> c", ["`a` b\n\n<i> ".length])).toEqual([7, 10]));

  it("but not those with a tag, which may hide what follows", () => {
    expect(hiddenSpans("a <code>\n\nb `c`\n\nd", [text.length - 3])).toEqual([2, 18]);
  });
});
