import { describe, expect, test } from "vitest";
import { chooseHead, type HeadPolicy, type PullFacts } from "../../src/work-item/head.ts";

const policy: HeadPolicy = { authorizedUsers: new Set(["ada"]), checkoutAnyHead: false, ownLogin: "loop-agent" };
const stranger: PullFacts = { number: 12, head: "patch-1", base: "main", sameRepository: false, author: "Mallory", recorded: false };

describe("which head is checked out (decisions.md 9)", () => {
  test("without a pull request the default branch", () => {
    expect(chooseHead(null, policy)).toEqual({ headBranch: null, headPull: null, restoreFrom: null, note: null });
  });

  test("S02, S03: a stranger's fork is not; the base is, and the sentence says why", () => {
    const choice = chooseHead(stranger, policy);
    expect(choice).toMatchObject({ headBranch: "main", headPull: null, restoreFrom: null });
    const why = "the head of pull request #12 is not checked out: it lives in another repository, its author is not authorized, and it is not recorded against this work item. The checkout stands on";
    expect(choice.note).toBe(`${why} its base "main" instead.`);
    expect(chooseHead({ ...stranger, base: null }, policy)).toMatchObject({ headBranch: null, note: `${why} the default branch instead.` });
  });

  test.each([
    ["of an authorized author", { author: "ADA" }, {}, null],
    ["that is recorded", { recorded: true }, {}, { branch: "main" }],
    ["with checkoutAnyHead", {}, { checkoutAnyHead: true }, { branch: "main" }],
  ])("a fork %s is, by its number", (_, facts, more, restoreFrom) => {
    expect(chooseHead({ ...stranger, ...facts }, { ...policy, ...more })).toEqual({ headBranch: null, headPull: 12, restoreFrom, note: null });
  });

  test.each([
    ["an authorized person's", "ada", null],
    ["the service's own", "Loop-Agent", null],
    ["somebody else's", "mallory", { branch: "main" }],
    ["nobody knows whose", null, { branch: "main" }],
  ])("a branch of the same repository is: %s, restored unless trusted", (_, author, restoreFrom) => {
    expect(chooseHead({ ...stranger, sameRepository: true, author }, policy)).toEqual({ headBranch: "patch-1", headPull: null, restoreFrom, note: null });
  });

  test("without a token nobody's login is the service's own", () => {
    expect(chooseHead({ ...stranger, sameRepository: true, author: null }, { ...policy, ownLogin: null }).restoreFrom).toEqual({ branch: "main" });
  });

  test("a branch whose name is not known is not guessed", () => {
    expect(chooseHead({ ...stranger, sameRepository: true, head: null, recorded: true }, policy)).toMatchObject({ headBranch: "main", note: expect.stringContaining("not known") });
  });
});
