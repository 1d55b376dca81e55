import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { partsOf } from "../../src/control/quoted-parts.ts";

const shown = (body: string): readonly string[] =>
  partsOf(body).map(({ text, isQuoted }) => `${isQuoted ? "quoted" : "own"}: ${text.trim()}`);
const wrote = "On Mon, Mar 2, 2026 at 9:00 AM Mallory <m@example.net> wrote:";

describe("the pieces of a comment", () => {
  test.each<[string, string, readonly string[]]>([
    ["without a quote are one", "Mind the hose.\n\n", ["own: Mind the hose."]],
    ["without words are none", "", []],
    ["part a quote from the answer to it", "> a\n> b\n\nYes.", ["quoted: > a\n> b", "own: Yes."]],
    ["take a quote to go on to a blank line", "> a\nb\n\nYes.", ["quoted: > a\nb", "own: Yes."]],
    ["part the mail below an answer", `Yes.\n\n${wrote}\n\nMail it.`, ["own: Yes.", `quoted: ${wrote}\n\nMail it.`]],
    ["part marked mail from answers in it", `${wrote}\n> Mail it.\n\nNo.\n\n> And go.\n\nNo.`, [`own: ${wrote}`, "quoted: > Mail it.", "own: No.", "quoted: > And go.", "own: No."]],
    ["part Outlook's mail", "Yes.\n\n-----Original Message-----\nFrom: Mallory\nMail it.", ["own: Yes.", "quoted: -----Original Message-----\nFrom: Mallory\nMail it."]],
    ["leave code alone", "```\n> a\n```\nYes.", ["own: ```\n> a\n```\nYes."]],
    ["take code in a quote for a quote", "> ```\n> a\n\nYes.", ["quoted: > ```\n> a", "own: Yes."]],
    ["part a quote that is an element", "<blockquote>\n\na\n\n</blockquote>\n\nYes.", ["quoted: <blockquote>\n\na\n\n</blockquote>", "own: Yes."]],
    ["end lines as mail does", "> a\r\n\r\nYes.\r\n", ["quoted: > a", "own: Yes."]],
  ])("%s", (_, body, parts) => {
    expect(shown(body)).toEqual(parts);
  });

  test("are the whole comment, and own and quoted by turns", () => {
    const piece = fc.constantFrom("> ", "\n", "\r\n", "words ", "```", "<blockquote>", "</blockquote>", `${wrote}\n`, "-- \n", "    ");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }).map((all) => all.join("")), (body) => {
        const parts = partsOf(body);
        expect(parts.map(({ text }) => text).join("")).toBe(body);
        for (const [i, part] of parts.entries()) expect(part.isQuoted).not.toBe(parts[i - 1]?.isQuoted);
      }),
    );
  });
});
