import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ControlReading, readControl } from "../../src/control/keyword.ts";
import { withoutControl } from "../../src/control/without-control.ts";
import { defaultWords } from "../../src/decide/sentences.ts";
import { cpuMs } from "../cpu-ms.ts";

const { keywords } = defaultWords;
/** With a table of its own, so that it is prepared for the search anew. */
const read = (text: string): ControlReading => readControl(text, { ...keywords });
const none = { kind: "none", address: null };
const command = (verb: string, more: object = {}): object => ({
  kind: "command",
  verb,
  login: null,
  address: null,
  ...more,
});

const rows = (title: string, table: readonly (readonly [string, object])[]): void => {
  describe(title, () => {
    it.each(table.map(([text, expected]) => ({ text, expected })))(
      "$text",
      ({ text, expected }) => {
        expect(read(text)).toEqual(expected);
      },
    );
  });
};

describe("a text that was read before", () => {
  it("is read anew with other keywords", () => {
    const others = { ...keywords, start: "please begin" };
    expect([keywords, others, keywords].map((each) => readControl("please begin", each))).toEqual([
      none,
      command("start"),
      none,
    ]);
  });
});

rows("each of the seven keywords", [
  ["loop start", command("start")],
  ["loop stop", command("stop")],
  ["loop pause", command("pause")],
  ["loop resume", command("resume")],
  ["loop cleanup", command("cleanup")],
  ["loop add-collaborator @carol", command("add-collaborator", { login: "carol" })],
  ["loop remove-collaborator @carol", command("remove-collaborator", { login: "carol" })],
]);

rows("whole words in any ASCII case, with any run of blanks", [
  ["LOOP Start", command("start")],
  ["loop \t  start", command("start")],
  ["Please loop start, thanks!", command("start")],
  ["(loop start)", command("start")],
  ["“loop start”", command("start")],
  ["🚀 loop start 🚀", command("start")],
  ["first line\r\nloop start\r\n", command("start")],
  ["loop start.", command("start")],
  ["**loop start**", command("start")],
  ["_loop start_", command("start")],
  ["please ___loop start___!", command("start")],
  ["x_loop start", none],
  ["____loop start", none],
  ["loop starting", none],
  ["loop start-up", none],
  ["loop start_now", none],
  ["loop start.sh", none],
  ["loop start's", none],
  ["loopstart", none],
  ["floop start", none],
  ["my-loop start", none],
  [".loop start", none],
  ["loop-start", none],
  ["loop\nstart", none],
  ["loop, start", none],
  ["loop restart", none],
  ["", none],
  ["the loop keeps starting", none],
]);

rows("P01: only the author's own plain words", [
  ["```\nloop start\n```", none],
  ["`loop start`", none],
  ["    loop start", none],
  ["> loop start", none],
  ["<!-- loop start -->", none],
  ["[loop start](https://example.org)", none],
  ["On Monday bob wrote:\n> loop start\n> please\n\nI do not think so", none],
  ["loop `x` start", none],
  ["> loop stop\n\nloop start", command("start")],
]);

rows("P02: two different keywords mean nothing, the same one twice is one", [
  ["loop start\nloop stop", { kind: "ambiguous" }],
  ["loop start or loop stop?", { kind: "ambiguous" }],
  ["loop start/loop stop", { kind: "ambiguous" }],
  ["loop start\nloop start", command("start")],
  ["loop start. I said LOOP START", command("start")],
  ["loop start, and please look at the header first", command("start")],
  ["loop cleanup", command("cleanup")],
  ["  loop cleanup", command("cleanup")],
  ["done, thanks\nloop cleanup", command("cleanup")],
  ["should I loop cleanup?", { kind: "ambiguous" }],
  ["- loop cleanup", { kind: "ambiguous" }],
  ["`x` loop cleanup", { kind: "ambiguous" }],
  ["loop cleanup\nyes, loop cleanup", { kind: "ambiguous" }],
]);

rows("P03: what only looks like a keyword is none", [
  ["lооp start", none],
  ["loop stаrt", none],
  ["loop startе", none],
  ["loop\u00a0start", none],
  ["loop\u200bstart", none],
  ["loop\u200b start", none],
  ["loop \u200bstart", none],
  ["loop start\u200b", none],
  ["loop start\u00a0", none],
  ["\u200bloop start", none],
  ["\ufeffloop start", none],
  ["ｌｏｏｐ ｓｔａｒｔ", none],
  ["l\u{e006f}oop start", none],
  ["loop start\u{e0020}", none],
  ["\u202eloop start\u202c", none],
  ["loop ſtart", none],
  ["LOOP START\u0301", none],
]);

