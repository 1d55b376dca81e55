import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { closingReferences, mostReferences } from "../../src/linking/closing-keywords.ts";
import { isOwnerName, isRepositoryName } from "../../src/ref/ref.ts";
import { cpuMs } from "../cpu-ms.ts";

const scope = { owner: "Octo", repo: "Hello-World", defaultHost: "github.com" };
const issue = "https://github.com/Octo/Hello-World/issues";

const rows: readonly (readonly [name: string, text: string, numbers: readonly number[]])[] = [
  ...[
    "close",
    "closes",
    "closed",
    "fix",
    "fixes",
    "fixed",
    "resolve",
    "resolves",
    "resolved",
  ].flatMap((keyword): [string, string, number[]][] => [
    [keyword, `${keyword} #7`, [7]],
    [`${keyword} in capitals with a colon`, `${keyword.toUpperCase()}: #7`, [7]],
  ]),
  ["in a sentence", "This finally fixes #7, at last.", [7]],
  ["several blanks and tabs", "Closes \t  #7", [7]],
  ["a blank before the colon", "Closes : #7", [7]],
  ["own full form", "Closes Octo/Hello-World#7", [7]],
  ["own full form in another case", "closes OCTO/hello-world#7", [7]],
  ["GH-N", "Fixes GH-7", [7]],
  ["gh-n", "fixes gh-7", [7]],
  ["Gh-n and gH-n", "Fixes Gh-12, closes gH-13", [12, 13]],
  ["no other letter", "Fixes Ah-12, closes ch-13, fixes h-14", []],
  ["URL", `Resolves ${issue}/7`, [7]],
  ["URL by http, in another case", "Resolves http://GitHub.com/octo/hello-world/issues/7", [7]],
  ["URL as an autolink", `Resolves <${issue}/7>`, [7]],
  ["URL of a comment on the issue", `Fixes ${issue}/7#issuecomment-123`, [7]],
  ["URL with a full stop", `Fixes ${issue}/7.`, [7]],
  ["several with a keyword each, in order", "Fixes #9, closes #7 and resolves #8", [9, 7, 8]],
  ["on lines of their own", "Closes #1\r\nCloses #2\r\n", [1, 2]],
  ["each once", "Closes #7. Closes #7, fixes GH-7", [7]],
  ["all forms mixed keep their order", `Fixes GH-3, closes #1, resolves ${issue}/2`, [3, 1, 2]],
  ["the keyword is not understood, only found", "This does not close #7", [7]],
  ["in a list", "- Fixes #7\n- Fixes #8", [7, 8]],
  ["in a task list", "- [x] fixes #7", [7]],
  ["in a heading", "## Closes #7", [7]],
  ["in angle brackets, as templates have it", "<Fixes #7>", [7]],
  ["in emphasis as a whole", "**Closes #7** and _fixes #8_", [7, 8]],
  ["in parentheses", "(fixes #7)", [7]],
  ["after a quote and a blank line", "> why?\n\nCloses #7", [7]],
  ["after a comment of a template", "<!-- Fixes #1 -->\nFixes #7", [7]],
  ["inside of details", "<details>\n\nCloses #7\n\n</details>", [7]],
  ["largest number", "closes #2147483647", [2_147_483_647]],

  ["P12 one keyword for one reference", "Closes #1 #2", [1]],
  ["P12 one keyword for one reference, with a comma", "Closes #137, #138 and #139", [137]],
  ["P12 other repository", "fixes other/repo#3", []],
  ["P12 own name behind another owner's", "fixes evil/Octo/Hello-World#3", []],
  ["P12 own name with another sign in place of the slash", "fixes Octo-Hello-World#3", []],
  ["P12 owner of as many letters", "fixes Acto/Hello-World#3", []],
  ["P12 repository of as many letters", "fixes Octo/Hello-Worle#3", []],
  ["P12 own name without its first letter", "fixes cto/Hello-World#3", []],
  ["own name at the beginning, without a keyword", "Octo/Hello-World#3", []],
  ["a number at the beginning, without a keyword", "#3", []],
  ["a keyword without its first letter", "ixes #3", []],
  ["P12 four signs of emphasis", "____fixes #3, fixes #4____x", []],
  ["three signs of emphasis", "___fixes #3___", [3]],
  [
    "P12 a number that letters of other alphabets go on",
    "fixes #3À, fixes #4é, fixes #5Я, fixes #6\u052f",
    [],
  ],
  ["a number before other signs", "fixes #3\u00bf, fixes #4\u0530, fixes #5—", [3, 4, 5]],
  ["P12 longer repository name", "fixes xOcto/Hello-World#3", []],
  ["P12 zero", "closes #0", []],
  ["P12 leading zero", "closes #07", []],
  ["P12 too large by one", "closes #2147483648", []],
  ["P12 far too large", "closes #99999999999999999999", []],
  ["URL with a slash at its end", `Fixes ${issue}/7/`, [7]],
  ["P12 URL of a page below the issue", `Fixes ${issue}/7/events`, []],
  ["P12 URL of another host", "closes https://example.org/Octo/Hello-World/issues/7", []],
  [
    "URL in capitals",
    "CLOSES HTTPS://GITHUB.COM/OCTO/HELLO-WORLD/ISSUES/7".replace("ISSUES", "issues"),
    [7],
  ],
  [
    "P12 URL of another host of as many letters",
    "closes https://gitlab.com/Octo/Hello-World/issues/7",
    [],
  ],
  [
    "P12 URL of another repository of as many letters",
    "closes https://github.com/Octo/Hello-Worle/issues/7",
    [],
  ],
  ["P12 URL by another protocol", "closes  ftp://github.com/Octo/Hello-World/issues/7", []],
  [
    "P12 URL by a protocol of as many letters",
    "closes xttp://github.com/Octo/Hello-World/issues/7",
    [],
  ],
  ["P12 URL without its colon", "closes httpx//github.com/Octo/Hello-World/issues/7", []],
  [
    "P12 URL that has lost its beginning",
    "//github.com/Octo/Hello-World/issues/7 and ://github.com/Octo/Hello-World/issues/7",
    [],
  ],
  [
    "P12 URL of another host that ends like ours",
    "closes https://notgithub.com/Octo/Hello-World/issues/7",
    [],
  ],
  [
    "P12 our host as a user name",
    "closes https://github.com@example.org/Octo/Hello-World/issues/7",
    [],
  ],
  ["P12 URL of another repository", "closes https://github.com/Octo/Other/issues/7", []],
  ["P12 URL of a pull request", "closes https://github.com/Octo/Hello-World/pull/7", []],
  ["P12 run on into a word", "closes GH-1x, fixes #2nd", []],
  ["P12 in code", "`closes #7`", []],
  ["P12 in a fence", "```\ncloses #7\n```", []],
  ["P12 in indented code", "text\n\n    closes #7", []],
  ["P12 in a quote", "> closes #7", []],
  ["P12 in a lazy continuation of a quote", "> somebody wrote\ncloses #7", []],
  ["P12 in an HTML comment", "<!-- closes #7 -->", []],
  ["P12 in an HTML comment over lines", "<!--\nWrite for instance:\n\nFixes #1234\n-->", []],
  [
    "P12 in pre, code and blockquote",
    "<pre>closes #1</pre> <code>closes #2</code>\n<blockquote>\n\ncloses #3\n\n</blockquote>",
    [],
  ],
  ["P12 in a link", "[closes #7](https://example.org)", []],
  ["a word between", "Fixes issue #641", []],
  ["a keyword in bold alone", "**Fixes** #7", []],
  ["no blank", "closes#7", []],
  ["no blank after the colon", "closes:#7", []],
  ["no blank before GH-N and a URL", `closes:GH-7, closes:${issue}/7`, []],
  ["keyword on the line above", "Fixes\n#7", []],
  ["inside of a longer word", "hotfix #7, prefixes #8, encloses #9, foo_fixes #3", []],
  [
    "behind a letter or digit, whichever it is",
    "afixes #1, zfixes #2, Afixes #3, Zfixes #4, 0fixes #5, 9fixes #6",
    [],
  ],
  ["inside of a word of another alphabet", "préfix #7", []],
  ["other words", "fixing #1, closing #2, solves #3, see #4, refs #5", []],
  ["escaped", "closes \\#7", []],
  ["a reference alone", "#7", []],
  ["a keyword alone", "closes", []],
  ["nothing", "", []],
  ["two colons", "closes:: #7", []],
  ["a row of hashes", "closes ##7", []],
  ["a path that only ends like an issue's", "closes /issues/7", []],
];

