import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Account,
  accountName,
  foldLogin,
  isListed,
  isLogin,
  loginSet,
  personCalled,
  sameAccount,
} from "../../src/accounts/account.ts";

const logins = fc.oneof(
  fc.constantFrom(
    "kim",
    "KIM",
    "\u212Aim",
    "k\u0131m",
    "K\u0130M",
    "helper",
    "helper[bot]",
    "Helper[Bot]",
    "Copilot",
    "copilot-swe-agent[bot]",
    "\u017Fam",
    "\u1E9E",
  ),
  fc.string({ unit: "binary", maxLength: 8 }),
);
const accounts: fc.Arbitrary<Account> = fc.record({
  login: logins,
  id: fc.constantFrom(null, "1", "2", "175728472"),
  bot: fc.boolean(),
});

/** Folding as hosts do it, written down once more: one character after the other. */
const folded = (login: string): string =>
  [...login]
    .map((each) =>
      each >= "A" && each <= "Z" ? String.fromCharCode(each.charCodeAt(0) + 32) : each,
    )
    .join("");

describe("whether two accounts are the same", () => {
  test("two ids decide, whatever the logins and kinds", () => {
    fc.assert(
      fc.property(
        accounts,
        accounts,
        (a, b) => a.id === null || b.id === null || sameAccount(a, b) === (a.id === b.id),
      ),
    );
  });

  test("nobody depends on the order in which they are asked about", () => {
    fc.assert(
      fc.property(
        accounts,
        accounts,
        (a, b) => sameAccount(a, b) === sameAccount(b, a) && sameAccount(a, a),
      ),
    );
  });

  test("without ids, people are told apart by their logins, folding ASCII letters alone", () => {
    fc.assert(
      fc.property(
        logins,
        logins,
        (a, b) => sameAccount(personCalled(a), personCalled(b)) === (folded(a) === folded(b)),
      ),
    );
  });

  test("without an id, a bot is never a person", () => {
    fc.assert(
      fc.property(
        accounts,
        accounts,
        (a, b) => (a.id !== null && b.id !== null) || a.bot === b.bot || !sameAccount(a, b),
      ),
    );
  });

  test("without an id, a bot is the same with its suffix and without it", () => {
    const bot = (login: string, id: string | null = null): Account => ({ login, id, bot: true });
    expect([
      sameAccount(bot("helper"), bot("Helper[bot]", "8")),
      sameAccount(bot("helper"), bot("helper2[bot]")),
    ]).toEqual([true, false]);
  });
});

describe("a login that is folded", () => {
  test("has its ASCII letters in lower case, and every other character as it was", () => {
    fc.assert(fc.property(logins, (login) => foldLogin(login) === folded(login)));
  });

  test.each(["\u212Aim", "a\u017Fa", "k\u0131m", "K\u0130M", "\uFF2B\uFF29\uFF2D", "\u00C4da"])(
    "isn't equal to a listed one by Unicode: %j",
    (login) => {
      for (const listed of ["kim", "asa", "ada", "\u00E4da"])
        expect(isListed(personCalled(login), loginSet([listed]))).toBe(false);
    },
  );
});

test("every login that the grammar admits is its own name, harmless in Markdown, addresses and lines", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 102 }),
      (text) =>
        !isLogin(text) ||
        (/^[A-Za-z0-9._-]{1,100}$/.test(text) &&
          /[A-Za-z0-9]/.test(text) &&
          encodeURIComponent(text) === text &&
          !/^[.-]|\.$/.test(text) &&
          accountName(personCalled(text)) === text.toLowerCase()),
    ),
  );
});

test.each(["ada", "bo-", "bo--x", "ada_corp", "ada_", "_ada", "a.b", "a-.b", "7", "A".repeat(100)])(
  "%s can be a login",
  (login) => expect(isLogin(login)).toBe(true),
);
test.each([
  "",
  "-",
  "--",
  ".",
  "..",
  "_",
  "-ada",
  ".ada",
  "ada.",
  "a b",
  "a\tb",
  "ada\n",
  "\u0430da",
  "ada\u200B",
  "ada\u202E",
  "@ada",
  "ada@corp",
  "a/b",
  "a\\b",
  "a%2fb",
  "a`b",
  "a*b",
  "a[b]",
  "ada[bot]",
  "a~b",
  "A".repeat(101),
])("%j can't", (login) => expect(isLogin(login)).toBe(false));
