import { defaultWords, formatAgentPost } from "@loopwork/core";
import { type Node, Parser } from "commonmark";
import fc from "fast-check";
import { expect, test } from "vitest";

const pieces = [
  "@mallory",
  "@org/team",
  "![",
  "[",
  "](",
  ")",
  "]",
  ": ",
  "https://evil.example",
  "`",
  "``",
  "```",
  "````",
  "~~~",
  "\n",
  "\n",
  "\n\n",
  "    ",
  "  ",
  " ",
  "- ",
  "* ",
  "1. ",
  "2) ",
  "> ",
  "<",
  ">",
  "<img src=x>",
  "<div>",
  "</div>",
  "<details>",
  "</summary>",
  "<br>",
  "<!--",
  "-->",
  "<a href='",
  "&#64;mallory",
  "\\",
  "|",
  "a",
  "\t",
  "# ",
  "---",
  "===",
  "<https://a`b>",
  "<b>",
  "\r",
];
const hostile = fc
  .array(fc.constantFrom(...pieces), { maxLength: 30 })
  .map((parts) => parts.join(""));

/**
 * What a reader of Markdown finds in a post that calls somebody, loads something, or leads
 * elsewhere than it says; code is left out.
 */
function liveIn(post: string): readonly string[] {
  const found: string[] = [];
  const walker = new Parser().parse(post).walker();
  for (let step = walker.next(); step !== null; step = walker.next()) {
    if (step.entering) found.push(...liveAt(step.node));
  }
  return found;
}

function liveAt(node: Node): readonly string[] {
  const literal = node.literal ?? "";
  switch (node.type) {
    case "image":
      return ["an image"];
    case "link":
      return isAsSaid(node.destination ?? "", node.firstChild?.literal ?? "")
        ? []
        : [`a link to ${node.destination ?? ""}`];
    case "html_inline":
    case "html_block":
      return [
        ...(/<(?!\/?(?:details|summary|sub|sup|kbd|b|i|em|strong|code|ins|del)>|br ?\/?>|details open>)[A-Za-z/!?]/.test(
          literal,
        )
          ? [`HTML: ${literal}`]
          : []),
        ...mentionsIn(literal),
      ];
    case "text":
      return mentionsIn(literal);
    default:
      return [];
  }
}

/** The parser writes an address as addresses are written. */
function isAsSaid(destination: string, said: string): boolean {
  return destination === said || decodeURI(destination) === decodeURI(said);
}

/**
 * The parser cuts text at every delimiter, so that what stands before the sign is not seen here: it
 * is asked for the name alone.
 */
function mentionsIn(text: string): readonly string[] {
  return /(?:^|[^A-Za-z0-9])@(?:mallory|org\/team)/.test(text) ? [`a mention: ${text}`] : [];
}

test("whatever an agent writes, a reader of Markdown finds nothing live in it", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      expect(
        liveIn(formatAgentPost(text, { heard: new Set(["ada"]), keywords: defaultWords.keywords })),
      ).toEqual([]);
    }),
    { numRuns: Number(process.env["LOOP_FUZZ_POSTS"] ?? 5_000) },
  );
});

test("the reader finds what is live in the same texts before", () => {
  expect(liveIn("@mallory ![a](b) <img src=x>\n\n[github.com](https://evil.example)")).toEqual([
    "a mention: @mallory ",
    "an image",
    "HTML: <img src=x>",
    "a link to https://evil.example",
  ]);
});