describe("closingReferences", () => {
  it.each(rows)("%s", (_name, text, numbers) => {
    expect(closingReferences(text, scope)).toEqual(numbers);
  });

  it("takes URLs whatever the case of their letters, from A to Z", () => {
    const every = { ...scope, owner: "abcdefghijklm", repo: "nopqrstuvwxyz" };
    expect(
      closingReferences("closes https://GITHUB.COM/ABCDEFGHIJKLM/NOPQRSTUVWXYZ/issues/7", every),
    ).toEqual([7]);
    for (const other of ["@bcdefghijklm/nopqrstuvwxyz", "abcdefghijklm/nopqrstuvwxy["])
      expect(closingReferences(`closes https://github.com/${other}/issues/7`, every)).toEqual([]);
  });

  it("takes URLs of the repository's own host, not of the default one", () => {
    const other = { ...scope, host: "git.example.org:8443" };
    expect(
      closingReferences("closes https://git.example.org:8443/octo/hello-world/issues/7", other),
    ).toEqual([7]);
    expect(closingReferences(`closes ${issue}/7`, other)).toEqual([]);
  });

  it("P12 ten thousand references: the first ten", () => {
    const text = Array.from({ length: 10_000 }, (_, i) => `closes #${i + 1}`).join("\n");
    expect(closingReferences(text, scope)).toEqual(
      Array.from({ length: mostReferences }, (_, i) => i + 1),
    );
  });

  it("a text with more than a thousand references, which nobody writes, is not read to its end", () => {
    expect(closingReferences(`${"closes #1 ".repeat(999)}closes #2 closes #3`, scope)).toEqual([
      1, 2,
    ]);
  });

  it("P12 what is hidden does not count among the ten", () => {
    const text = `${Array.from({ length: 50 }, (_, i) => `> closes #${i + 1}`).join("\n")}\n\ncloses #99`;
    expect(closingReferences(text, scope)).toEqual([99]);
  });

  it.each([
    " ",
    "#",
    "#1",
    "fix #1 ",
    "fix #1\n",
    "- fix #1\n",
    "> fix #1\n",
    "`fix #1` ",
    "fix #1 <!--",
    "fix #1 [](",
    "fix #1 <a ",
    "GH-1 ",
    "/issues/1 ",
    `fix ${issue}/1 `,
    "close: ",
    "fix\t",
  ])("P14 reads a mebibyte of %j, for which a quadratic reader would need minutes", (unit) => {
    const text = unit.repeat(Math.ceil(1_048_576 / unit.length));
    const spent = cpuMs(() => {
      closingReferences(text, scope);
      closingReferences(`${text}\n\nfixes #3`, scope);
    });
    expect(spent).toBeLessThan(10_000);
  });

  it("says the same of a text with unrelated paragraphs around it", () => {
    const around = fc.constantFrom(
      "",
      "words\n\n",
      "```\nx\n```\n\n",
      "<!-- x -->\n\n",
      "- a\n- b\n\n",
      "> q\n\n",
      "# h\n\n",
      "<b>x</b>\n\n",
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...rows),
        fc.array(around, { maxLength: 4 }),
        fc.array(around, { maxLength: 3 }),
        ([, text, numbers], before, after) => {
          fc.pre(!text.startsWith("    "));
          expect(
            closingReferences(`${before.join("")}${text}\n\n${after.join("")}`, scope),
          ).toEqual(numbers);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("reads back every reference that is written in one of its forms, of any repository on any host", () => {
    const name = fc
      .array(fc.constantFrom(..."abcXYZ019-_."), { minLength: 1, maxLength: 12 })
      .map((letters) => letters.join(""));
    const place = fc.record({
      owner: name.filter(isOwnerName),
      repo: name.filter(isRepositoryName),
      host: fc.constantFrom(null, "git.example.org", "git.example.org:8443"),
    });
    const written = fc.record({
      number: fc.integer({ min: 1, max: 2_147_483_647 }),
      keyword: fc.constantFrom(
        "close",
        "Closes",
        "CLOSED",
        "fix",
        "Fixes",
        "fixed",
        "resolve",
        "resolves",
        "Resolved",
      ),
      colon: fc.constantFrom("", ":"),
      form: fc.constantFrom("#", "name", "GH-", "page"),
    });
    fc.assert(
      fc.property(
        place,
        fc.uniqueArray(written, { maxLength: mostReferences, selector: ({ number }) => number }),
        fc.constantFrom("\n", ", ", ". And it ", "\r\n\r\n"),
        ({ owner, repo, host }, all, between) => {
          const forms = {
            "#": "#",
            "GH-": "GH-",
            name: `${owner}/${repo}#`,
            page: `https://${host ?? "github.com"}/${owner}/${repo}/issues/`,
          };
          const text = all
            .map(
              ({ number, keyword, colon, form }) =>
                `${keyword}${colon} ${forms[form as keyof typeof forms]}${number}`,
            )
            .join(between);
          expect(closingReferences(text, { owner, repo, host, defaultHost: "github.com" })).toEqual(
            all.map(({ number }) => number),
          );
        },
      ),
      { numRuns: 3000 },
    );
  });

  it("never throws and never finds what is out of range", () => {
    const parts = fc.constantFrom(
      "closes ",
      "fix",
      "es",
      ": ",
      "#",
      "1",
      "0",
      "GH-",
      "gh-",
      "Octo/Hello-World",
      issue,
      "/issues/",
      " ",
      "\n",
      "`",
      "> ",
      "<!--",
      "-->",
      "_",
      "é",
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 25 }), (chosen) => {
        const numbers = closingReferences(chosen.join(""), scope);
        expect(numbers.length).toBeLessThanOrEqual(mostReferences);
        expect(new Set(numbers).size).toBe(numbers.length);
        for (const number of numbers)
          expect(Number.isInteger(number) && number >= 1 && number <= 2_147_483_647).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });
});
