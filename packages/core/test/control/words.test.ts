import { describe, expect, it } from "vitest";
import { type ControlReading, mayHoldControl, readControl } from "../../src/control/keyword.ts";
import {
  beginsLine,
  beginsWord,
  endsWord,
  isWordCode,
  lowerCode,
  skipBlanks,
  standsAt,
} from "../../src/control/words.ts";
import { defaultWords } from "../../src/decide/sentences.ts";
import type { ControlVerb } from "../../src/normalise/event.ts";

const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
const quoted = (character: string): string => JSON.stringify(character);

/**
 * A word is made of ASCII letters, digits, `_` and `-`, and of every character beyond ASCII that is
 * neither punctuation nor a symbol.
 */
describe("what words are made of", () => {
  it("of ASCII, letters, digits, _ and -", () => {
    expect(ascii.filter((_, code) => isWordCode(code)).join("")).toBe(
      "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz",
    );
  });

  it.each([
    ["é", true],
    ["\u0080", true],
    ["\u00a0", true],
    ["\u200b", true],
    ["х", true],
    ["𝐥", true],
    ["“", false],
    ["…", false],
    ["€", false],
    ["🚀", false],
  ])("beyond it, %j: %s", (character, word) => {
    expect(isWordCode(character.codePointAt(0) ?? 0)).toBe(word);
  });

  it("only ASCII letters have another case", () => {
    expect(
      Array.from({ length: 0x250 }, (_, code) => code)
        .filter((code) => lowerCode(code) !== code)
        .map((code) => String.fromCharCode(code, lowerCode(code)))
        .join(" "),
    ).toBe("Aa Bb Cc Dd Ee Ff Gg Hh Ii Jj Kk Ll Mm Nn Oo Pp Qq Rr Ss Tt Uu Vv Ww Xx Yy Zz");
  });
});

describe("where a word begins and ends", () => {
  const before = new Set([...ascii.filter((_, code) => isWordCode(code) && code !== 95), "."]);
  const glued = new Set(ascii.filter((_, code) => isWordCode(code) && code !== 95));

  it.each(ascii.map((character) => [quoted(character), character] as const))(
    "behind %s",
    (_name, character) => {
      expect(beginsWord(`${character}x`, 1)).toBe(!before.has(character));
      expect(beginsWord(`a ${character}x`, 3)).toBe(!before.has(character));
    },
  );

  it.each(ascii.map((character) => [quoted(character), character] as const))(
    "before %s",
    (_name, character) => {
      expect(endsWord(`x${character}`, 1)).toBe(!glued.has(character));
      expect(endsWord(`x${character} y`, 1)).toBe(!glued.has(character));
    },
  );

  it.each([
    [".", true],
    ["'", true],
    [":", true],
    ["=", true],
    ["-", true],
    [",", false],
    ["/", false],
    ["!", false],
    [")", false],
  ])("%s glues on what follows: %s", (joiner, glues) => {
    expect(endsWord(`x${joiner}y`, 1)).toBe(!glues);
    expect(endsWord(`x${joiner}é`, 1)).toBe(!glues);
    expect(endsWord(`x${joiner} y`, 1)).toBe(joiner !== "-");
  });

  it.each([
    ["🚀", true],
    ["🐀", true],
    ["🏿", true],
    ["！", true],
    ["𝐥", false],
    ["\ud83d", false],
    ["\ude80", false],
    ["é", false],
    ["”", true],
  ])("beside %j: %s", (character, free) => {
    expect([beginsWord(`${character}x`, character.length), endsWord(`x${character}`, 1)]).toEqual([
      free,
      free,
    ]);
    expect([
      beginsWord(`a${character}x`, 1 + character.length),
      endsWord(`x${character}a`, 1),
    ]).toEqual([free, free]);
  });

  it.each([
    [0, true],
    [1, true],
    [2, true],
    [3, true],
    [4, false],
  ])("beside %i signs of emphasis: %s", (count, free) => {
    const signs = "_".repeat(count);
    expect([
      beginsWord(`${signs}x`, count),
      beginsWord(` ${signs}x`, count + 1),
      endsWord(`x${signs}`, 1),
      endsWord(`x${signs} `, 1),
    ]).toEqual([free, free, free, free]);
  });

  it("inside of a word, emphasis belongs to it", () => {
    expect([beginsWord("a_x", 2), endsWord("x_a", 1)]).toEqual([false, false]);
  });
});

