import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type AttackClass, attackClasses } from "../src/attacks/classes.ts";
import { formatResults, resultOfRows, resultsByClass } from "../src/attacks/results.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const files = (
  tests: Readonly<Record<string, readonly (readonly [title: string, status: string])[]>>,
): string =>
  JSON.stringify({
    testResults: Object.entries(tests).map(([file, results]) => ({
      name: `/repo/${file}`,
      status: "passed",
      assertionResults: results.map(([title, status]) => ({ title, status })),
    })),
  });
const classes = [{ name: "receiver", files: ["a/x.test.ts", "a/folder"] }];
const results = (tests: Parameters<typeof files>[0]): ReturnType<typeof resultsByClass> =>
  resultsByClass(classes, files(tests), "/repo/");

describe("the report of the attack suites", () => {
  const folder = {
    "a/folder/y.test.ts": [["control: with the guard off it gets in", "passed"]],
  } as const;

  test("counts attempts and controls apart", () => {
    expect(
      results({
        "a/x.test.ts": [
          ["one", "passed"],
          ["two", "passed"],
        ],
        ...folder,
      }),
    ).toEqual([
      { name: "receiver", attempts: 2, waysIn: [], skipped: 0, controls: 1, failedControls: [] },
    ]);
  });

  test("names an attempt that got in, a file that did not load and one that was not run", () => {
    expect(results({ "a/x.test.ts": [["one", "failed"]], ...folder })).toMatchObject([
      { waysIn: ["a/x.test.ts › one"] },
    ]);
    expect(results({ "a/x.test.ts": [], ...folder })).toMatchObject([
      { waysIn: ["a/x.test.ts › the file did not load"] },
    ]);
    expect(results(folder)).toMatchObject([{ waysIn: ["a/x.test.ts › was not run"] }]);
  });

  test("fails a class without a control, or whose control does not get in", () => {
    expect(
      results({ "a/x.test.ts": [["one", "passed"]], "a/folder/y.test.ts": [["two", "passed"]] }),
    ).toMatchObject([{ controls: 0, failedControls: ["receiver › has no control"] }]);
    expect(results({ "a/x.test.ts": [["control: none", "failed"]], ...folder })).toMatchObject([
      { controls: 1, failedControls: ["a/x.test.ts › control: none"] },
    ]);
  });

  test("prints a line per class and what got in below it", () => {
    expect(formatResults(results({ "a/x.test.ts": [["one", "failed"]], ...folder }))).toBe(
      "receiver     1 attempts   1 ways in   1 of 1 controls got in\n  WAY IN   a/x.test.ts › one\n",
    );
  });
});

test("rows about the sandbox count as attempts, and as controls where they tell what happens without it", () => {
  const printed =
    "ok   HA-sandbox-01 reads nothing; without the sandbox it reads all (12 ms)\nFAIL HA-sandbox-02 writes nothing; without the sandbox it does (3 ms)\n     real: it wrote\nok   HA-sandbox-06 is stopped (4 ms)\n2 passed, 1 failed, 0 skipped\n";
  expect(resultOfRows("sandbox", "without the sandbox", printed)).toEqual({
    name: "sandbox",
    attempts: 3,
    waysIn: ["HA-sandbox-02 › writes nothing; without the sandbox it does"],
    skipped: 0,
    controls: 1,
    failedControls: [],
  });
  expect(
    resultOfRows(
      "sandbox",
      "without the sandbox",
      "sandbox: cannot be had: bwrap must be installed\n",
    ),
  ).toMatchObject({
    attempts: 0,
    waysIn: ["sandbox › was not run"],
    failedControls: ["sandbox › has no control"],
  });
});

test("every file of every class exists", () => {
  expect(
    attackClasses.flatMap((each) => each.files).filter((file) => !existsSync(`${root}/${file}`)),
  ).toEqual([]);
});

/** Test files of a class; a folder stands for those in it. */
function testFilesOf({ files }: AttackClass): readonly string[] {
  return files.flatMap((file) =>
    statSync(`${root}/${file}`).isFile()
      ? [file]
      : readdirSync(`${root}/${file}`)
          .filter((name) => name.endsWith(".test.ts"))
          .map((name) => `${file}/${name}`),
  );
}

test("every class has a control in one of its files", () => {
  const hasControl = (file: string): boolean =>
    /["'`]control: /.test(readFileSync(`${root}/${file}`, "utf8"));
  expect(
    attackClasses.filter((each) => !testFilesOf(each).some(hasControl)).map(({ name }) => name),
  ).toEqual([]);
});
