import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { postAt, postsOf } from "../../src/own-writing/posted-comments.ts";
import { cpuMs } from "../cpu-ms.ts";

const page = "https://code.example/octo/shop/issues/7";
const bash = (command: string, stdout: string): readonly string[] =>
  postsOf({ tool: "Bash", input: { command }, output: { stdout, stderr: "" } }).map(
    ({ surface, commentId }) => `${surface} ${commentId}`,
  );

describe("what an agent posted by tools of its own", () => {
  test.each([
    ["gh issue comment 7 --body 'Done'", `${page}#issuecomment-41`, ["conversation 41"]],
    [
      "cd shop && /usr/bin/gh pr comment 9 -F notes.md",
      `${page}#issuecomment-42\n`,
      ["conversation 42"],
    ],
    ["gh issue close 7 -c done", `Closed\n${page}#issuecomment-43`, ["conversation 43"]],
    [
      "gh api repos/octo/shop/issues/7/comments -f body=Done",
      JSON.stringify({
        id: 44,
        html_url: `${page}#issuecomment-44`,
        body: `see ${page}#issuecomment-1`,
      }),
      ["conversation 44"],
    ],
    [
      "gh api --method POST repos/octo/shop/pulls/9/comments --input c.json --jq .html_url",
      "https://code.example/octo/shop/pull/9#discussion_r45",
      ["diff 45"],
    ],
    [
      "curl -sX POST https://api.example/c -d @c.json",
      JSON.stringify({ html_url: "https://code.example/octo/shop/pull/9#pullrequestreview-46" }),
      ["review 46"],
    ],
    [
      "curl -s -X POST https://api.example/c -d @c.json",
      JSON.stringify({ html_url: "https://code.example/octo/shop/pull/9#pullrequestreview-46" }),
      ["review 46"],
    ],
    [
      "gh api graphql -f query='mutation { addComment }' --jq .data.url",
      `${page}#issuecomment-50`,
      ["conversation 50"],
    ],
    [
      "gh issue view 7 && gh issue comment 7 -b x",
      `title: x\n${page}#issuecomment-51`,
      ["conversation 51"],
    ],
    [
      "for n in 7 8; do gh issue comment $n -b x; done",
      `${page}#issuecomment-52\n${page}#issuecomment-53`,
      ["conversation 52", "conversation 53"],
    ],
    ["gh issue comment 7 -b x", `  ${page}#issuecomment-54 \r\n`, ["conversation 54"]],
    [
      "gh issue comment 7 -b x",
      `${"x".repeat(65_000)}\n${page}#issuecomment-55`,
      ["conversation 55"],
    ],
    ["tea comment 7 Done", `${page}#issuecomment-47`, ["conversation 47"]],
  ])("%s", (command, stdout, expected) => {
    expect(bash(command, stdout)).toEqual(expected);
  });

  test.each([
    [
      "a listing",
      "gh api repos/octo/shop/issues/7/comments --jq '.[].html_url'",
      `${page}#issuecomment-1\n${page}#issuecomment-2`,
    ],
    [
      "a listing with parameters",
      "gh api -X GET repos/octo/shop/issues/7/comments -f per_page=100 --jq '.[].html_url'",
      `${page}#issuecomment-1`,
    ],
    [
      "a query",
      "gh api graphql -f query='{ repository { issue { comments { nodes { url } } } } }' --jq '.data..url'",
      `${page}#issuecomment-1`,
    ],
    [
      "a listing beside a post",
      "gh api repos/octo/shop/issues/7/comments --jq '.[].html_url' && gh issue comment 7 -b x",
      `${page}#issuecomment-1\n${page}#issuecomment-2`,
    ],
    [
      "curl that reads with data",
      "curl -X GET -d per_page=9 https://api.example/c",
      `${page}#issuecomment-1`,
    ],
    ["a view", "gh issue view 7 --comments", `${page}#issuecomment-1`],
    ["what is printed of a file", "cat notes.md", `${page}#issuecomment-1`],
    [
      "an address inside of a sentence",
      "gh issue comment 7 -b x",
      `see ${page}#issuecomment-1 for more`,
    ],
    [
      "a list of objects",
      "gh api repos/octo/shop/issues/7/comments -f per_page=1",
      JSON.stringify([{ html_url: `${page}#issuecomment-1` }]),
    ],
    ["the address of an issue", "gh issue comment 7 -b x", page],
    [
      "what stands behind 65,536 characters",
      "gh issue comment 7 -b x",
      `${"x".repeat(65_536)}\n${page}#issuecomment-1`,
    ],
    ["a program without words", "gh", `${page}#issuecomment-1`],
    ["a noun without a verb", "gh issue", `${page}#issuecomment-1`],
  ])("%s counts for nothing: other people's comments stand in it", (_what, command, stdout) => {
    expect(bash(command, stdout)).toEqual([]);
  });

  test("a server's tool that says something, in whatever parts it wraps its answer", () => {
    const output = [
      { type: "text", text: JSON.stringify({ html_url: `${page}#issuecomment-48` }) },
    ];
    expect(postsOf({ tool: "mcp__codehost__add_issue_comment", input: {}, output })).toEqual([
      { surface: "conversation", commentId: "48" },
    ]);
    expect(postsOf({ tool: "mcp__codehost__list_issue_comments", input: {}, output })).toEqual([]);
    expect(postsOf({ tool: "Read", input: {}, output })).toEqual([]);
  });

  test("twenty of one command at most", () => {
    const addresses = Array.from({ length: 25 }, (_, n) => `${page}#issuecomment-${n + 1}`);
    expect(
      bash("for n in $(seq 25); do gh issue comment $n -b x; done", addresses.join("\n")),
    ).toHaveLength(20);
  });

  test("a failed command that posted before it failed", () => {
    expect(
      postsOf({
        tool: "Bash",
        input: { command: "gh issue comment 7 -b x; false" },
        output: `Exit code 1\n${page}#issuecomment-49`,
      }),
    ).toEqual([{ surface: "conversation", commentId: "49" }]);
  });

  test("it never throws, whatever a tool was given or answered", () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.anything(),
        fc.anything(),
        (tool, input, output) => postsOf({ tool, input, output }).length <= 20,
      ),
    );
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        (command, stdout) => bash(`gh issue comment 7 ${command}`, stdout).length <= 20,
      ),
    );
  });

  test("P14 reads a long command and its output, for which a quadratic reader would need minutes", () => {
    const command = "gh issue comment ".repeat(60_000);
    const stdout = `${page}#issuecomment-1\n`.repeat(16_000);
    expect(cpuMs(() => bash(command, stdout))).toBeLessThan(10_000);
  });
});

test.each([
  [`${page}#issuecomment-1`, { surface: "conversation", commentId: "1" }],
  ["http://127.0.0.1:4/octo/shop/pull/9#discussion_r22", { surface: "diff", commentId: "22" }],
  [`${page}#issuecomment-`, null],
  [`${page}#issuecomment-1x`, null],
  [`${page}#issuecomment-${"9".repeat(20)}`, null],
  ["ftp://x/#issuecomment-1", null],
  [`https://${"x".repeat(477)}#issuecomment-1`, { surface: "conversation", commentId: "1" }],
  [`https://${"x".repeat(478)}#issuecomment-1`, null],
  ["issuecomment-1", null],
])("the address %s", (address, expected) => expect(postAt(address)).toEqual(expected));