rows("P05: addresses", [
  ["loop start instance:prod", command("start", { address: "prod" })],
  ["instance:prod loop start", command("start", { address: "prod" })],
  ["loop start INSTANCE:prod.", command("start", { address: "prod" })],
  ["loop start (instance:prod)", command("start", { address: "prod" })],
  ["loop start instance:a instance:a", command("start", { address: "a" })],
  ["loop start instance:a instance:b", { kind: "address-conflict" }],
  ["loop start instance:a,instance:b", { kind: "address-conflict" }],
  ["instance:a or instance:b", { kind: "address-conflict" }],
  ["loop start loop stop instance:a instance:b", { kind: "ambiguous" }],
  ["please look, instance:prod", { kind: "none", address: "prod" }],
  ["loop start instance:", command("start")],
  ["loop start instance: prod", command("start")],
  ["loop start instance:Prod", command("start")],
  ["loop start instance:-prod", command("start")],
  ["loop start instance:prod-", command("start")],
  ["loop start instance:prod/eu", command("start")],
  ["loop start instance:prod_1", command("start")],
  ["loop start instance:prоd", command("start")],
  [`loop start instance:${"a".repeat(40)}`, command("start", { address: "a".repeat(40) })],
  [`loop start instance:${"a".repeat(41)}`, command("start")],
  [`loop start instance:${"a".repeat(10_000)}`, command("start")],
  ["loop start instance:prod: now", command("start", { address: "prod" })],
  ["loop start instance:prod; now", command("start", { address: "prod" })],
  ["loop start instance:prod{", command("start", { address: "prod" })],
  ["loop start instance:prod@eu", command("start")],
  ["loop start instance:prod.eu", command("start")],
  ["loop start instance:prod:8080", command("start")],
  ["loop start xinstance:prod", command("start")],
  ["`instance:prod` loop start", command("start")],
]);

const badLogin = { kind: "login-off-grammar", verb: "add-collaborator" };
rows("P06: a grant names exactly one login", [
  ["loop add-collaborator @carol, please", command("add-collaborator", { login: "carol" })],
  [
    "loop add-collaborator @carol instance:prod",
    command("add-collaborator", { login: "carol", address: "prod" }),
  ],
  [
    "loop add-collaborator instance:prod @carol",
    command("add-collaborator", { login: "carol", address: "prod" }),
  ],
  [
    "loop add-collaborator @carol-anne_corp.",
    command("add-collaborator", { login: "carol-anne_corp" }),
  ],
  [
    "loop add-collaborator @carol\nthanks to @dave",
    command("add-collaborator", { login: "carol" }),
  ],
  [
    "loop add-collaborator @carol who is me@example.org",
    command("add-collaborator", { login: "carol" }),
  ],
  [
    "loop add-collaborator @carol\nloop add-collaborator @Carol",
    command("add-collaborator", { login: "Carol" }),
  ],
  ["loop add-collaborator @carol @ home", command("add-collaborator", { login: "carol" })],
  ["loop add-collaborator @carol (not @dave)", badLogin],
  ["loop add-collaborator@carol", badLogin],
  ["loop add-collaborator", badLogin],
  ["loop add-collaborator carol", badLogin],
  ["loop add-collaborator @", badLogin],
  ["loop add-collaborator @org/team", badLogin],
  ["loop add-collaborator @helper[bot]", badLogin],
  ["loop add-collaborator @cаrol", badLogin],
  ["loop add-collaborator @carol\u200b", badLogin],
  [`loop add-collaborator @${"c".repeat(101)}`, badLogin],
  [`loop add-collaborator @${"c".repeat(102)}`, badLogin],
  ["loop add-collaborator @-carol", badLogin],
  ["loop add-collaborator @--", badLogin],
  ["loop add-collaborator @.carol", badLogin],
  ["loop add-collaborator @carol @dave", badLogin],
  ["loop add-collaborator @carol and @dave", badLogin],
  ["loop add-collaborator @carol\nloop add-collaborator @dave", badLogin],
  ["loop add-collaborator @carol\nloop remove-collaborator @carol", { kind: "ambiguous" }],
]);

