import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { type DefaultTreeAdapterTypes, parseFragment } from "parse5";
import { createRandom } from "./documents.ts";

/** Elements in which no host looks for a mention. */
const skipped: ReadonlySet<string> = new Set("pre code a style script".split(" "));

/**
 * Whom the page of a text mentions. A host looks at each run of text between two tags by itself, so
 * that what stood before a tag doesn't keep a mention from being one.
 */
export function mentionsOn(markdown: string): readonly string[] {
  const page = micromark(markdown, {
    allowDangerousHtml: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
  return mentionsIn(parseFragment(page));
}

function mentionsIn(node: DefaultTreeAdapterTypes.Node): readonly string[] {
  if (node.nodeName === "#text" && "value" in node)
    return [...node.value.matchAll(mention)].map(([, name = ""]) => name);
  if (!("childNodes" in node) || skipped.has(node.nodeName)) return [];
  return node.childNodes.flatMap(mentionsIn);
}

/** The widest that any host reads: dots within, and at the beginning on GitLab; a slash for a team. */
const mention = /(?<![A-Za-z0-9])@([A-Za-z0-9_.](?:[./]*[A-Za-z0-9_-])*)/g;

/** What an agent may write around a mention; the same for the same seed. */
export function makeMentioning(seed: number): string {
  const random = createRandom(seed);
  return Array.from({ length: 1 + random(9) }, () => pieces[random(pieces.length)]).join("");
}

const pieces: readonly string[] = [
  ..."@bob @octo/security @ada @ada\\-evil @ada-evil @ada\\/team @.bob @\\_bob".split(" "),
  ..."loop stop cleanup #12 a@b.example deadbeef me @b.example @1.2.3 x".split(" "),
  ...["loop stop", "loop start", "www.a.example", "https://a.example", "<https://a.example>"],
  ..."<br> </b> <b> <kbd> </kbd> &#64;bob &#64; &commat;bob &amp; &nbsp; &lt; & ;".split(" "),
  ..."* ** _ __ ~ ~~ ` `` ( ) [ ] ](x) [x](x) ![ : / \\ | - > . , ! < #".split(" "),
  ...["@", "@", " ", "\n", "\n\n", "\t", "\u200b", "\u200d", "\ufeff", "\u00ad", "\u00a0", "é"],
];
