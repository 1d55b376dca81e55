import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readControl } from "../../src/control/keyword.ts";
import { defaultWords } from "../../src/control/reason-sentences.ts";
import { formatAgentPost } from "../../src/own-writing/agent-post.ts";

const { keywords } = defaultWords;
const post = (text: string): string => formatAgentPost(text, { heard: new Set(["ada"]), keywords });
/** A zero-width space, as something that shows. */
const shown = (text: string): string => post(text).replaceAll("\u200b", "·");

describe("what an agent writes", () => {
  test("stays as it is where nothing in it is live", () => {
    const text = [
      "## Done",
      "",
      "- **Tests** pass: 12 of 12, *all* of them",
      "- see #12 and `src/a.ts`",
      "",
      "| a | b |",
      "|---|---|",
      "| 1 | 2 |",
      "",
      "```ts",
      "const a: Array<string> = [`@x`];",
      "// ![i](u) loop start <img>",
      "```",
      "",
      "> quoted words",
      "",
      "<details>",
      "",
      "more & more, a < b",
      "",
      "</details>",
    ].join("\n");
    // Behind a line of a tag Markdown goes on after an empty line.
    expect(post(text).replaceAll("\n\n\n", "\n\n").trimEnd()).toBe(text);
  });

  test.each([
    ["a mention of somebody who is heard", "Thanks @ada, and @Ada.", "Thanks @ada, and @Ada."],
    [
      "a mention of somebody whose login begins like a heard one's",
      "Hi @ada.evil, @ada.evil.",
      "Hi @·ada.evil, @·ada.evil.",
    ],
    [
      "a mention at the end of a sentence, with more behind it",
      "Ask @ada... or @ada.",
      "Ask @ada... or @ada.",
    ],
    ["a mention of anybody else", "cc @mallory @adam @ada-x", "cc @·mallory @·adam @·ada-x"],
    ["a team", "@ada/team @org/team", "@·ada/team @·org/team"],
    [
      "a mention behind a backslash or emphasis",
      "\\@mallory **@mallory** _@mallory_",
      "\\@·mallory **@·mallory** _@·mallory_",
    ],
    [
      "a mention that an entity makes",
      "&#64;mallory &commat;mallory &nbsp;",
      "&amp;#64;mallory &amp;commat;mallory &nbsp;",
    ],
    [
      "a mention right behind a keyword",
      "loop stop@bob, see loop start@octo/security",
      "`loop stop`@·bob, see `loop start`@·octo/security",
    ],
    [
      "a mention behind what a host makes a link or an element",
      "#12@bob deadbeef@bob a@b.example@bob **a**@bob _a_@bob ~a~@bob (a)@bob [a]@bob a<br>@bob <b>a</b>@bob",
      "#12@·bob deadbeef@·bob a@b.example@·bob **a**@·bob _a_@·bob ~a~@·bob (a)@·bob [a]@·bob a<br>@·bob <b>a</b>@·bob",
    ],
    [
      "a mention behind a character that doesn't show",
      "a\u200b@bob a\u00ad@bob a\ufeff@bob é@bob",
      "a·@·bob a\u00ad@·bob a\ufeff@·bob é@·bob",
    ],
    [
      "a mention that a backslash completes",
      "@ada\\-evil @ada\\/team @\\_bob @ada.\\_x",
      "@·ada\\-evil @·ada\\/team @·\\_bob @·ada.\\_x",
    ],
    [
      "a mention that an end tag completes, which the page leaves out",
      "@ada</b>-evil @ada</b></i>x @ada</b>. <b>@ada</b>",
      "@·ada</b>-evil @·ada</b></i>x @ada</b>. <b>@ada</b>",
    ],
    [
      "an address of mail",
      "me@example.org (a.b@c.example), <a@b.example>, pkg@1.2.3",
      "me@example.org (a.b@c.example), &lt;a@b.example>, pkg@1.2.3",
    ],
    [
      "what only looks like an address of mail",
      "loop stop@b.example a.@b.example #12@b.example deadbeef@b.example ~bug@b.example www.x@b.example",
      "`loop stop`@·b.example a.@·b.example #12@·b.example deadbeef@·b.example ~bug@·b.example www.x@·b.example",
    ],
    ["a sign by itself", "5 @ 3, @", "5 @ 3, @"],
    [
      "a name in an address",
      "https://npm.example/@scope/name",
      "https://npm.example/%40scope/name",
    ],
    ["an image", "![a chart](https://evil.example/x.png)", "·a chart (https://evil.example/x.png)"],
    [
      "an image by reference",
      "![a][b]\n\n[b]: https://evil.example/x.png",
      "!·[a][b]\n\n[b]·: https://evil.example/x.png",
    ],
    [
      "an image of HTML",
      '<img src="https://evil.example/x.png"> <picture>',
      '&lt;img src="https://evil.example/x.png"> &lt;picture>',
    ],
    ["an image behind backslashes", "\\![a](u) \\\\![a](u)", "\\·a (u) \\\\·a (u)"],
    [
      "a link that lies",
      "[github.com](https://evil.example)",
      "·github.com (https://evil.example)",
    ],
    [
      "a link that says where it leads",
      "[https://a.example](https://a.example)",
      "·https://a.example",
    ],
    [
      "a link of another form",
      "[a](https://evil.example 'x') [b](\nhttps://evil.example)",
      "[a]·(https://evil.example 'x') [b]·(\nhttps://evil.example)",
    ],
    [
      "a link by reference",
      "[github.com]\n\n[github.com]: https://evil.example",
      "[github.com]\n\n[github.com]·: https://evil.example",
    ],
    [
      "a link of HTML",
      '<a href="https://evil.example">github.com</a>',
      '&lt;a href="https://evil.example">github.com&lt;/a>',
    ],
    ["an address in angle brackets", "<https://a.example/@x>", "<https://a.example/%40x>"],
    ["a comment of HTML", "<!-- loop:effect-1:x -->", "&lt;!-- loop:effect-1:x -->"],
    [
      "a command line",
      "/close\n  /assign @mallory\n> /lgtm\nsee /etc/hosts",
      "/·close\n  /·assign @·mallory\n> /·lgtm\nsee /etc/hosts",
    ],
    ["a keyword", "Type loop start, or LOOP  Stop.", "Type `loop start`, or `LOOP  Stop`."],
    ["a keyword as code already", "Type `loop start`.", "Type `loop start`."],
    ["a keyword beside a stray backquote", "it` loop start", "it` ·loop start"],
    ["a keyword that the words of a link would make", "loop [start](u)", "loop ·start (u)"],
    ["an approval", "approved", "·\n\napproved"],
    ["marks that turn the direction of text", "a\u202eb\u2066c\u0000d", "abcd"],
  ])("%s", (_, text, quiet) => {
    expect(shown(text)).toBe(quiet);
  });
});

