import { describe, expect, test } from "vitest";
import { redactedShape } from "../../src/redaction/redact.ts";
import { tokenSpans } from "../../src/redaction/token-shapes.ts";

/** A text with each stretch that has the shape of a secret between brackets. */
function marked(text: string): string {
  return tokenSpans(text).reduceRight(
    (left, { start, end }) =>
      `${left.slice(0, start)}[${left.slice(start, end)}]${left.slice(end)}`,
    text,
  );
}
/** Beginnings of tokens, put together here so that no whole one stands in this file. */
const [api, chat, cloud, web, pem] = [
  `sk${"-"}`,
  `xox${"b-"}`,
  `AK${"IA"}`,
  `ey${"J"}`,
  `-----BEGIN ${"PRIVATE KEY-----"}`,
];
const run = (length: number): string => "aZ09".repeat(Math.ceil(length / 4)).slice(0, length);

describe("tokens", () => {
  test.each([
    ...["ghp", "gho", "ghu", "ghs", "ghr", "github_pat"].map((kind) => [
      `of ${kind}`,
      `${kind}_${run(20)}`,
    ]),
    ["of other services", `gl${"pat-"}${run(16)}`],
    ["of chats", `${chat}${run(16)}`],
    ["of chats for people", `xox${"p-"}${run(16)}`],
    ["of chats for apps", `xap${"p-"}${run(16)}`],
    ["of registries", `np${"m_"}${run(30)}`],
    ["of clouds", `${cloud}${"AZ09".repeat(4)}`],
    ["of clouds for a while", `AS${"IA"}${"AZ09".repeat(4)}`],
    ["with a hyphen and an underscore", `${api}${run(9)}-_${run(9)}`],
  ])("%s are whole at their least length", (_what, token) => {
    expect(marked(token)).toBe(`[${token}]`);
    expect(marked(`x "${token}" y`)).toBe(`x "[${token}]" y`);
    expect(marked(token.slice(0, -1))).toBe(token.slice(0, -1));
  });

  test.each([
    [
      "letters, digits and what belongs to a token",
      `${api}azAZ09_-${run(12)}`,
      (token: string) => `[${token}]`,
    ],
    ["a sign before letters", `${api}${run(20)}@`, (token: string) => `[${token.slice(0, -1)}]@`],
    [
      "a sign between large and small letters",
      `${api}${run(20)}[x`,
      (token: string) => `[${token.slice(0, -2)}][x`,
    ],
    ["a sign behind letters", `${api}${run(20)}{x`, (token: string) => `[${token.slice(0, -2)}]{x`],
    ["a colon behind digits", `${api}${run(20)}:x`, (token: string) => `[${token.slice(0, -2)}]:x`],
    [
      "a small letter in a cloud's",
      `${cloud}${"AZ09".repeat(4)}a`,
      (token: string) => `[${token.slice(0, -1)}]a`,
    ],
    ["small letters alone in a cloud's", `${cloud}${"az".repeat(8)}`, (token: string) => token],
    ["one inside of a word", `x${api}${run(20)}`, (token: string) => token],
    ["one behind a sign", `=${api}${run(20)}`, (token: string) => `=[${token.slice(1)}]`],
    ["one inside of another", `${api}${run(20)}-${api}${run(20)}`, (token: string) => `[${token}]`],
    [
      "two beside each other",
      `${api}${run(20)} ${api}${run(20)}`,
      () => `[${api}${run(20)}] [${api}${run(20)}]`,
    ],
  ])("end where they end: %s", (_what, token, expected) => {
    expect(marked(token)).toBe(expected(token));
  });

  test.each(["Bearer ", "bearer "])(
    "behind %sstand without it, with all signs that they may have",
    (word) => {
      const signs = ".~+/=-_";
      expect(marked(`${word}${signs}${run(9)}`)).toBe(`${word}[${signs}${run(9)}]`);
      expect(marked(`${word}${run(16)}, ${run(3)}`)).toBe(`${word}[${run(16)}], ${run(3)}`);
      for (const other of "!*,:")
        expect(marked(`${word}${run(8)}${other}${run(8)}`)).toBe(
          `${word}${run(8)}${other}${run(8)}`,
        );
    },
  );
});

