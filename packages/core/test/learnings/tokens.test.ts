import { describe, expect, test } from "vitest";
import { longestText, normalForm, type NormalForm } from "../../src/learnings/normal-form.ts";

/**
 * Each token: an identifier with its kind and the stems of its words, a word by its stem, one
 * without content in brackets.
 */
function read(text: string): string {
  return normalForm(text)
    .tokens.map(({ kind, stem, parts, filler }) =>
      kind === "word" ? (filler ? `(${stem})` : stem) : `${kind}:${stem}[${parts.join(" ")}]`,
    )
    .join(" ");
}

describe("what a piece of a fact is, by its look", () => {
  test.each([
    ["an address", "https://docs.host/x", "url:https://docs.host/x[http documentation host]"],
    ["an address without a secure channel", "http://host", "url:http://host[http host]"],
    [
      "an address inside of something else",
      "git+https://host/x",
      "path:git+https://host/x[git http host]",
    ],
    ["a long flag", "--no-verify", "flag:--no-verify[no check]"],
    ["a short flag", "-x", "flag:-x[]"],
    ["hyphens inside of words", "look--ahead", "look ahead"],
    ["a negative number is no flag", "-1", "1"],
    [
      "a package with a scope",
      "@my-scope/tool.kit_x",
      "package:@my-scope/tool.kit_x[my scop tool kit]",
    ],
    ["a file of such a package", "@scope/pkg/index", "path:@scope/pkg/index[scop pkg index]"],
    ["a scope behind a name", "npm@scope/pkg", "path:npm@scope/pkg[npm scop pkg]"],
    ["a number", "8080", "number:8080[8080]"],
    ["one digit", "5", "number:5[]"],
    ["a number in groups", "1,000_000", "number:1,000_000[000 000]"],
    ["a number with its unit", "30s", "number:30s[30s]"],
    ["a number in percent", "15%", "number:15%[15]"],
    ["a number that goes on as a name", "90x", "name:90x[90x]"],
    ["a letter before a number", "p90", "name:p90[p90]"],
    ["a version", "1.2.3", "version:1.2.3[]"],
    ["a version of two parts", "12.5", "version:12.5[12]"],
    ["a version with its letter", "v2.0", "version:v2.0[v2]"],
    ["a version with what stands behind it", "1.2.3-rc.1+b7", "version:1.2.3-rc.1+b7[rc b7]"],
    ["a version whose letters follow at once", "3.14rc1", "version:3.14rc1[14rc1]"],
    [
      "a version of five long parts",
      "1.123456789.123456789.123456789.123456789-rc",
      "version:1.123456789.123456789.123456789.123456789-rc[123456789 123456789 123456789 123456789 rc]",
    ],
    [
      "a version with a long tag",
      `1.25-${"a".repeat(29)}`,
      `version:1.25-${"a".repeat(29)}[25 ${"a".repeat(29)}]`,
    ],
    ["a version inside of a name", "jdk1.2.3", "name:jdk1.2.3[jdk1]"],
    ["a version in a path", "1.2.3/readme", "path:1.2.3/readme[readm]"],
    ["a path", "src/Main.ts", "path:src/main.ts[src main ts]"],
    ["a folder, with or without its last slash", "src/lib/", "path:src/lib[src packag]"],
    ["two plain words are a choice", "and/or", "(and) (or)"],
    [
      "two words of which the first is a usual folder",
      "docs/guide",
      "path:docs/guide[documentation guid]",
    ],
    ["a usual folder's name at the end of a word", "mysrc/main", "mysrc main"],
    ["a digit in a folder's name", "a1b/cd", "path:a1b/cd[a1b cd]"],
    ["a digit in a file's name", "ab/cd2", "path:ab/cd2[ab cd2]"],
    ["one letter and a slash", "a/", "path:a[]"],
    ["a slash alone", "a / b", "(a) b"],
    ["a call", "parse(text)", "call:parse(text)[pars text]"],
    ["a call without arguments", "fetchAll()", "call:fetchall()[obtain all]"],
    ["a name in humps", "httpServerPort", "name:httpserverport[http server port]"],
    ["letters of an abbreviation", "API", "api"],
    ["a name with underscores, short parts left out", "a_user_ids", "name:a_user_ids[user ids]"],
    ["a file that begins with a dot", ".env", "name:.env[environment]"],
    ["names joined by a dot", "process.env", "name:process.env[process environment]"],
    ["a number, a dot and a letter", "3.x", "3x"],
    ["a name with a digit behind", "utf8", "name:utf8[utf8]"],
    ["a name with a digit before", "8bit", "name:8bit[8bit]"],
    ["names joined by a colon", "npm:test", "name:npm:test[npm test]"],
    ["for example", "e.g", "(eg)"],
    ["that is, in capitals", "I.E", "(ie)"],
    ["what ends like an abbreviation", "code.g", "name:code.g[cod]"],
    ["what begins like an abbreviation", "i.example", "name:i.example[exampl]"],
    ["a sign alone says nothing", "a ~ b", "(a) () b"],
    [
      "words joined by signs",
      "red-green–blue—brown,black|white+grey&pink;teal:5",
      "red green blu brown black whit grey pink teal 5",
    ],
    ["a letter that is none of the alphabet", "größe", "größ"],
  ])("%s: %s", (_what, text, expected) => {
    expect(read(text)).toBe(expected);
  });
});

