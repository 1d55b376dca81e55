import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openedBy, pullRequestAt } from "../../src/own-writing/opened-pull-requests.ts";
import { formatRef } from "../../src/ref/ref.ts";

const page = "https://code.example/Octo/shop/pull/9";
const ref = "host:code.example/octo/shop#9";
const bash = (command: string, stdout: string): readonly string[] =>
  openedBy({
    tool: "Bash",
    input: { command },
    output: { stdout, stderr: "Creating pull request for issue-7 into main" },
  });

describe("pull requests that an agent opened by tools of its own", () => {
  test.each([
    ["gh pr create --fill", `${page}\n`],
    [
      "git push -u origin issue-7 && /usr/bin/gh pr create --title x --body-file b.md",
      `branch pushed\n\n${page}`,
    ],
    ["gh pr new -f", page],
    ["tea pulls create --title x", "https://code.example/octo/shop/pulls/9"],
    [
      "gh api repos/octo/shop/pulls -f title=x -f head=issue-7 -f base=main",
      JSON.stringify({
        number: 9,
        url: "https://api.code.example/repos/octo/shop/pulls/9",
        html_url: page,
        body: "see https://code.example/octo/shop/pull/1",
      }),
    ],
    [
      "curl -s -X POST https://api.code.example/repos/octo/shop/pulls -d @p.json",
      JSON.stringify({ html_url: page }),
    ],
    ["gh pr list; gh pr create -f", page],
    ["gh api 'repos/octo/shop/pulls' -f title=x", page],
    ["gh api repos/octo/shop/pulls?draft=true -f title=x", page],
    ["tea pr c", `  ${page} \r\n`],
  ])("%s", (command, stdout) => expect(bash(command, stdout)).toEqual([ref]));

  test("a server's tool, in whatever parts it wraps its answer, and harness B's shell", () => {
    const answer = [{ type: "text", text: JSON.stringify({ id: "1", url: page }) }];
    expect(openedBy({ tool: "mcp__host__create_pull_request", input: {}, output: answer })).toEqual(
      [ref],
    );
    expect(openedBy({ tool: "MCP:create_pull_request", input: {}, output: answer })).toEqual([ref]);
    expect(
      openedBy({
        tool: "Shell",
        input: { command: "gh pr create -f" },
        output: { output: page, exitCode: 0 },
      }),
    ).toEqual([ref]);
  });

  test("two calls open two", () => {
    expect(
      bash(
        "gh pr create -f && cd ../other && gh pr create -f",
        `${page}\nhttps://code.example/octo/other/pull/3`,
      ),
    ).toEqual([ref, "host:code.example/octo/other#3"]);
  });

  test.each([
    ["a view", "gh pr view 9 --json url --jq .url", page],
    ["a listing", "gh pr list --json url --jq '.[].url'", page],
    [
      "a listing beside it, of which nobody can tell what is whose",
      "gh pr list --json url --jq '.[].url' && gh pr create -f",
      `https://code.example/octo/shop/pull/1\n${page}`,
    ],
    ["reading the interface", "gh api repos/octo/shop/pulls/9", JSON.stringify({ html_url: page })],
    [
      "a listing of the interface with fields",
      "gh api -X GET repos/octo/shop/pulls -f state=open",
      JSON.stringify({ html_url: page }),
    ],
    [
      "a comment on one",
      "gh api repos/octo/shop/issues/9/comments -f body=x",
      JSON.stringify({ html_url: page }),
    ],
    ["a merge", "gh pr merge 9", page],
    ["words about it", "gh pr create -f", `a pull request already exists: see ${page} for more`],
    ["the address of its files", "gh pr create -f", `${page}/files`],
    ["the address of an issue", "gh pr create -f", "https://code.example/octo/shop/issues/9"],
    ["what is printed of a file", "cat notes.md", page],
    ["a program without words", "gh", page],
    ["a noun without a verb", "gh pr", page],
    ["a verb of something else", "gh issue create", page],
    [
      "a listing before another call's field",
      "gh api repos/octo/shop/pulls && gh api other -f a=b",
      page,
    ],
    ["words behind a separator", "curl ; repos/octo/shop/pulls -d a", page],
    ["the interface below something else", "gh api mine/octo/shop/pulls -f title=x", page],
    ["the interface of one", "gh api repos/octo/shop/pulls/9 -f title=x", page],
    ["the address in a query", "gh api repos/octo?a=/pulls -f title=x", page],
    ["what stands behind 65,536 characters", "gh pr create -f", `${"x".repeat(65_536)}\n${page}`],
    ["the name of it in another word", "echo gh-pr-create", page],
  ])("%s counts for nothing", (_what, command, stdout) =>
    expect(bash(command, stdout)).toEqual([]),
  );

  test.each([
    "mcp__host__list_pull_requests",
    "mcp__host__create_pull_request_review",
    "mcp__host__get_pull_request",
    "mcp__host__create_issue",
    "mcp__host__create_pull_image",
    "mcp__host__create_request",
    "mcp__host__pull_request",
    "Write",
  ])("nor does the tool %s", (tool) => {
    expect(openedBy({ tool, input: {}, output: JSON.stringify({ html_url: page }) })).toEqual([]);
  });

  test("numbers come from the tool's result alone", () => {
    expect(bash(`gh pr create --title ${page}`, "")).toEqual([]);
  });

  test("whatever is handed over, the answer is a list of refs", () => {
    fc.assert(
      fc.property(fc.string(), fc.anything(), fc.anything(), (tool, input, output) =>
        openedBy({ tool, input, output }).every((each) => each.startsWith("host:")),
      ),
    );
  });
});

test.each([
  [page, ref],
  ["http://code.example/Octo/shop/pulls/10", "host:code.example/octo/shop#10"],
])("%s leads to a pull request", (address, expected) => {
  const found = pullRequestAt(address);
  expect(found === null ? null : formatRef(found)).toBe(expected);
});

test.each([
  "https://",
  "https://code.example/o/r/pull",
  "https://code.example/o/r/pull/",
  "https://code.example/o/r/pullx/9",
  "https://code.example/o/x/r/pull/9",
  "https://code.example/r/pull/9",
  "see https://code.example/o/r/pull/9",
  "https://code.example/o/r/pull/9/",
  "https://code.example/o/r/pull/9x",
  "https://code.example/o/r/pull/x9",
  `${page}?x=1`,
  `${page}#discussion_r1`,
  "https://code.example/o/r/pull/0",
  "https://code.example/o/r/pull/99999999999",
  "https://user@code.example/o/r/pull/9",
  "ftp://code.example/o/r/pull/9",
  "code.example/o/r/pull/9",
])("%s leads to no pull request", (address) => {
  expect(pullRequestAt(address)).toBeNull();
});