describe("web tokens", () => {
  test.each([
    ["three parts", `${web}${run(7)}.${run(5)}.${run(5)}`, true],
    ["a first part that is too short", `${web}${run(6)}.${run(5)}.${run(5)}`, false],
    ["a last part of nothing", `${web}${run(7)}.a.`, true],
    ["a middle part of nothing", `${web}${run(7)}..${run(5)}`, false],
    ["two parts", `${web}${run(7)}.${run(5)}`, false],
    ["two parts and another sign", `${web}${run(7)}.${run(5)}!${run(5)}`, false],
    ["another sign and two parts", `${web}${run(7)}!${run(5)}.${run(5)}`, false],
    ["another beginning", `eyK${run(7)}.${run(5)}.${run(5)}`, false],
    ["another first letter", `xyJ${run(7)}.${run(5)}.${run(5)}`, false],
  ])("%s", (_what, token, expected) => {
    expect(marked(`a ${token} b`)).toBe(expected ? `a [${token}] b` : `a ${token} b`);
  });

  test("a token behind what is none is found", () => {
    expect(marked(`${web}abc ${api}${run(20)}`)).toBe(`${web}abc [${api}${run(20)}]`);
  });
});

describe("logins in addresses", () => {
  test.each([
    ["with a password", "x://loop:pass@host", "x://[loop:pass]@host"],
    ["without a name", "x://:pass@host", "x://[:pass]@host"],
    ["at the end of a text", "x://loop:pass@", "x://[loop:pass]@"],
    ["behind another address", "x://host/a x://loop:pass@host", "x://host/a x://[loop:pass]@host"],
    ["without a password", "x://loop@host", "x://loop@host"],
    ["of nothing", "x://@host:7", "x://@host:7"],
    ["without an address", "loop:pass@host", "loop:pass@host"],
    ["that nothing ends", "x://loop:pass", "x://loop:pass"],
    ["behind a blank", "x://loop: pass@host", "x://loop: pass@host"],
    ["behind a control character", "x://loop:\u001Fpass@host", "x://loop:\u001Fpass@host"],
    ["behind a slash", "x://host:7/loop:pass@host", "x://host:7/loop:pass@host"],
    ["behind a quotation mark", 'x://loop:"pass@host', 'x://loop:"pass@host'],
    ["behind a single quotation mark", "x://loop:'pass@host", "x://loop:'pass@host"],
    ["behind a question mark", "x://host:7?loop:pass@host", "x://host:7?loop:pass@host"],
    ["behind a number sign", "x://host:7#loop:pass@host", "x://host:7#loop:pass@host"],
    ["with another sign", "x://loop:pa!ss@host", "x://[loop:pa!ss]@host"],
  ])("%s", (_what, text, expected) => {
    expect(marked(text)).toBe(expected);
  });
});

describe("private keys", () => {
  const end = `-----END ${"PRIVATE KEY-----"}`;
  test.each([
    ["with its end", `a ${pem}\nMII\n${end} b`, `a [${pem}\nMII\n${end}] b`],
    [
      "of a kind",
      `${pem.replace("PRIVATE", "EC 2 PRIVATE")}\nMII\n${end.replace("PRIVATE", "EC 2 PRIVATE")} b`,
      `[${pem.replace("PRIVATE", "EC 2 PRIVATE")}\nMII\n${end.replace("PRIVATE", "EC 2 PRIVATE")}] b`,
    ],
    ["without an end", `a ${pem}\nMII`, `a [${pem}\nMII]`],
    [
      "with half an end",
      `a ${pem}\nMII\n${end.slice(0, -5)}! b`,
      `a [${pem}\nMII\n${end.slice(0, -5)}]! b`,
    ],
    ["with an end that is cut off", `a ${pem}\nMII\n-----END `, `a [${pem}\nMII\n-----END ]`],
    ["of nothing", `a ${pem}`, `a [${pem}]`],
    [
      "whose end follows at once",
      `a ${pem}END PRIVATE KEY----- b`,
      `a [${pem}END PRIVATE KEY----- b]`,
    ],
    [
      "that is public",
      `a ${pem.replace("PRIVATE", "PUBLIC")}\nMII`,
      `a ${pem.replace("PRIVATE", "PUBLIC")}\nMII`,
    ],
    [
      "whose beginning says more",
      `a ${pem.replace("KEY", "KEY X")}\nMII`,
      `a ${pem.replace("KEY", "KEY X")}\nMII`,
    ],
    ["whose beginning does not end", `a ${pem.slice(0, -1)}\nMII`, `a ${pem.slice(0, -1)}\nMII`],
    [
      "whose beginning is another",
      `a ${pem.replace("BEGIN", "BEGAN")}\nMII`,
      `a ${pem.replace("BEGIN", "BEGAN")}\nMII`,
    ],
    ["with a hyphen before it", `a -${pem}\nMII\n${end} b`, `a -[${pem}\nMII\n${end}] b`],
  ])("%s", (_what, text, expected) => {
    expect(marked(text)).toBe(expected);
  });
});

test("whether a text has any of them", () => {
  expect([redactedShape(`a ${api}${run(20)}`), redactedShape("a word"), redactedShape("")]).toEqual(
    [true, false, false],
  );
});