describe("punctuation around a piece is no part of it", () => {
  test.each([
    ["(tests)", "test"],
    ["(tests).", "test"],
    ["'tests',", "test"],
    ["<tests>!?", "test"],
    ["{tests}", "test"],
    ["tests)", "test"],
    ["'undefined',", "undefin"],
    ["(red,green).", "red green"],
    ["(a_x,b_y).", "name:a_x,b_y[]"],
    ["([id].tsx)", "name:[id].tsx[id tsx]"],
    ["(tests", "test"],
    ["parse(text).", "call:parse(text)[pars text]"],
    ["list[0],", "name:list[0][list]"],
    ["[id].tsx", "name:[id].tsx[id tsx]"],
    ["{a}/readme.md", "path:{a}/readme.md[readm md]"],
    ["(parse(text))", "call:parse(text)[pars text]"],
    ["...", ""],
    ["()", ""],
    ["( tests )", "test"],
  ])("%s", (text, expected) => {
    expect(read(text)).toBe(expected);
  });
});

describe("what is written in several ways is read in one", () => {
  test.each([
    ["letters of another width", "ｒｕｎ the ｔｅｓｔｓ", "run the tests"],
    ["marks of emphasis and code", "run `the` *tests*", "run the tests"],
    ["marks of code without blanks", "run`the`tests", "run the tests"],
    ["quotation marks", 'run "the"tests', "run the tests"],
    ["round quotation marks", "run“the”tests", "run the tests"],
    ["several blanks and tabs", "run   the\ttests", "run the tests"],
    ["a round apostrophe", "don’t run", "do not run"],
    ["a contraction before a comma", "if it isn't, run", "if it is not run"],
    ["a contraction in capitals", "DON'T run", "do not run"],
  ])("%s", (_what, text, same) => {
    expect(read(text)).toBe(read(same));
    expect(normalForm(text).key).toBe(normalForm(same).key);
  });

  test("a contraction behind a sign stays as it is written", () => {
    expect(normalForm("Red ,isn't fast").tokens.map(({ text }) => text)).toEqual([
      "red",
      "isn't",
      "fast",
    ]);
  });

  test("identifiers keep their own letters, words do not, and both are compared in lower case", () => {
    expect(normalForm("Read src/Main.ts and HTTP").tokens).toEqual([
      { kind: "word", text: "read", stem: "obtain", parts: ["obtain"], filler: false },
      {
        kind: "path",
        text: "src/Main.ts",
        stem: "src/main.ts",
        parts: ["src", "main", "ts"],
        filler: false,
      },
      { kind: "word", text: "and", stem: "and", parts: ["and"], filler: true },
      { kind: "word", text: "http", stem: "http", parts: ["http"], filler: false },
    ]);
    expect(normalForm("b_x a_x A_x b_x").identifiers).toEqual(["A_x", "a_x", "b_x"]);
  });

  test("more than six hundred characters are not looked at", () => {
    expect(read(`${"a ".repeat(longestText / 2 - 2)}yy zz`)).toMatch(/ yy z$/u);
    expect(read(`${"a ".repeat(longestText / 2)}yy`)).not.toMatch(/yy/u);
  });
});

test.each([
  ["a short heading", "Preview mode: yarn run preview", 2],
  ["a heading of four words", "Unit tests of parsers: run them first", 4],
  ["more words than a heading has", "The unit tests of parsers: run them first", 0],
  ["a contraction is two words", "Don't do: run them", 3],
  ["a time is no heading", "Jobs run at 10:30 each day", 0],
  ["no colon", "Run the tests first", 0],
])("%s: %s", (_what, text, words) => {
  expect(normalForm(text).label).toBe(words);
});

const cues = (text: string): readonly string[] => {
  const form: NormalForm = normalForm(text);
  return [
    ...(form.changes ? ["changes"] : []),
    ...(form.excepts ? ["excepts"] : []),
    `${form.commas} commas`,
  ];
};

test.each([
  ["Sessions are now stored in Redis", ["changes", "0 commas"]],
  ["The limit was raised to 40", ["changes", "0 commas"]],
  ["Never push, except to docs, or tests", ["excepts", "2 commas"]],
  ["Push to main unless it burns", ["excepts", "0 commas"]],
  ["Call now() and except() first", ["0 commas"]],
  ["Run the tests", ["0 commas"]],
])("%s: %j", (text, expected) => {
  expect(cues(text)).toEqual(expected);
});

test.each([
  ["Lock the file because two writers tear it", "lock fil"],
  ["Lock the file, so readers wait", "lock fil"],
  ["Because two writers tear it, lock the file", "two writer tear lock fil"],
  ["Lock because it tears", "lock tear"],
  ["So lock the file", "lock fil"],
  ["Please lock because writers tear", "lock"],
])("the claim of %j is %j: what only gives a reason is none", (text, claim) => {
  expect(
    normalForm(text)
      .claim.map(({ stem }) => stem)
      .join(" "),
  ).toBe(claim);
});

test("the key tells what is denied from what is said, and its words from one another", () => {
  expect(normalForm("Never edit the lockfile").key).toBe("!modify lockfil");
  expect(normalForm("Edit the lockfile!").key).toBe("modify lockfil");
});
