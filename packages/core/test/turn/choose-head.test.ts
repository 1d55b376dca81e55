import { describe, expect, test } from "vitest";
import { formatPlain } from "../../src/message/plain.ts";
import { chooseHead, type HeadPolicy, type PullFacts } from "../../src/turn/choose-head.ts";
import { authorsOf } from "../../src/testing/build-state.ts";

const policy: HeadPolicy = {
  authors: authorsOf({ authorizedUsers: new Set(["ada"]), pins: new Map([["ada", "1"]]) }),
  checkoutAnyHead: false,
  own: { login: "loop-agent", id: "5", bot: false },
};
const ada = { login: "ADA", id: "1", bot: false };
const own = { login: "loop-agent", id: "5", bot: false };
const stranger: PullFacts = {
  number: 12,
  head: "patch-1",
  base: "main",
  sameRepository: false,
  author: { login: "Mallory", id: "666", bot: false },
  headOwner: { login: "Mallory", id: "666", bot: false },
  recorded: false,
};

function told(pull: PullFacts): readonly [string | null, string | null] {
  const { headBranch, note } = chooseHead(pull, policy);
  return [headBranch, note && formatPlain(note)];
}

describe("which head is checked out", () => {
  test("without a pull request the default branch", () => {
    expect(chooseHead(null, policy)).toEqual({
      headBranch: null,
      headPull: null,
      restoreFrom: null,
      note: null,
    });
  });

  test("S02, S03: a stranger's fork is not; the base is, and the sentence says why", () => {
    const choice = chooseHead(stranger, policy);
    expect(choice).toMatchObject({ headBranch: "main", headPull: null, restoreFrom: null });
    const why =
      "the head of pull request #12 is not checked out: it lives in another repository, its author is not authorized, and it is not recorded against this work item. The checkout stands on";
    expect(choice.note && formatPlain(choice.note)).toBe(`${why} its base "main" instead.`);
    expect(told({ ...stranger, base: null })).toEqual([null, `${why} the default branch instead.`]);
  });

  test.each([
    ["of an authorized author", { author: ada, headOwner: ada }, {}, null],
    ["of the service's own", { author: own, headOwner: own }, {}, null],
    ["of an authorized person, opened by the service", { author: own, headOwner: ada }, {}, null],
    ["of a stranger, opened by an authorized person", { author: ada }, {}, { branch: "main" }],
    [
      "of an account re-registered under an authorized login",
      { author: ada, headOwner: { ...ada, id: "11" } },
      {},
      { branch: "main" },
    ],
    ["that was deleted", { author: ada, headOwner: null }, {}, { branch: "main" }],
    ["that is recorded", { recorded: true }, {}, { branch: "main" }],
    ["with checkoutAnyHead", {}, { checkoutAnyHead: true }, { branch: "main" }],
  ])("a fork %s is, by its number", (_, facts, more, restoreFrom) => {
    expect(chooseHead({ ...stranger, ...facts }, { ...policy, ...more })).toEqual({
      headBranch: null,
      headPull: 12,
      restoreFrom,
      note: null,
    });
  });

  test.each([
    ["an authorized person's", { login: "ada", id: "1", bot: false }, null],
    [
      "of an authorized person who was renamed",
      { login: "ada-lovelace", id: "1", bot: false },
      null,
    ],
    [
      "of an account re-registered under an authorized login",
      { login: "ada", id: "11", bot: false },
      { branch: "main" },
    ],
    [
      "of an authorized login without its id",
      { login: "ada", id: null, bot: false },
      { branch: "main" },
    ],
    ["the service's own", { login: "Loop-Agent", id: "5", bot: false }, null],
    [
      "of an account re-registered under the service's login",
      { login: "loop-agent", id: "55", bot: false },
      { branch: "main" },
    ],
    ["somebody else's", { login: "mallory", id: "666", bot: false }, { branch: "main" }],
    ["nobody knows whose", null, { branch: "main" }],
  ])(
    "a branch of the same repository is: %s, restored unless trusted",
    (_, author, restoreFrom) => {
      expect(chooseHead({ ...stranger, sameRepository: true, author }, policy)).toEqual({
        headBranch: "patch-1",
        headPull: null,
        restoreFrom,
        note: null,
      });
    },
  );

  test("without a token nobody's login is the service's own", () => {
    expect(
      chooseHead({ ...stranger, sameRepository: true, author: null }, { ...policy, own: null })
        .restoreFrom,
    ).toEqual({ branch: "main" });
  });

  test("a branch whose name is not known is not guessed", () => {
    expect(told({ ...stranger, sameRepository: true, head: null, recorded: true })).toEqual([
      "main",
      expect.stringContaining("not known"),
    ]);
  });
});