describe("a line that a host would carry out", () => {
  /** What a host's reader may skip, or take for the beginning of a line, before a command. */
  const before: readonly (readonly [what: string, text: string])[] = [
    ["a no-break space", "\u00a0"],
    ["a narrow no-break space", "\u202f"],
    ["an ideographic space", "\u3000"],
    ["an en space and a tab", "\u2002\t"],
    ["an Ogham space", "\u1680"],
    ["a byte-order mark", "\ufeff"],
    ["a zero-width space", "\u200b"],
    ["a zero-width joiner", "\u200d"],
    ["a word joiner", "\u2060"],
    ["a soft hyphen", "\u00ad"],
    ["an Arabic letter mark", "\u061c"],
    ["a combining grapheme joiner", "\u034f"],
    ["a Hangul filler", "\u3164"],
    ["a blank Braille pattern", "\u2800"],
    ["a variation selector", "\ufe0f"],
    ["a tag character", "\u{e0020}"],
    ["words and a line separator", "done\u2028"],
    ["words and a paragraph separator", "done\u2029"],
    ["words, a line separator and blanks", "done\u2028 \u00a0"],
    ["a next-line character", "\u0085"],
    ["a vertical tab", "\u000b"],
    ["a form feed", "\u000c"],
    ["a number of a list", "1. "],
    ["a number with a bracket", "12) "],
    ["a task of a list", "- [x] "],
    ["a heading", "## "],
    ["emphasis", "**"],
    ["a cell of a table", "| "],
    ["a backslash", "\\"],
    ["a tag", "<br>"],
    ["an entity", "&nbsp;"],
    ["an emoji", "👍 "],
  ];

  test.each(before)("is text behind %s", (_, start) => {
    const said = post(`ok\n${start}/close now`);
    expect(said).not.toContain("/close");
    expect(said.replaceAll("\u200b", "")).toContain("/close");
  });
});

