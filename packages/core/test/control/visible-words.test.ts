import { describe, expect, it } from "vitest";
import { controlSpans, hiddenKeyword, readControl } from "../../src/control/keyword.ts";
import { defaultWords } from "../../src/control/reason-sentences.ts";
import { readAnswer } from "../../src/graph/gate.ts";
import { commentEvent } from "../../src/testing/build-event.ts";
import { closingReferences } from "../../src/linking/closing-keywords.ts";

const { keywords } = defaultWords;
const scope = { owner: "octo", repo: "shop", defaultHost: "github.com" };

/**
 * Texts in which WORD is on the page as its author's own, and others. Each is tried with a keyword,
 * a closing reference and an approval.
 */
const hidden: readonly (readonly [what: string, text: string])[] = [
  ["a link definition", "Thanks!\r\n\r\n[//]: # (WORD)\r\n"],
  ["a link definition over lines", "[a]:\nhttps://example.org\n'WORD\nWORD'"],
  ["a link definition in a list", "- [a]: b 'WORD'"],
  ["the text of a link that is defined elsewhere", "[WORD][a]\n\n[a]: b"],
  ["the text of a link by its own name", "[WORD]\n\n[WORD]: b"],
  ["a footnote that nothing calls", "Thanks!\r\n\r\n[^1]: WORD\r\n"],
  ["a footnote that is called", "Thanks![^1]\n\n[^1]: a\n\n    WORD"],
  ["a section of raw characters", "Thanks!\r\n\r\n<![CDATA[ WORD ]]>\r\n"],
  ["a section inside of a line", "Thanks! <![CDATA[ WORD ]]> b"],
  ["an instruction", "<?a WORD ?>"],
  ["a declaration", "<!A WORD >"],
  ["a comment that does not end", "<!-- WORD"],
  ["struck-out text", "~~WORD~~ keep going"],
  ["text struck out by one sign", "~WORD~ keep going"],
  ["text struck out over lines", "~~a\nWORD\nb~~"],
  ["struck-out text in a table", "| a |\n|---|\n| ~~WORD~~ |"],
  ...[
    "del",
    "s",
    "strike",
    "kbd",
    "samp",
    "tt",
    "q",
    "code",
    "pre",
    "blockquote",
    "template",
    "title",
    "textarea",
    "script",
    "style",
    "noscript",
    "iframe",
    "select",
    "svg",
    "object",
    "a",
    "bdo",
    "cite",
    "dialog",
    "ruby",
    "rb",
    "rt",
    "rp",
    "rtc",
    "var",
  ].map((name): [string, string] => [`an element ${name}`, `a <${name}>WORD</${name}> b`]),
  ["an element that is struck out over paragraphs", "<del>\n\nWORD\n\n</del>"],
  ["an element that nothing closes", "<del>a\n\nWORD"],
  ["an element that is closed in another block", "<del>\n\na</del>\n\nWORD"],
  ["an element that is closed in a cell of a table", "<s>\n\n| a |\n|---|\n| </s> WORD |"],
  ["an element that a quote opens and does not close", "> <s>a\n\nWORD"],
  ["an element that a footnote seems to close", "<s>\n\n[^1]: a</s>\n\nWORD"],
  [
    "an element that a called footnote seems to close",
    "a[^1]\n\n<s>\n\n[^1]: b\n\n    </s>\n\nWORD",
  ],
  [
    "an element that a block of a footnote seems to close",
    "<del>\n\n[^1]:\n    <div>\n    </del></div>\n\nWORD",
  ],
  [
    "an element that a table of a footnote seems to close",
    "<s>\n\n[^1]: | a |\n    |---|\n    | </s> |\n\nWORD",
  ],
  ["an element that a quote in a footnote seems to close", "<s>\n\n[^1]: > a</s>\n\nWORD"],
  ["an element that is hidden", "<p hidden>WORD</p>"],
  ["an element with a style of its own", "<span style='display:none'>WORD</span>"],
  ["the text of an image", "![WORD](a.png)"],
  ["the title of a link", "[a](b 'WORD')"],
  ["an attribute", "<img alt='WORD' src='a'>"],
  ["an attribute that holds the end of a tag", "<img title='> WORD' src='a'>"],
  ["a formula", "$$ WORD $$"],
  ["a formula over lines", "$$\na\nWORD\n$$"],
  ["a formula of a line", "a $x = WORD$ b"],
  ["a formula of a line that begins with it", "$WORD$"],
  ["a formula of a line over lines", "a $x\nWORD$ b"],
  ["a formula in brackets", "($WORD$)"],
  ["a formula behind a price", "It costs $5. $WORD$"],
  ["a formula before a price", "$WORD$ costs $5"],
  ["a formula that ends before a sign", "a $WORD$, b"],
  ["a formula with backquotes", "$`WORD`$"],
  ["a formula in a list", "- $WORD$"],
  ["a formula in a cell", "| a |\n|---|\n| $WORD$ |"],
  ["a formula in an element", "<div>\n\n$WORD$\n\n</div>"],
  ["text that is turned around by an element", "<bdo dir='rtl'>trats pool WORD</bdo>"],
  ["a diagram", "```mermaid\nWORD\n```"],
  ["an alert, which is written as a quote", "> [!NOTE]\n> WORD"],
  ["a cell that the table has no column for", "| a |\n|---|\n| b | WORD |"],
  ["code in a cell, behind a mark in another", "| a | b |\n|---|---|\n| ` | `WORD` |"],
  ["a line that is turned around", "\u202ea WORD"],
  ["text that goes on in a word", "WORD**s**"],
  ["text that goes on behind a tag", "WORD<b>s</b>"],
  ["text that goes on behind a hidden character", "WORD&shy;s"],
  ["text that begins in a word", "re**WORD**"],
  ["an address", "https://example.org/?a=WORD"],
  ["mail below a separator", "Go on.\r\n\r\n-----Original Message-----\r\nFrom: Ada\r\n\r\nWORD"],
  ["a signature", "Go on.\n-- \nWORD"],
];

