import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { run } from "../src/run.ts";

const folder = mkdtempSync(join(tmpdir(), "loop-evals-"));
afterAll(() => rmSync(folder, { recursive: true }));

type Ran = { readonly code: number; readonly out: string; readonly err: string };

function runOn(
  name: string,
  lines: readonly unknown[] | string | Uint8Array,
  ...more: readonly string[]
): Ran {
  writeFileSync(
    join(folder, "table.jsonl"),
    typeof lines === "string" || lines instanceof Uint8Array
      ? lines
      : lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
  );
  return runArgs(name, "--file", "table.jsonl", ...more);
}

function runArgs(...args: readonly string[]): Ran {
  let [out, err] = ["", ""];
  const code = run(args, folder, {
    out: (text) => void (out += text),
    err: (text) => void (err += text),
  });
  return { code, out, err };
}

const closing = (
  id: string,
  text: string,
  expected: readonly number[],
  basis = "documented",
): object => ({ id, text, owner: "octo", repo: "shop", expected, basis });

describe("eval:closing", () => {
  it("prints one object with stable keys, and names what was wrong", () => {
    const ran = runOn(
      "closing",
      [
        closing("a", "Closes #1", [1]),
        closing("b", "Closes #1", [2]),
        closing("c", "```\nCloses #1\n```", [], "fence"),
      ],
      "--json",
    );
    expect(ran).toEqual({
      code: 0,
      out: `${JSON.stringify({ rows: 3, accuracy: { overall: 2 / 3, documented: 0.5, fence: 1 }, wrong: ["b"] })}\n`,
      err: "closing: 3 rows of table.jsonl\n",
    });
  });

  it("judges which issues are closed, not in which order a table lists them", () => {
    expect(
      JSON.parse(
        runOn("closing", [
          closing("a", "Closes #2, closes #1", [1, 2]),
          closing("b", "Closes #2, closes #1", [1]),
        ]).out,
      ),
    ).toMatchObject({ wrong: ["b"] });
  });
});

describe("eval:keywords", () => {
  it("compares kind, verb, address and login, logins without case", () => {
    const row = (id: string, text: string, expected: object): object => ({ id, text, expected });
    const ran = runOn(
      "keywords",
      [
        row("right", "loop start instance:prod", {
          kind: "command",
          verb: "start",
          address: "prod",
        }),
        row("login", "loop add-collaborator @Carol", {
          kind: "command",
          verb: "add-collaborator",
          login: "@carol",
        }),
        row("none", "hello", { kind: "none" }),
        row("address only", "hello instance:prod", { kind: "none", address: "instance:prod" }),
        row("refused login", "loop add-collaborator @org/team", { kind: "none" }),
        row("refused login, bare verb", "loop add-collaborator @org/team", {
          kind: "command",
          verb: "add-collaborator",
        }),
        row("ambiguous", "loop start loop stop", { kind: "ambiguous" }),
        row("conflict", "instance:a instance:b", { kind: "address-conflict" }),
        row("wrong kind", "loop start", { kind: "none" }),
        row("wrong verb", "loop start", { kind: "command", verb: "stop" }),
        row("wrong address", "loop start instance:prod", { kind: "command", verb: "start" }),
        row("wrong login", "loop add-collaborator @carol", {
          kind: "command",
          verb: "add-collaborator",
          login: "dave",
        }),
        row("wrong refused login", "loop add-collaborator @org/team", {
          kind: "command",
          verb: "add-collaborator",
          login: "org",
        }),
        row("wrong address of none", "hello instance:prod", { kind: "none", address: "eu" }),
        row("not ambiguous", "loop start", { kind: "ambiguous" }),
      ],
      "--json",
    );
    expect(JSON.parse(ran.out)).toEqual({
      rows: 15,
      accuracy: 8 / 15,
      wrong: [
        "wrong kind",
        "wrong verb",
        "wrong address",
        "wrong login",
        "wrong refused login",
        "wrong address of none",
        "not ambiguous",
      ],
    });
  });
});

