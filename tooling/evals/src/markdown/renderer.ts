import { HtmlRenderer, Parser } from "commonmark";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { type DefaultTreeAdapterTypes, parseFragment } from "parse5";

/**
 * Elements whose content a reader of the page does not take for the author's own words, or does not
 * see.
 */
const hidden: ReadonlySet<string> = new Set(
  "a pre code blockquote del s strike kbd samp tt q var cite bdo ruby rb rt rtc template select title textarea style script xmp iframe noembed noframes noscript plaintext dialog object applet marquee rp audio video canvas svg math option optgroup datalist progress meter listing head".split(
    " ",
  ),
);
const concealing: ReadonlySet<string> = new Set(["hidden", "aria-hidden", "style"]);
const blocks: ReadonlySet<string> = new Set(
  "p div li ul ol h1 h2 h3 h4 h5 h6 td th tr table details summary br hr section".split(" "),
);

/** Stands where something was left out; no keyword reaches over it. */
const gap = "\uFFFC";

/**
 * The words of a text that its page shows as the author's own, as GitHub's flavour of Markdown
 * makes the page.
 */
export function visibleWords(markdown: string): string {
  const options = {
    allowDangerousHtml: true,
    allowDangerousProtocol: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  };
  return wordsOf(parseFragment(micromark(markdown, options)));
}

/**
 * The same by the parser of the people who wrote CommonMark, which knows no tables, footnotes and
 * struck-out text.
 */
export function visibleByReference(markdown: string): string {
  return wordsOf(parseFragment(new HtmlRenderer().render(new Parser().parse(markdown))));
}

function wordsOf(node: DefaultTreeAdapterTypes.Node): string {
  if (node.nodeName === "#text" && "value" in node) return node.value;
  if (!("childNodes" in node)) return "";
  if (
    "tagName" in node &&
    (hidden.has(node.tagName) ||
      node.attrs.some(
        ({ name, value }) => concealing.has(name) || (name === "class" && value === "footnotes"),
      ))
  )
    return gap;
  const words = node.childNodes.map(wordsOf).join("");
  return "tagName" in node && blocks.has(node.tagName) ? `\n${words}\n` : words;
}
