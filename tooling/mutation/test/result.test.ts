import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { formatPage } from "../src/page.ts";
import { judgeSurvivors, readReasons, type Reason } from "../src/reasons.ts";
import {
  countFiles,
  countFolders,
  mergeFiles,
  scoreOf,
  type Fate,
  type Mutant,
  type Result,
} from "../src/result.ts";

const mutantOf = (id: string, file: string): Mutant => ({
  id,
  file,
  line: 3,
  lineText: "return a >= b;",
  from: "a >= b",
  to: `a > b ${id}`,
});
const fates = new Map<string, Fate>([
  ["1", "killed"],
  ["2", "timeout"],
  ["3", "survived"],
  ["4", "noCoverage"],
  ["5", "static"],
]);
const rows = countFiles(
  ["src/decide/one.ts"],
  ["1", "2", "3", "4", "5"].map((id) => mutantOf(id, "src/decide/one.ts")),
  fates,
  "abc",
);
const reasonFor = (over: Partial<Reason> = {}): Reason => ({
  file: "src/decide/one.ts",
  lineText: "return a >= b;",
  from: "a >= b",
  to: "a > b 3",
  reason: "they are never equal",
  ...over,
});

test("what no test reaches counts against the score, and what only loading runs does not count", () => {
  expect(rows[0]?.counts).toEqual({ killed: 1, timeout: 1, survived: 1, noCoverage: 1, static: 1 });
  expect(countFolders(rows)).toEqual([
    { folder: "decide", killed: 1, timeout: 1, survived: 1, noCoverage: 1, static: 1, score: 0.5 },
  ]);
  expect(scoreOf({ killed: 1, timeout: 0, survived: 0, noCoverage: 2, static: 9 })).toBe(0.3333);
});

test("rows of files that were not run stay, and those of files that are gone go", () => {
  const [row] = rows;
  if (row === undefined) throw new Error("no row");
  const [other, gone, newer] = [
    { ...row, file: "src/b.ts" },
    { ...row, file: "src/gone.ts" },
    { ...row, commit: "def" },
  ];
  expect(
    mergeFiles([row, other, gone], [newer], new Set(["src/b.ts", row.file])).map(
      ({ file, commit }) => [file, commit],
    ),
  ).toEqual([
    ["src/b.ts", "abc"],
    ["src/decide/one.ts", "def"],
  ]);
});

test("a reason belongs to a text and not to a line; one whose mutant is noticed, or gone, is stale", () => {
  const judged = judgeSurvivors(rows, [
    reasonFor(),
    reasonFor({ to: "a < b" }),
    reasonFor({ file: "src/not-run.ts" }),
  ]);
  expect(judged.explained.map(({ survivor, reason }) => [survivor.to, reason])).toEqual([
    ["a > b 3", "they are never equal"],
  ]);
  expect(judged.unexplained.map(({ survivor }) => [survivor.to, survivor.reached])).toEqual([
    ["a > b 4", false],
  ]);
  expect(judged.stale.map(({ to }) => to)).toEqual(["a < b"]);
});

test("the page in docs is what the result and the reasons say", async () => {
  const result: Result = JSON.parse(
    readFileSync(new URL("../../../docs/mutation.json", import.meta.url), "utf8"),
  );
  await expect(formatPage(result, judgeSurvivors(result.files, readReasons()))).toMatchFileSnapshot(
    "../../../docs/mutation.md",
  );
});
