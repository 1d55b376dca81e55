/** Numbers that look random and are the same for the same seed. */
export type Random = (below: number) => number;

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Stands for a keyword; each becomes a reference with a number of its own. */
const word = "WORD";
/** At most so many words in one document. */
export const mostWords = 9;

const plain = [" a ", " ", "\n", "\n", "\n\n", "\n\n", "\r\n", "b ", "(", ")", ",", "*", "**"];
const code = ["`", "``", "```", "```\n", "\n```\n", "\n~~~\n", "\n    ", "\t", "\n\t"];
const blockMarks = [
  "> ",
  "\n> ",
  ">",
  "\n- ",
  "\n* ",
  "+ ",
  "\n1. ",
  "\n2) ",
  "   ",
  "  ",
  "\\",
  "\n# ",
  "\n---\n",
  "***",
  "\n===\n",
  "- [ ] ",
  "\n- - -\n",
  "\n  - ",
  "\n\n    ",
  "\n>\n",
  "\n    > ",
];
const links = [
  "[",
  "![",
  "](x)",
  "](x y)",
  "](x 'y')",
  "](<x y>)",
  "](",
  "]",
  ")",
  "[]",
  "[k]",
  "][k]",
  "][]",
  "\n\n[k]: x\n",
  "\n[k]: x 'WORD'\n",
  '\n\n[k]:\nx\n"WORD"\n\n',
  "\n\n[k]: x WORD\n\n",
  "\n\n[//]: # (WORD)\n\n",
  "[^n]",
  "\n\n[^n]: ",
  "\n\n[^n]: WORD\n\n    ",
  "<https://x.y>",
  "<a@x.y>",
  "![k]",
];
const struck = [
  "~",
  "~~",
  "~~",
  "~~~",
  " ~~",
  "~~ ",
  "~~WORD~~",
  "<del>",
  "</del>",
  "<s>",
  "</s>",
  "<strike>",
  "</strike>",
  "$$",
  "$",
  "$(",
  ")$",
];
const tables = [
  "|",
  "|",
  "\n| a | b |\n|---|---|\n| ",
  "\na | b\n- | -\n",
  "\n|a|\n|-|\n|",
  " | ",
  "\\|",
  "|---|",
  "\n:-\n",
  "\n| - |\n",
  "\n|:-:|\n",
];
const html = [
  "<!-- ",
  " -->",
  "<!-->",
  "<!---",
  "\n<!--\n",
  "<?x ",
  "?>",
  "<!X ",
  "<![CDATA[",
  "]]>",
  ">",
  "<b>",
  "</b>",
  "<br>",
  "<br/>",
  "<i a='b'>",
  '<i a="',
  '">',
  "<i a=",
  "<i ",
  "<kbd>",
  "</kbd>",
  "<samp>",
  "</samp>",
  "<tt>",
  "</tt>",
  "<code>",
  "</code>",
  "<pre>",
  "</pre>",
  "\n<pre>\n",
  "\n</pre>\n",
  "<blockquote>",
  "</blockquote>",
  "<sub>",
  "</sub>",
  "<u8>",
  "<q>",
  "</q>",
  "<template>",
  "</template>",
  "<p hidden>",
  "</p>",
  "<span style='x'>",
  "</span>",
  "<div>",
  "</div>",
  "\n\n<div>\n",
  "\n</div>\n\n",
  "\n<del>\n",
  "\n</del>\n",
  "\n\n<details>\n<summary>b</summary>\n\n",
  "\n</details>\n\n",
  "<table><tr><td>",
  "</td></tr></table>",
  "<img alt='WORD'>",
  "<a href='x'>",
  "</a>",
  "<title>",
  "</title>",
  "<textarea>",
  "</textarea>",
  "\n<script>\n",
  "</script>",
  "<DEL>",
  "</DEL >",
  "<s/>",
  "<li>",
  "</li>",
  "<h1>",
  "</h1>",
];

/** Elements whose words are of another kind, or folded. */
const folded = [
  "<var>",
  "</var>",
  "<cite>",
  "</cite>",
  "<bdo dir='rtl'>",
  "</bdo>",
  "<ruby>",
  "<rt>",
  "</rt>",
  "</ruby>",
  "<details>",
  "</details>",
  "\n\n<details>\n\n",
  "\n\n<details open>\n\n",
  "<details open>",
  "<summary>",
  "</summary>",
  "\n</details>\n\n",
  "<b>",
  "</b>",
  "<div>",
  "</div>",
];

/** Families of pieces; a document is made of few of them, so that what belongs together meets. */
const families: readonly (readonly string[])[] = [
  plain,
  code,
  blockMarks,
  links,
  struck,
  tables,
  html,
  folded,
];

/** One document: pieces of Markdown around words. None of them runs on into a word. */
export function makeDocument(random: Random): string {
  const pool = [
    plain,
    pick(families, random),
    pick(families, random),
    random(3) === 0 ? pick(families, random) : plain,
  ];
  const length = 2 + random(16);
  let text = "";
  for (let i = 0; i < length; i += 1)
    text += random(3) === 0 ? word : pick(pick(pool, random), random);
  return numbered(random(4) === 0 ? text : text + word);
}

/** The words of a document, each with its number. */
export function numbered(text: string): string {
  let words = 0;
  return text.replaceAll(word, () => {
    words += 1;
    return words > mostWords ? " a " : `fixes #${words}.`;
  });
}

function pick<T>(list: readonly T[], random: Random): T {
  const found = list[random(list.length)];
  if (found === undefined) throw new Error("there is nothing to pick from");
  return found;
}
