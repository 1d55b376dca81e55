import { describe, expect, it } from "vitest";
import { inferredIssues, issueOfBranch } from "../../src/linking/links.ts";
import { emptyItemState, isEmptyItem } from "../../src/work-item/records.ts";
import { pullRequestOf, repository } from "../../src/testing/build-event.ts";
import { issueRef, itemOf, laneOf, sessionOf } from "../../src/testing/build-state.ts";

describe("the issue that a branch names", () => {
  it.each<readonly [branch: string, number: number]>([
    ["issue-7", 7],
    ["issue-1234567890", 1_234_567_890],
    ["issue-2147483647", 2_147_483_647],
    ["issue-2147483648", 0],
    ["issue-90", 90],
    ["issue-10000000000", 0],
    ["issue-00000000007", 0],
    ["issue-0", 0],
    ["issue-07", 0],
    ["issue-", 0],
    ["issue-7x", 0],
    ["issue-7:", 0],
    ["issue-7/", 0],
    ["issue-x", 0],
    ["Issue-7", 0],
    ["issue_7", 0],
    ["my-issue-7", 0],
    ["issue-7-cart", 0],
    ["", 0],
  ])("%s: %i", (branch, number) => expect(issueOfBranch(branch)).toBe(number));
});

describe("issues that a pull request names itself", () => {
  const policy = { defaultHost: "github.com" };
  const own = pullRequestOf().branches;
  if (own === null) throw new Error("no branches");
  const found = (over: Parameters<typeof pullRequestOf>[0]): readonly string[] =>
    inferredIssues(pullRequestOf(over), repository, policy).map(
      ({ ref, provenance }) => `${ref.number} ${provenance}`,
    );
  const foreign = { ...own, sameRepository: false };

  it.each<readonly [what: string, issues: readonly string[], expected: readonly string[]]>([
    [
      "its branch, then its text, each once",
      found({ body: "Fixes #9, closes #7, fixes #8" }),
      ["7 head-branch", "9 closing-keyword", "8 closing-keyword"],
    ],
    ["not itself by its branch", found({ number: 7 }), []],
    [
      "nor by its text",
      found({ branches: { ...own, head: "x" }, body: "fixes #12, fixes #9" }),
      ["9 closing-keyword"],
    ],
    ["nothing where it names nothing", found({ branches: { ...own, head: "x" } }), []],
    [
      "its text alone where its branches are not shown",
      found({ branches: null, body: "fixes #9" }),
      ["9 closing-keyword"],
    ],
    [
      "S02 a branch of a fork too: whether that counts is judged later",
      found({ branches: foreign, body: "fixes #9" }),
      ["7 head-branch", "9 closing-keyword"],
    ],
  ])("%s", (_what, issues, expected) => expect(issues).toEqual(expected));

  it("of its own repository, on its host", () => {
    const elsewhere = { ...repository, host: "code.example" };
    const link =
      "fixes https://code.example/octo/shop/issues/9, fixes https://github.com/octo/shop/issues/8";
    expect(
      inferredIssues(pullRequestOf({ body: link }), elsewhere, policy).map(({ ref }) => ref),
    ).toEqual(
      [7, 9].map((number) => ({ host: "code.example", owner: "octo", repo: "shop", number })),
    );
    expect(
      inferredIssues(pullRequestOf({ branches: null, body: link }), repository, policy).map(
        ({ ref }) => ref.number,
      ),
    ).toEqual([8]);
  });
});

it("a state is empty when nothing at all is remembered", () => {
  expect(isEmptyItem(emptyItemState)).toBe(true);
  for (const state of [
    itemOf("idle"),
    { ...emptyItemState, sessions: [sessionOf()] },
    { ...emptyItemState, lanes: [laneOf(issueRef)] },
  ])
    expect(isEmptyItem(state)).toBe(false);
});
