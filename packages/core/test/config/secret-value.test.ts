import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isHidden } from "../../src/text/hidden-characters.ts";
import { readSecret, secretFault } from "../../src/config/secret-value.ts";

describe("a secret as the environment holds it", () => {
  test.each([
    [undefined, { kind: "unset" }],
    ["", { kind: "refused", why: "empty" }],
    [" ", { kind: "refused", why: "blank-around" }],
    ["0123456789abcdef\n", { kind: "refused", why: "blank-around" }],
    ["0123456789abcdef\r", { kind: "refused", why: "blank-around" }],
    [" 0123456789abcdef", { kind: "refused", why: "blank-around" }],
    ["\u{feff}0123456789abcdef", { kind: "refused", why: "blank-around" }],
    ["01234567\u{feff}89abcdef", { kind: "refused", why: "control-character" }],
    ["01234567\u000089abcdef", { kind: "refused", why: "control-character" }],
    ["01234567\u{200b}89abcdef", { kind: "refused", why: "control-character" }],
    ["\u{200b}", { kind: "refused", why: "control-character" }],
    ["01234567\u{2028}89abcdef", { kind: "refused", why: "control-character" }],
    ["01234567\u{202e}89abcdef", { kind: "refused", why: "control-character" }],
    ["01234567\n89abcdef", { kind: "refused", why: "control-character" }],
    ["01234567\u{fffd}89abcdef", { kind: "refused", why: "control-character" }],
    ["a b c d e f g h i", { kind: "set", value: "a b c d e f g h i", short: false }],
    ["fifteen letters", { kind: "set", value: "fifteen letters", short: true }],
  ])("reads %j", (text, expected) => expect(readSecret(text)).toEqual(expected));

  test("refuses every character that does not show, wherever it stands", () => {
    for (let code = 0; code <= 0x10ffff; code += 1) {
      if (!isHidden(code) || (code >= 0xd800 && code <= 0xdfff)) continue;
      const char = String.fromCodePoint(code);
      for (const text of [char.repeat(20), `0123456789${char}abcdef`])
        expect(readSecret(text).kind, code.toString(16)).toBe("refused");
    }
  });

  test("accepts every printable text as it is", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[!-~]{1,80}$/), (text) => {
        expect(readSecret(text)).toMatchObject({ kind: "set", value: text });
      }),
    );
  });

  test("names a fault without the value", () =>
    expect(secretFault("empty")).toBe("is set but empty"));
});
