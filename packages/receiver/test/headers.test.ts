import fc from "fast-check";
import { expect, test } from "vitest";
import { readHeaders } from "../src/headers.ts";

const families = ["X-Host-", "X-GitHub-", "X-Gitea-", "X-Forgejo-"] as const;

test("R06 header names compare without case, in any order, among any others", () => {
  const given = fc.record({
    family: fc.constantFrom(...families),
    id: fc.string({ minLength: 1, maxLength: 20 }),
    event: fc.string({ minLength: 1, maxLength: 20 }),
    upper: fc.boolean(),
    noise: fc.array(fc.tuple(fc.constantFrom("Accept", "X-Other", "Cookie", "x"), fc.string())),
  });
  fc.assert(
    fc.property(given, ({ family, id, event, upper, noise }) => {
      const named = [[`${family}Delivery`, id], [`${family}Event`, event], ...noise].map(
        ([name = "", value = ""]) => [upper ? name.toUpperCase() : name.toLowerCase(), value],
      );
      for (const headers of [named, named.toReversed()])
        expect(readHeaders(headers.flat(), "auto")).toMatchObject({ id, event, signature: null });
    }),
  );
});

test("R06 two families are read as one exactly when they agree", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("a", "b"),
      fc.constantFrom("a", "b"),
      fc.constantFrom(...families),
      fc.constantFrom(...families),
      (one, other, first, second) => {
        const read = readHeaders([`${first}Delivery`, one, `${second}Delivery`, other], "auto");
        if (first === second) expect(read).toEqual({ fault: "header-twice" });
        else if (one === other) expect(read).toMatchObject({ id: one });
        else expect(read).toEqual({ fault: "families-disagree" });
      },
    ),
  );
});