const shown: readonly (readonly [what: string, text: string])[] = [
  ["plain text", "WORD"],
  ["emphasis", "a\n\n**WORD**"],
  ["a heading", "## WORD"],
  ["a task", "- [ ] WORD"],
  ["a cell of a table", "| a |\n|---|\n| WORD |"],
  ["subscript and superscript", "<sub>WORD</sub>"],
  ["marked and inserted text", "<mark><ins>WORD</ins></mark>"],
  ["details that are open", "<details open><summary>a</summary>\n\nWORD\n\n</details>"],
  ["details that can be opened", "<details><summary>a</summary>\n\nWORD\n\n</details>"],
  ["what stands on details that are folded", "<details><summary>WORD</summary>\n\na\n\n</details>"],
  ["text behind folded details", "<details><summary>a</summary>\n\nb\n\n</details>\n\nWORD"],
  ["marks that isolate a direction", "<bdi>WORD</bdi>"],
  [
    "a definition, an abbreviation, a time and small text",
    "<dfn><abbr><time><small>WORD</small></time></abbr></dfn>",
  ],
  ["a division of the page", "<div align='center'>\nWORD\n</div>"],
  ["text behind struck-out text", "~~a~~ WORD"],
  ["text behind a tilde that strikes nothing out", "~5 minutes. WORD in ~6"],
  ["text behind prices", "$5 and $6. WORD"],
  ["text between prices", "It costs $5 WORD or $6"],
  ["text between prices in brackets", "($5) WORD ($6)"],
  ["text between prices with the sign behind", "5$ WORD 6$"],
  ["text between variables", "Set $HOME WORD and $PATH"],
  ["text between escaped signs", "\\$a WORD b\\$"],
  ["text between signs in two paragraphs", "$a\n\nWORD b$"],
  ["text behind a formula", "$x$ WORD"],
  ["text behind a closed element", "<kbd>a</kbd> WORD"],
  ["text behind a generic type", "Vec<u8>, WORD"],
  ["text behind a definition", "[a]: b\n\nWORD"],
  ["what only looks like a definition", "[a]: b c WORD"],
  ["text behind a footnote", "[^1]: a\n\nWORD"],
  ["text behind a comment of a template", "<!-- a -->\nWORD"],
  ["a line behind one that is turned around", "\u202ea\nWORD"],
  ["text behind a break and a list of what is done", "---\nStatus: done\n\nWORD"],
  ["a line of a list behind words on who wrote what", "- On Monday Ada wrote: a\n- WORD"],
];