describe("routing.control.keywords", () => {
  const own = {
    ...keywords,
    start: "/go",
    stop: "",
    pause: "hold  the line",
    resume: "hold",
    cleanup: "los geht's",
    "add-collaborator": "干 活",
  };

  it.each([
    ["/go", command("start")],
    ["/gopher", none],
    ["src/go", none],
    ["loop start", none],
    ["loop stop", none],
    ["Hold the   line", command("pause")],
    ["hold", command("resume")],
    ["hold the", command("resume")],
    ["hold the line, hold", { kind: "ambiguous" }],
    ["LOS geht's", command("cleanup")],
    ["干 活 @carol", command("add-collaborator", { login: "carol" })],
  ])("%s", (text, expected) => {
    expect(readControl(text, own)).toEqual(expected);
  });

  it("reads nothing when every keyword is disabled", () => {
    const off = {
      start: "",
      stop: "",
      pause: "",
      resume: "",
      cleanup: "",
      "add-collaborator": "",
      "remove-collaborator": "",
    };
    expect(readControl("loop start", off)).toEqual(none);
  });

  it("wants a blank between the words of one, also where they need none", () => {
    const words = { ...keywords, start: "loop /go" };
    expect([
      readControl("loop /go", words),
      readControl("loop/go", words),
      readControl("loop/go, loop pause", words),
    ]).toEqual([command("start"), none, command("pause")]);
  });

  it("treats characters with a meaning in patterns as themselves", () => {
    expect(readControl("a+b(c", { ...keywords, start: "a+b(c" })).toEqual(command("start"));
    expect(readControl("aab(c", { ...keywords, start: "a+b(c" })).toEqual(none);
  });
});

describe("a login that reads like a keyword", () => {
  const own = { ...keywords, start: "carol" };

  it.each([
    ["loop add-collaborator @carol", command("add-collaborator", { login: "carol" })],
    [
      "loop add-collaborator instance:prod @carol",
      command("add-collaborator", { login: "carol", address: "prod" }),
    ],
    ["loop add-collaborator @carol, carol", { kind: "ambiguous" }],
    ["@carol, loop add-collaborator @carol", { kind: "ambiguous" }],
    ["loop add-collaborator carol", { kind: "ambiguous" }],
  ])("%s", (text, expected) => {
    expect(readControl(text, own)).toEqual(expected);
  });

  it("counts as the keyword where the grant names nobody, whatever the keyword is", () => {
    expect(
      readControl("loop add-collaborator carol and @null", { ...keywords, start: "null" }),
    ).toEqual({ kind: "ambiguous" });
    expect(readControl("!/go", { ...keywords, "add-collaborator": "!", start: "/go" })).toEqual({
      kind: "ambiguous",
    });
  });
});

describe("properties", () => {
  const words = fc.constantFrom(
    "loop",
    "start",
    "stop",
    "pause",
    "cleanup",
    "add-collaborator",
    "@carol",
    "instance:a",
    "instance:b",
    " ",
    "\n",
    "\t",
    "`",
    "> ",
    "```\n",
    "<!--",
    "-->",
    "x",
    "\u200b",
    ".",
    ",",
    "é",
    "😀",
  );
  const texts = fc.array(words, { maxLength: 30 }).map((parts) => parts.join(""));

  it("says nothing of a command to which a second, different keyword is added", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const reading = read(text);
        if (reading.kind !== "command") return;
        const other = reading.verb === "pause" ? "loop resume" : "loop pause";
        expect(read(`${other}\n\n${text}`)).toEqual({ kind: "ambiguous" });
      }),
      { numRuns: 2000 },
    );
  });

  it("never throws, and reads the same twice", () => {
    fc.assert(
      fc.property(fc.oneof(texts, fc.string({ unit: "binary", maxLength: 200 })), (text) => {
        expect(read(text)).toEqual(read(text));
      }),
      { numRuns: 2000 },
    );
  });
});

describe("P14: linear over hostile text", () => {
  const hostile = [
    "loop ",
    "loop\t",
    "loop add-collaborator ",
    "loop add-collaborator @a ",
    "loop add-collaborator instance:",
    "loop cleanup ",
    " loop  cleanup",
    "instance:a",
    "instance:a ",
    "@",
    "loop start@",
    "l",
    "loop start ",
  ];

  it.each(hostile)(
    "reads 256 KiB of %j, for which a quadratic reader would need minutes",
    (unit) => {
      const text = unit.repeat(Math.ceil(262_144 / unit.length));
      expect(cpuMs(() => [read(text), withoutControl(text, keywords)])).toBeLessThan(10_000);
    },
  );
});