describe("blanks, lines and letters", () => {
  it.each([
    ["  \tx", 0, 3],
    ["x", 0, 0],
    [" ", 0, 1],
    ["\n", 0, 0],
    ["a  b", 1, 3],
  ])("%j from %i: the next is at %i", (text, at, next) => {
    expect(skipBlanks(text, at)).toBe(next);
  });

  it.each([
    ["x", 0, true],
    [" \tx", 2, true],
    ["a x", 2, false],
    ["a\nx", 2, true],
    ["a\r  x", 4, true],
    ["a\n b x", 5, false],
  ])("%j: %i begins its line: %s", (text, at, begins) => {
    expect(beginsLine(text, at)).toBe(begins);
  });

  it.each([
    ["START", 0, true],
    ["xStArT", 1, true],
    ["star", 0, false],
    ["stand", 0, false],
    ["ſtart", 0, false],
  ])("%j, at %i, holds the word: %s", (text, at, holds) => {
    expect(standsAt(text, at, "start")).toBe(holds);
  });
});

/** `routing.control.keywords` replaces a keyword's text; `""` disables it. */
describe("keywords of a configuration", () => {
  const none: ControlReading = { kind: "none", address: null };
  const read = (text: string, own: Partial<Record<ControlVerb, string>>): ControlReading =>
    readControl(text, { ...defaultWords.keywords, ...own });
  const command = (verb: ControlVerb, login: string | null = null): ControlReading => ({
    kind: "command",
    verb,
    login,
    address: null,
  });

  it.each<[string, Partial<Record<ControlVerb, string>>, ControlReading]>([
    ["/go", { start: "/go" }, command("start")],
    ["/GO", { start: "/go" }, command("start")],
    ["/go", { start: "/GO" }, command("start")],
    ["a.b*c? (x) [y] {z} ^$ |", { start: "a.b*c? (x) [y] {z} ^$ |" }, command("start")],
    ["axbbcc (x) [y] {z} ^$ |", { start: "a.b*c? (x) [y] {z} ^$ |" }, none],
    ["los gehts", { start: "los gehts" }, command("start")],
    ["los   gehts", { start: " los \t gehts " }, command("start")],
    ["los\ngehts", { start: "los gehts" }, none],
    ["los", { start: "los gehts" }, none],
    ["löschen", { cleanup: "löschen" }, command("cleanup")],
    ["über los", { start: "über los" }, command("start")],
    ["ÜBER los", { start: "über los" }, none],
    ["Zap", { stop: "zap" }, command("stop")],
    ["{zap", { stop: "{zap" }, command("stop")],
    ["[zap", { stop: "{zap" }, none],
    ["loop start", { start: "" }, none],
    ["loop start", { start: " \t " }, none],
    ["loop", { start: "", pause: "loop" }, command("pause")],
    ["loop go", { start: "loop", stop: "loop go" }, command("stop")],
    ["loop  go", { start: "loop", stop: "loop go" }, command("stop")],
    ["loop gone", { start: "loop", stop: "loop go" }, command("start")],
    ["loop", { start: "loop", stop: "loop go" }, command("start")],
    ["loop go on", { start: "loop go on", stop: "loop go" }, command("start")],
    ["loop go in", { start: "loop go on", stop: "loop go" }, command("stop")],
    ["let in @dave", { "add-collaborator": "let in" }, command("add-collaborator", "dave")],
  ])("%j with %j", (text, own, reading) => {
    expect(read(text, own)).toEqual(reading);
  });

  it.each(["a", "z", "A", "Z", "0", "\u0080", "é", "/", "@", "`", "{"])(
    "one that begins with %j",
    (beginning) => {
      expect(read(`please ${beginning}x now`, { start: `${beginning}x` })).toEqual(
        command("start"),
      );
    },
  );

  it.each([
    ["loop start", true],
    ["LOOP \t START", true],
    ["floop starting", true],
    ["instance:x", true],
    ["INSTANCE:", true],
    ["loop", false],
    ["loop\nstart", false],
    ["loop started by a stranger's instance", true],
    ["start the loop", false],
    ["instance x", false],
    ["", false],
  ])("one look tells whether %j may hold one: %s", (text, may) => {
    expect(mayHoldControl(text, { ...defaultWords.keywords })).toBe(may);
  });

  it("a look at one text says nothing of another, nor of other keywords", () => {
    const own = { ...defaultWords.keywords, start: "go" };
    expect([
      mayHoldControl("go", own),
      mayHoldControl("no", own),
      mayHoldControl("go", own),
      mayHoldControl("go", { ...defaultWords.keywords }),
    ]).toEqual([true, false, true, false]);
  });
});