describe("a table that cannot be read", () => {
  it("names every bad line by its number, and measures nothing", () => {
    const good = JSON.stringify(closing("a", "Closes #1", [1]));
    const ran = runOn(
      "closing",
      [
        good,
        "",
        "{",
        "[1]",
        '{"id":""}',
        '{"id":"x","text":7}',
        JSON.stringify({ ...closing("y", "", []), expected: [1, "2"] }),
        JSON.stringify({ ...closing("z", "", []), basis: "overall" }),
        good,
      ].join("\n"),
      "--json",
    );
    expect(ran.code).toBe(2);
    const { error } = JSON.parse(ran.out) as {
      error: { code: string; hint: string; details: readonly string[] };
    };
    expect(error).toMatchObject({
      code: "LOOP_E_EVAL_ROWS",
      hint: expect.stringContaining("id, text, owner, repo, expected, basis"),
    });
    expect(error.details.map((detail) => detail.slice(0, 7))).toEqual([
      "line 3:",
      "line 4:",
      "line 5:",
      "line 6:",
      "line 7:",
      "line 8:",
    ]);
    expect(ran.err).toContain("  line 3: it is no JSON");
    expect(ran.err).toContain("→ each line is one JSON object");
  });

  it.each([
    [
      "no object of expectations",
      { id: "a", text: "x" },
      "expected must be an object, and is missing",
    ],
    [
      "an unknown kind",
      { id: "a", text: "x", expected: { kind: "maybe" } },
      "expected.kind must be none, command, ambiguous or address-conflict",
    ],
    [
      "an unknown verb",
      { id: "a", text: "x", expected: { kind: "command", verb: "go" } },
      "expected.verb must be one of start, stop",
    ],
    [
      "an address that is no text",
      { id: "a", text: "x", expected: { kind: "none", address: 7 } },
      "expected.address must be a text, and is a number",
    ],
    [
      "a login that is no text",
      { id: "a", text: "x", expected: { kind: "command", verb: "start", login: [] } },
      "expected.login must be a text, and is a list",
    ],
  ])("keywords: %s", (_name, row, message) => {
    expect(runOn("keywords", [row])).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining(`line 1: ${message}`),
    });
  });

  it.each([
    ["no file", ["closing"], "LOOP_E_EVAL_USAGE"],
    ["an unknown flag", ["closing", "--file", "x", "--fast"], "LOOP_E_EVAL_USAGE"],
    ["an unknown evaluation", ["moods", "--file", "x"], "LOOP_E_EVAL_USAGE"],
    ["a name that every object has", ["constructor", "--file", "x"], "LOOP_E_EVAL_USAGE"],
    ["an argument too many", ["closing", "more", "--file", "x"], "LOOP_E_EVAL_USAGE"],
    ["a file that is not there", ["closing", "--file", "nowhere.jsonl"], "LOOP_E_EVAL_FILE"],
    ["a folder", ["closing", "--file", "."], "LOOP_E_EVAL_FILE"],
  ])("%s", (_name, args, code) => {
    expect(runArgs(...args)).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringMatching(new RegExp(`\\(${code}\\)\n(.|\n)*→ `)),
    });
  });

  it("an empty one, and one that is no UTF-8", () => {
    expect(runOn("closing", "\n\n")).toMatchObject({
      code: 2,
      err: expect.stringContaining("LOOP_E_EVAL_EMPTY"),
    });
    expect(runOn("closing", new Uint8Array([0xff, 0xfe, 0x0a]))).toMatchObject({
      code: 2,
      err: expect.stringContaining("LOOP_E_EVAL_FILE"),
    });
  });
});

describe("what is odd and harmless", () => {
  it("is noted beside the result: unknown keys, an id twice, a byte order mark, CRLF", () => {
    const lines = [
      { ...closing("a", "Closes #1", [1]), source: "a body" },
      closing("a", "Closes #1", [1]),
    ].map((line) => JSON.stringify(line));
    const ran = runOn("closing", `\uFEFF${lines.join("\r\n")}\r\n`, "--json");
    expect(JSON.parse(ran.out)).toMatchObject({ rows: 2, wrong: [] });
    expect(ran.err).toBe(
      'closing: 2 rows of table.jsonl\nnote: the id "a" stands on lines 1 and 2; both count\nnote: keys that mean nothing here were not read: source\n',
    );
  });
});