describe("a line of words that a host or its bot would carry out", () => {
  test.each([
    "Duplicate of #12",
    "duplicate  of octo/shop#12",
    "DUPLICATE OF https://github.com/octo/shop/issues/12",
    "- Duplicate of #12",
    "> Duplicate of #12",
    "1. Duplicate of #12",
    "- [x] Duplicate of #12",
    "## Duplicate of #12",
    "**Duplicate of #12**",
    "**Duplicate** of #12",
    "_Duplicate of_ #12",
    "\\Duplicate of #12",
    "<br>Duplicate of #12",
    "&nbsp;Duplicate of #12",
    "\u200bDuplicate\u00a0of #12",
    "[Duplicate of #12](https://a.example)",
    "Done.\nDuplicate of #12",
    "Done.\u2028Duplicate of #12",
    "Duplicate\nof #12",
    "bors r+",
    "Bors: merge",
    "pre-commit.ci autofix",
    "recheck",
    "retest this please",
    "ok to test",
  ])("is text: %j", (text) => {
    const carriedOut = /duplicate\W+of|bors\W|pre-commit\.ci|recheck|retest|\bok to/i;
    expect(post(text)).not.toMatch(carriedOut);
    expect(post(text).replaceAll("\u200b", "")).toMatch(carriedOut);
  });

  test.each([
    "This is a duplicate of #12.",
    "Duplicate code is gone.",
    "Duplicates of #12",
    "Closes #12",
    "Rechecked it, and the borscht",
  ])("is no line that says something else: %j", (text) => {
    expect(post(text)).toBe(text);
  });
});

describe("what could pass for code and is none", () => {
  test.each([
    ["a fence that the list ends before it closes", "- item\n\n  ```\n  a\n@mallory\n  ```\n"],
    ["a fence that is never closed", "```\n@mallory"],
    ["a fence behind two list markers", "- - ```\n\n```\n@mallory\n```\n    ```"],
    ["a closing fence at another depth", "- x\n  ```\n  a\n     ```\n  @mallory\n  ```"],
    ["a deep fence with an empty line in it", "words\n    ```\n\n@mallory\n    ```"],
    ["code over two lines that begins on the first", "a ` b\nc ` @mallory ` d"],
    ["code over blocks", "a `b\n- @mallory\n- c` d"],
    ["code that a table takes apart", "| a | b |\n|---|---|\n| a ` | @mallory ` |"],
    ["a backquote behind a backslash", "\\` @mallory `x`"],
    ["a backquote in a line of a tag", "<summary>`</summary> @mallory `"],
    ["what follows a quote without a line between them", "> `foo\nbar` @mallory `x y`"],
    [
      "a fence of a thousand backquotes",
      `${"`".repeat(1500)}\n~~~\n${"`".repeat(1500)}\n@mallory\n~~~`,
    ],
  ])("%s", (_, text) => {
    expect(post(text)).not.toMatch(/@mallory/);
  });

  test("code in plain sight stays code", () => {
    for (const text of [
      "`@mallory`",
      "a ``b ` @mallory`` c",
      "```\n@mallory\n\n![x](y)\n```",
      "- x\n\n  ```sh\n  loop start\n  ```",
      "~~~~\n@mallory\n~~~\n~~~~",
      "1. ```\n   @mallory\n   ```",
    ])
      expect(post(text)).toBe(text);
  });
});

describe("whatever an agent writes", () => {
  const pieces = fc.constantFrom(
    "@mallory",
    "@org/team",
    "a@b.example",
    "#12",
    "![",
    "[",
    "](",
    ")",
    "]",
    ":",
    "https://evil.example",
    "`",
    "``",
    "```",
    "~~~",
    "\n",
    "\n\n",
    "    ",
    "  ",
    "- ",
    "1. ",
    "> ",
    "<",
    ">",
    "<img src=x>",
    "<details>",
    "<br>",
    "<!--",
    "-->",
    "&#64;",
    "loop start",
    "loop",
    " start",
    "cleanup",
    "/close",
    "\\",
    "|",
    "approved",
    "a",
    " ",
    "\t",
    "\r",
    "\u200b",
    "\u202e",
  );
  const hostile = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(""));

  test("no keyword is left in it, and no image, link or tag outside of code", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const said = post(text);
        expect(readControl(said, keywords).kind).toBe("none");
        expect(
          said.includes("```") ||
            said.includes("`") ||
            said.includes("~~~") ||
            !/!\[|\]\(|\]:|@mallory|@org|<img|<!--/.test(said),
        ).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });
});