const said = (body: string): ReturnType<typeof readAnswer> =>
  readAnswer(
    commentEvent(body),
    { authority: "authorized", agentAtWork: null },
    { authorizedUsers: new Set(["alice"]) },
  );

describe("a word that its author does not show as an own one", () => {
  it.each(hidden)("does nothing in %s", (_what, text) => {
    const command = text.replaceAll("WORD", "loop stop");
    expect(readControl(command, keywords)).toEqual({ kind: "none", address: null });
    expect(controlSpans(command, keywords)).toEqual([]);
    expect(closingReferences(text.replaceAll("WORD", "Closes #7"), scope)).toEqual([]);
    expect(said(text.replaceAll("WORD", "approved"))).toBeNull();
  });

  it.each(hidden.filter(([what]) => !what.startsWith("text that") && what !== "an address"))(
    "is told of in %s",
    (_what, text) => {
      expect(hiddenKeyword(text.replaceAll("WORD", "loop stop"), keywords)).not.toBeNull();
    },
  );
});

describe("a word that is on the page", () => {
  it.each(shown)("counts in %s", (_what, text) => {
    const command = text.replaceAll("WORD", "loop stop");
    expect(readControl(command, keywords)).toMatchObject({ kind: "command", verb: "stop" });
    expect(hiddenKeyword(command, keywords)).toBeNull();
    expect(closingReferences(text.replaceAll("WORD", "Closes #7"), scope)).toEqual([7]);
  });
});

describe("what is hidden beside a command", () => {
  it.each([
    ["a comment that holds nothing else", "<!-- loop stop -->", { alone: true }],
    ["code that holds nothing else", "`loop stop`", { alone: true }],
    ["an element that holds nothing else", "<del>loop stop</del>", { alone: true }],
    ["a quote and an answer", "> loop stop\n\nno", { alone: false }],
    ["no keyword", "`loop`", null],
  ])("is told apart: %s", (_what, text, found) =>
    expect(hiddenKeyword(text, keywords)).toEqual(found),
  );

  it.each([
    ["a byte-order mark before it", "\ufeffloop start", true],
    ["a zero-width space before it", "\u200bloop start", true],
    ["a mark of direction around it", "\u202eloop start\u202c", true],
    ["a tag character in it", "l\u{e006f}oop start", true],
    ["a soft hyphen in it", "lo\u00adop start", true],
    ["a no-break space between its words", "loop\u00a0start", true],
    ["an ideographic space between its words", "loop\u3000start", true],
    ["a narrow no-break space behind it", "loop start\u202f", true],
    ["a no-break space and words behind it", "loop start\u00a0now", false],
    ["an entity for a blank between its words", "loop&nbsp;start", true],
    ["an entity for a blank before it", "&nbsp;loop start", true],
    ["a number that stands for what doesn't show", "&#8203;loop&#xa0;start", true],
    ["a quote around it besides", "> loop\u00a0stop\n\nno", false],
  ])("is a keyword with %s", (_what, text, alone) => {
    expect(readControl(text, keywords).kind).toBe("none");
    expect(hiddenKeyword(text, keywords)).toEqual({ alone });
  });

  it.each([
    ["another letter", "lооp start"],
    ["a letter right beside it", "\u00a0reloop start"],
    ["only one of its words", "loop\u00a0the start"],
    ["a keyword besides that counts", "loop start\n\nnot loop\u00a0stop"],
    ["a number that stands for no character", "&#9999999;loop&#xffffff;start"],
  ])("is no keyword with %s", (_what, text) => {
    expect(hiddenKeyword(text, keywords)).toBeNull();
  });

  it("leaves the places of what counts as they are", () => {
    const text = "`loop stop` instance:prod, please **loop  start** and mind the tests";
    expect(controlSpans(text, keywords).map(([start, end]) => text.slice(start, end))).toEqual([
      "instance:prod",
      "loop  start",
    ]);
  });
});
