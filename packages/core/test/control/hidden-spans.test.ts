import { describe, expect, it } from "vitest";
import { hiddenSpans } from "../../src/control/markdown-blocks.ts";
import { quicklyPlain } from "../../src/control/markdown-quick.ts";

/** Texts in which what is hidden stands between « and », line by line; ends of lines are left out of it. */
const rows: readonly (readonly [promise: string, marked: string])[] = [
  ["code, to its last backtick", "a «`b`»c"],
  ["code beside code", "«`a`» «`b`»"],
  ["code of one backtick holds runs of two", "«`a ``b`` c`» d"],
  ["code of two holds one", "« ``a ` b``» c ` d".replace("« ", " «")],
  ["runs without a partner hide nothing", "`a ``b ```c"],
  ["a run has its partner though others stand behind it", "«`a`» ``b"],
  ["a run has its partner though others stand between", "`a«``b``»c"],
  ["code ends at the first run as long", "«`a`»b`c"],
  ["an escaped backtick begins no code", "\\`a «`b`»"],
  ["code over two lines", "«`a»\n«b`» c"],
  ["code does not reach over paragraphs", "`a\n\nb`"],
  ["a link, from bracket to parenthesis", "a «[b](c)»d"],
  ["links beside each other", "«[a](b)» «[c](d)»"],
  ["no link holds a link", "[a «[b](c)» d](e)"],
  ["nor does one hold several", "[a «[b](c)» «[d](e)»](f)"],
  ["an image may hold a link", "!«[a [b](c) d](e)»"],
  ["an escaped image is a link, which holds none", "\\![a «[b](c)»](d)"],
  ["a link may hold an image", "«[![a](b)](c)»"],
  ["and several", "«[![a](b) ![c](d)](e)»"],
  ["a link hides the code that it holds, and none before it", "«`a`» «[`b` c](d)»"],
  ["a target with an escaped parenthesis", "«[a](b\\)c)» d"],
  ["a target with parentheses in it", "«[a](b(c)d)»e"],
  ["a target with four of them, one in another", "«[a](((((b)))))»c"],
  ["and with five, which is none", "[a]((((((b))))))c"],
  ["a target that never ends", "[a](b"],
  ["a target that ends on another line", "[a](b\nc)"],
  ["a target that ends in another paragraph", "[a](b\n\nc)"],
  ["brackets at the end", "[a]"],
  ["brackets with a blank before the target", "[a] (b)"],
  ["brackets beside words that end in a parenthesis", "a [b] c)"],
  ["brackets without a beginning", "a](b)"],
  ["an escaped bracket", "\\[a](b)"],
  ["brackets do not reach over paragraphs", "[a\n\nb](c)"],
  ["a comment", "a «<!-- b -->» c"],
  ["a comment at the end", "a «<!-- b -->»"],
  ["a comment over two lines", "a «<!-- b»\n«c -->» d"],
  ["a comment that does not end in its paragraph", "a <!-- b\n\nc --> d"],
  ["a comment that begins a line reaches over paragraphs", "«<!-- a»\n\n«b -->» c"],
  ["and to the end where it has none", "«<!-- a»\n\n«b»"],
  ["two comments on a line", "«<!-- a -->» b «<!-- c -->»"],
  ["tags, one by one", "a «<b>»c«</b>» d"],
  ["a tag with an attribute", 'a «<b c="d">»e'],
  ["a tag that is closed at once", "a «<br/>»b«<br />»c"],
  ["a tag with a dash in its name", "a «<my-tag>»b"],
  ["a tag with a digit in its name", "a «<h1>»b"],
  ["a tag over two lines", "a «<b»\n«c>» d"],
  ["a tag that is closed behind a tab", "a «<b\t>» c"],
  ["attributes that begin with other signs", "a «<b _c>» «<b :c>» d"],
  ["what only looks like a tag", "a <b 1> <b #7> <b =c> <1> < b> <> d"],
  ["an address in angle brackets", "a <https://example.org> <me@example.org> b"],
  ["the letters beside those of a name", "a <{b> <@b> <[b> «<z>» «<Z>»"],
  ["a tag that does not end in its paragraph", "a <b\n\nc> d"],
  ["a tag that never ends", "a <b"],
  ["a stray closing tag", "a «</code>» b"],
  ["elements whose content is code or somebody else's", "a «<code>b</code>» c «<pre>d</pre>» e «<blockquote>f</blockquote>» g"],
  ["in any case", "a «<CODE>b</Code>» c"],
  ["elements whose names only begin so, or are as long", "a «<prefer>»b«</prefer>» «<cods>»c«</cods>» «<co>»d«</co>» e"],
  ["one element in another", "a «<pre><code><blockquote>b</blockquote>c</code></pre>» d"],
  ["one element in itself", "a «<code><code>b</code>c</code>» d"],
  ["elements that are closed crosswise", "a «<code><pre>b</code>c</pre>» d"],
  ["an element holds whatever else there is", "a «<code>`b [c](d) <!-- e --></code>» f"],
  ["an element over paragraphs", "a «<code>b»\n\n«c</code>» d"],
  ["an element that is never closed", "a «<code>b»\n\n«c»"],
  ["a raw element on its own lines, to its end", "«<script>»\n\n«`a»\n«</script>» b"],
  ["and it is ended by the end of any of them", "«<script>»\n\n«a</style>» b"],
  ["and by no other", "«<style>»\n«a</b>»\n«</style>» b"],
  ["each of them", "«<pre>»\n\n«a</pre>» b\n\n«<textarea>»\n\n«c</textarea>» d\n\n«<style>»\n\n«e</style>» f"],
  ["a raw element whose end has no end", "«<pre>»\n«a</pre»\n\n«b»"],
  ["a raw element inside of a line is none", "a «<style>»b«</style>» c «<textarea>»d«</textarea>» e"],
  ["a fence", "«```»\n«a»\n«```»\nb"],
  ["a fence of tildes, with tildes behind it", "«~~~ a~b»\n«c»\n«~~~»\nd"],
  ["backticks behind backticks are no fence", "``` a`b\nc"],
  ["two signs are no fence", "``\na"],
  ["a fence is closed by more signs, with blanks behind them", "«```»\n«a»\n«`````  »\nb"],
  ["and not by fewer, by others, or by some with words", "«````»\n«```»\n«~~~~»\n«```` a»\n«b»"],
  ["nor by some four columns in", "«```»\n«    ```»\n«a»"],
  ["a fence in a list item, with its end", "«- ```»\n«  a»\n«  ```»\n  b"],
  ["a fence in an item of an item ends with that, and what looks like its end begins another", "- a\n«  - ```»\n«    b»\n«   ```»\n«   c»"],
  ["a fence in a list item ends with it", "«- ```»\n«  a»\nb"],
  ["indented code, and not in a paragraph", "«    a»\n\nb\n    c\n\n«    d»"],
  ["indented code by a tab, and by blanks and a tab", "«\ta»\n«  \tb»"],
  ["three columns are no code", "   a"],
  ["a quote with its lazy lines", "«> a»\n«b»\n\nc"],
  ["a quote in an item ends with an empty line, and the item goes on", "«- > a»\n\n  b"],
  ["a quote of which nothing goes on", "«> # a»\nb"],
  ["a quote four columns in is code", "«    > a»\nb"],
  ["headings, behind which code begins at once", "# a\n«    b»"],
  ["a heading without words", "#\n«    a»"],
  ["a number sign that touches a word, and seven of them", "#a\n    b\n\n####### c\n    d"],
  ["a heading underlined, with blanks behind it", "a\n«===  »\n«    b»\n\nc\n«-»\n«    d»"],
  ["and not with words behind it", "a\n== b\n    c"],
  ["breaks of each kind, behind which code begins", "«___»\n«    a»\n«* * *»\n«    b»\n«- --»\n«    c»"],
  ["two signs, and several with a word, are no break", "__\n    a\n\n*** b\n    c"],
  ["a break in an item", "«- * * *»\n\n«      a»"],
  ["items: their paragraphs and their code", "- a\n\n  b\n\n«      c»"],
  ["an item of a plus, and of a number with a parenthesis", "+ a\n\n    b\n\n3) c\n\n    d"],
  ["an item by each digit", "0. a\n\n    b\n\n9. c\n\n    d"],
  ["a number of nine digits begins an item, of ten none", "123456789. a\n\n           b\n\n1234567890. c\n\n«            d»"],
  ["a number without a sign, or one that touches a word, begins none", "1 a\n\n«    b»\n\n1.a\n\n«    c»\n\n1a. b\n\n«    d»"],
  ["in a paragraph only the number 1 begins an item", "a\n1. b\n\n    c"],
  ["and not another one", "a\n2. b\n\n«    c»"],
  ["nor one of two digits", "a\n10. b\n\n«    c»"],
  ["in a paragraph an empty item is none", "a\n*  \n      b"],
  ["an item with five blanks holds code", "«-     a»\n  b"],
  ["an item with four blanks is that wide", "-    a\n\n     b\n\n«         c»"],
  ["an empty item goes on with its next line", "«-»\n  a"],
  ["and not behind an empty one", "«-»\n\n«    a»"],
  ["nor does one in another", "- a\n«  -»\n\n«      b»"],
  ["an item in an item", "- a\n  - b\n\n    c\n\n«        d»"],
  ["an item by a tab", "-\ta\n\n    b"],
  ["lines that end in a carriage return", "«```»\r\n«a»\r\n«```»\r\nb «`c`»\r\n«> d»\r\n\r\ne"],
];

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
  for (let i = 0; i < spans.length; i += 2) if (at >= (spans[i] ?? 0) && at < (spans[i + 1] ?? 0)) return true;
  return false;
}

