import { describe, expect, test } from "vitest";
import {
  changesSomething,
  hostCallsOf,
  mostRead,
  parseObject,
  serverToolWords,
  textAt,
  textsOf,
} from "../../src/own-writing/host-call.ts";

const calls = (command: unknown, tool = "Bash"): readonly string[] =>
  hostCallsOf({ tool, input: { command } }).map(({ program, rest }) =>
    [program, ...rest].join(" "),
  );

describe("calls to the code host in a command line", () => {
  test.each([
    ["one", "gh pr create", ["gh pr create"]],
    ["with a path, and blanks around", "  /usr/bin/gh \t pr\ncreate ", ["gh pr create"]],
    ["of other programs", "tea pulls; curl -s x", ["tea pulls; curl -s x", "curl -s x"]],
    ["none", "git push ghost /gh/x", []],
    ["no text", 7, []],
  ])("%s", (_what, command, expected) => {
    expect(calls(command)).toEqual(expected);
  });

  test("of a shell alone, by whatever harness", () => {
    expect(
      ["Bash", "Shell", "Read", "Write"].map((tool) => calls("gh pr list", tool).length),
    ).toEqual([1, 1, 0, 0]);
  });

  test("are read as far as options stand, and as much as is read of a command", () => {
    expect(
      hostCallsOf({ tool: "Bash", input: { command: `gh ${"x ".repeat(300)}` } })[0]?.rest,
    ).toHaveLength(200);
    expect(calls(`${"x ".repeat(mostRead / 2 - 1)}gh`)).toEqual(["gh"]);
    expect(calls(`${"x ".repeat(mostRead / 2)}gh`)).toEqual([]);
  });
});

test.each([
  ["mcp__github__create_pull-request", ["mcp", "", "github", "", "create", "pull", "request"]],
  ["MCP:Create.Comment", ["mcp", "create", "comment"]],
  ["Write", []],
  ["not_mcp__create", []],
])("words of the tool %s", (tool, words) => {
  expect(serverToolWords(tool)).toEqual(words);
});

describe("whether a call of the interface changes something", () => {
  test.each([
    ["gh api repos/x/y/pulls", false],
    ["gh api x -f a=b", true],
    ["gh api x -F a=b", true],
    ["gh api x --field a=b", true],
    ["gh api x --field=a", true],
    ["gh api x --raw-field a=b", true],
    ["gh api x --input f.json", true],
    ["gh api x --inputs f.json", false],
    ["gh api x a--field=", false],
    ["gh api x -d a", false],
    ["gh api x -X POST", true],
    ["gh api x -XPATCH", true],
    ["gh api x -X put", true],
    ["gh api x --method POST", true],
    ["gh api x --method=PUT", true],
    ["gh api x --request PATCH", true],
    ["gh api x --request=POST", true],
    ["gh api x -X DELETE", false],
    ["gh api x -XDELETE", false],
    ["gh api x --method", false],
    ["gh api x --methods POST", false],
    ["gh api x X POST", false],
    ["gh api x --X POST", false],
    ["gh api x -x POST", false],
    ["gh api x POST", false],
    ["gh api x -f a=b -X GET", false],
    ["gh api x -f a=b --method=HEAD", false],
    ["gh api x -f a=b -XGET", false],
    ["gh api x -f a=b --request head", false],
    ["gh api graphql -f query=mutation{x}", true],
    ["gh api graphql -f query={x}", false],
    ["tea api graphql -f query=mutation{x}", true],
    ["curl x", false],
    ["curl -d a x", true],
    ["curl --data a x", true],
    ["curl --data-raw a x", true],
    ["curl --json a x", true],
    ["curl x--data a", false],
    ["curl -f x", false],
    ["curl -F x", false],
    ["curl -sX POST x", true],
    ["curl -sX GET -d a x", false],
    ["curl graphql -d a x", true],
    ["curl POST -X x", false],
  ])("%s: %s", (line, expected) => {
    const [program = "", ...rest] = line.split(" ");
    if (program !== "gh" && program !== "tea" && program !== "curl") throw new Error(line);
    expect(changesSomething({ program, rest })).toBe(expected);
  });
});

describe("texts in what a tool returned", () => {
  test.each<[string, unknown, readonly string[]]>([
    ["a text", "a", ["a"]],
    [
      "parts of a list, and of what stands in it",
      [{ text: "a", more: ["b"] }, "c"],
      ["a", "b", "c"],
    ],
    ["nothing", null, []],
    ["numbers", [7, true, undefined], []],
    ["four levels", [[[["a"]]]], ["a"]],
    ["five levels", [[[[["a"]]]]], []],
    ["fifty parts", Array.from({ length: 60 }, () => "a"), Array.from({ length: 50 }, () => "a")],
  ])("%s", (_what, value, expected) => {
    expect(textsOf(value, 0)).toEqual(expected);
  });

  test.each<[string, unknown, string]>([
    ["its text", { a: "x" }, "x"],
    ["no text", { a: 7 }, ""],
    ["none of it", { b: "x" }, ""],
    ["no object", "a", ""],
    ["null", null, ""],
    ["nothing", undefined, ""],
    ["a list", ["x"], ""],
  ])("under a key there is %s", (_what, value, expected) => {
    expect(textAt(value, Array.isArray(value) ? "0" : "a")).toBe(expected);
  });

  test.each<[string, unknown]>([
    ['{"a":1}', { a: 1 }],
    [' \n{"a":1} ', { a: 1 }],
    ["[1]", null],
    ["7", null],
    ["{a", null],
    ["", null],
  ])("%j as an object", (text, expected) => {
    expect(parseObject(text)).toEqual(expected);
  });
});
