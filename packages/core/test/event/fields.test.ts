import { expect, test } from "vitest";
import { readActor } from "../../src/event/actor.ts";
import {
  commitId,
  idText,
  itemNumber,
  prose,
  readLabels,
  text,
  time,
} from "../../src/event/fields.ts";
import { readIssue, readPullRequest } from "../../src/event/read-item.ts";
import { pull } from "./minimal.ts";

const kinds: readonly unknown[] = [undefined, null, true, {}, [], ["x"]];
const s = (n: number, of = "a"): string => of.repeat(n);

/**
 * Readers with what they take as it is, what they take as another value, and what they refuse,
 * beside values of other kinds.
 */
const readers: readonly (readonly [
  name: string,
  read: (value: unknown) => unknown,
  refusal: unknown,
  takes: readonly unknown[],
  others: readonly (readonly [given: unknown, read: unknown])[],
  refuses: readonly unknown[],
])[] = [
  ["a text", text, null, ["", "x"], [], [7, ...kinds]],
  ["what people wrote", prose, "", ["", "x"], [], [7, ...kinds]],
  [
    "a time",
    time,
    null,
    ["2026-03-01", "2026-03-01T12:00:00Z", s(40)],
    [],
    ["2026-03-0", s(41), "", 2026, 1_772_366_400, Array.from({ length: 20 }), ...kinds],
  ],
  [
    "an id",
    idText,
    null,
    ["0", "9", "007", s(20, "9")],
    [
      [0, "0"],
      [1, "1"],
      [2 ** 53 - 1, "9007199254740991"],
    ],
    [
      -1,
      1.5,
      2 ** 53,
      Number.NaN,
      "",
      "-1",
      "1.5",
      "1a",
      "a1",
      "/",
      ":",
      " 1",
      s(21, "9"),
      ...kinds,
    ],
  ],
  [
    "the number of an item",
    itemNumber,
    null,
    [1, 2 ** 31 - 1],
    [],
    [0, -1, 1.5, 2 ** 53, "7", [7], ...kinds],
  ],
  [
    "a commit",
    commitId,
    null,
    [s(7), s(40), s(64), "0123456789abcdef"],
    [],
    [
      s(6),
      s(65),
      "",
      `${s(39)}g`,
      s(40, "A"),
      `${s(20)}\n${s(19)}`,
      1_234_567,
      Array.from({ length: 7 }, () => "a"),
      ...kinds,
    ],
  ],
];

test.each(readers)("%s", (_, read, refusal, takes, others, refuses) => {
  expect(takes.map(read)).toEqual(takes);
  expect(others.map(([given]) => read(given))).toEqual(others.map(([, value]) => value));
  expect(refuses.filter((value) => read(value) !== refusal)).toEqual([]);
});

test.each<readonly [given: unknown, names: readonly string[]]>([
  [undefined, []],
  ["bug", []],
  [[], []],
  [[{ name: "bug" }], ["bug"]],
  [["bug"], ["bug"]],
  [[{ name: 7 }], []],
  [[null], []],
  [
    [{ name: "bug" }, {}, { name: "later" }, 7],
    ["bug", "later"],
  ],
  [[{}, { name: "later" }], ["later"]],
])("labels %j are %j", (given, names) => expect(readLabels(given)).toEqual(names));

test.each<readonly [given: unknown, actor: unknown]>([
  [
    { login: "ada", id: 7, type: "User" },
    { login: "ada", id: "7", bot: false },
  ],
  [{ login: "ada" }, { login: "ada", id: null, bot: false }],
  [
    { login: "helper[bot]", type: "User" },
    { login: "helper[bot]", id: null, bot: false },
  ],
  [
    { login: "helper[bot]", type: "Bot" },
    { login: "helper[bot]", id: null, bot: true },
  ],
  [{ login: "ada", type: "Mannequin" }, null],
  [
    { login: "ada", id: 0 },
    { login: "ada", id: null, bot: false },
  ],
  [
    { login: "ada", id: -7 },
    { login: "ada", id: null, bot: false },
  ],
  [{ login: "ada\u200B" }, null],
  [
    { login: "helper", type: "Bot" },
    { login: "helper", id: null, bot: true },
  ],
  [{ login: "[bot]helper" }, null],
  [{ login: s(100) }, { login: s(100), id: null, bot: false }],
  [{ login: s(101) }, null],
  [{ login: "" }, null],
  [{ login: 7 }, null],
  [{ login: ["ada"] }, null],
  ["ada", null],
])("somebody %j is %j", (given, actor) =>
  expect(JSON.parse(JSON.stringify(readActor(given)))).toEqual(actor),
);

test.each<readonly [given: unknown, seen: object | null]>([
  [
    { number: 7 },
    {
      type: "issue",
      number: 7,
      id: null,
      title: "",
      body: "",
      url: null,
      open: true,
      labels: [],
      author: null,
      updatedAt: null,
      branches: null,
      merged: false,
    },
  ],
  [
    { number: 7, state: "closed", pull_request: {} },
    { type: "pull-request", open: false, merged: false },
  ],
  [
    { number: 7, state: "OPEN", pull_request: null },
    { type: "issue", open: true },
  ],
  [
    { number: 7, pull_request: { merged_at: "2026-03-01T12:00:00Z" } },
    { type: "pull-request", merged: true },
  ],
  [
    { number: 7, merged: true },
    { type: "issue", merged: false },
  ],
  [{ number: 0 }, null],
  [{}, null],
  ["7", null],
])("an issue %j is %j", (given, seen) => {
  const read = readIssue(given);
  if (seen === null) expect(read).toBeNull();
  else expect(JSON.parse(JSON.stringify(read))).toMatchObject(seen);
});

const repo = (id: unknown): object => ({ id, full_name: "octo/shop" });
test.each<readonly [given: object, seen: object | null]>([
  [
    {},
    {
      type: "pull-request",
      number: 12,
      open: true,
      merged: false,
      branches: {
        head: "issue-7",
        headSha: s(40),
        base: "main",
        headRepository: null,
        sameRepository: false,
      },
    },
  ],
  [
    { state: "closed", merged: true },
    { open: false, merged: true },
  ],
  [
    { state: "closed", merged_at: "2026-03-01T12:00:00Z" },
    { open: false, merged: true },
  ],
  [
    { state: "closed", merged: false, merged_at: null },
    { open: false, merged: false },
  ],
  [
    { head: { ref: "x", sha: "y", repo: repo(1) }, base: { ref: "main", repo: repo(1) } },
    { branches: { headRepository: "octo/shop", sameRepository: true } },
  ],
  [
    { head: { ref: "x", sha: "y", repo: repo(1) }, base: { ref: "main", repo: repo(2) } },
    { branches: { sameRepository: false } },
  ],
  [
    {
      head: { ref: "x", sha: "y", repo: repo(undefined) },
      base: { ref: "main", repo: repo(undefined) },
    },
    { branches: { sameRepository: false } },
  ],
  [{ number: "12" }, null],
  [{ head: null }, null],
  [{ base: null }, null],
  [{ head: { sha: "y" } }, null],
  [{ head: { ref: "x" } }, null],
  [{ base: { ref: 7 } }, null],
])("a pull request with %j is %j", (given, seen) => {
  const read = readPullRequest({ ...pull, ...given });
  if (seen === null) expect(read).toBeNull();
  else expect(JSON.parse(JSON.stringify(read))).toMatchObject(seen);
});