describe("P01 what of a text is hidden, to the character", () => {
  it.each(rows)("%s", (_promise, marked) => {
    const text = marked.replaceAll(/[«»]/g, "");
    const spans = hiddenSpans(text, null);
    expect(markedBy(text, (at) => covers(spans, at))).toBe(marked);
    expect(spans).toEqual([...new Set(spans)].toSorted((a, b) => a - b));
  });

  it.each(rows)("where only one position is asked about: %s", (_promise, marked) => {
    const text = marked.replaceAll(/[«»]/g, "");
    expect(markedBy(text, (at) => covers(hiddenSpans(text, [at]), at))).toBe(marked);
  });

  it.each(rows)("where the lines before are not read, of letters: %s", (_promise, marked) => {
    const text = marked.replaceAll(/[«»]/g, "");
    const spans = hiddenSpans(text, null);
    const letters = Array.from(text, (_, at) => at).filter((at) => /[a-z]/i.test(text.charAt(at)));
    expect(letters.filter((at) => (quicklyPlain(text, at) ?? !covers(spans, at)) === covers(spans, at))).toEqual([]);
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

  it.each<readonly [what: string, text: string, wanted: readonly number[], spans: readonly number[]]>([
    ["behind the paragraph of the last one", "a\n\n```\nb", [0], []],
    ["behind the line of the last one", "# a\n```\nb", [2], []],
    ["at the end of that line", "# a\n```\nb", [3], []],
    ["where none is asked about", "```\nb", [], []],
    ["but not inside of a paragraph", "a `b\nc` d", [0], [2, 7]],
  ])("and nothing is read %s", (_what, read, wanted, spans) => expect(hiddenSpans(read, wanted)).toEqual(spans));

  it("but not those with a tag, which may hide what follows", () => {
    expect(hiddenSpans("a <code>\n\nb `c`\n\nd", [text.length - 3])).toEqual([2, 18]);
  });
});
