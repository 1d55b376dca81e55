import { describe, expect, it } from "vitest";
import { gap, plainText } from "../../src/control/comment-text.ts";

/**
 * Every character stays where it was; a line that is hidden whole becomes blank, a shorter gap is
 * filled with `gap`.
 */
/**
 * A carriage return alone ends a line as well, as CommonMark has it: what follows it may be code.
 */
describe("what is left of a text", () => {
  it.each<[string, string]>([
    ["a b", "a b"],
    ["a `x` b", `a ${gap}${gap}${gap} b`],
    ["`x`", "   "],
    ["`x` b", `${gap}${gap}${gap} b`],
    ["a `x`", `a ${gap}${gap}${gap}`],
    ["<!-- x -->", "          "],
    ["[x](y)", "      "],
    ["> x", "   "],
    ["\tx", "  "],
    ["    x", "     "],
    ["~~~\nx", "   \n "],
    ["```\nx\n```", "   \n \n   "],
    ["a\n> x\n\nb", "a\n   \n\nb"],
    ["a\r\n> x\r\n\r\nb", "a\r\n   \r\n\r\nb"],
    ["a\r```\rx\r```\rb", "a\r   \r \r   \rb"],
    ["a\r\r    x\rb", "a\r\r     \rb"],
    ["a\n`x`\nb", "a\n   \nb"],
    ["a\n`x` c\nb", `a\n${gap}${gap}${gap} c\nb`],
    ["a\nc `x`\nb", `a\nc ${gap}${gap}${gap}\nb`],
  ])("%j: %j", (text, plain) => {
    expect(plainText(text)).toBe(plain);
    expect(plainText(text)).toHaveLength(text.length);
  });
});
