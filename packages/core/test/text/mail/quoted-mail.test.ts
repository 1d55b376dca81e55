import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { hiddenKeyword, readControl } from "../../../src/control/keyword.ts";
import { defaultWords } from "../../../src/control/reason-sentences.ts";

/**
 * Mails as they arrive in comments, by clients and in languages of all sorts, in words of our own.
 * In `silent` only what is quoted or signed holds a keyword; in `heard` the author says `loop
 * pause`, and what is quoted says something else.
 */
function mailsIn(folder: "silent" | "heard"): readonly (readonly [name: string, text: string])[] {
  const path = new URL(`${folder}/`, import.meta.url);
  return readdirSync(path).map((name) => [name, readFileSync(new URL(name, path), "utf8")]);
}

describe("keywords in mail", () => {
  it.each(mailsIn("silent"))(
    "does nothing for a keyword in what %s quotes or signs",
    (_name, text) => {
      expect(readControl(text, defaultWords.keywords)).toEqual({ kind: "none", address: null });
      expect(hiddenKeyword(text, defaultWords.keywords)).toEqual({ alone: false });
    },
  );

  it.each(mailsIn("heard"))("hears the author of %s", (_name, text) => {
    expect(readControl(text, defaultWords.keywords)).toEqual({
      kind: "command",
      verb: "pause",
      login: null,
      address: null,
    });
  });

  it("has mails of many kinds", () => {
    expect([mailsIn("silent").length >= 40, mailsIn("heard").length >= 20]).toEqual([true, true]);
  });
});
