import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundledGraphs, parseGraphs } from "@loopwork/core/config";
import { beforeEach, expect, test } from "vitest";
import { observe } from "../../../../runtime/src/graph/observe.ts";
import { graphFiles } from "../../../src/files/graph-files.ts";
import { createScene } from "../../support/scene.ts";

const definition = [...graphsOf(bundledGraphs).values()][0];
const [file = ""] =
  definition?.nodes.flatMap(({ produces }) => produces.map((each) => each.file)) ?? [];
const folder = "docs/specs/item";
let [checkout, elsewhere] = ["", ""];

beforeEach(() => {
  const scene = createScene();
  [checkout, elsewhere] = [join(scene.dir, "checkout"), join(scene.dir, "elsewhere")];
  for (const made of [checkout, elsewhere]) mkdirSync(made, { recursive: true });
});

test("a plain file in the folder of the work item is an artifact, also where the checkout itself is reached by a link", async () => {
  put(join(checkout, folder, file), "# Found\n\n## A\n\nWords.\n");
  symlinkSync(checkout, join(elsewhere, "link"));
  for (const root of [checkout, join(elsewhere, "link")]) expect(await seen(root)).toEqual([file]);
});

test("nothing behind a link is an artifact, neither a file nor one in a folder", async () => {
  put(join(elsewhere, folder, file), "# Secret\n");
  mkdirSync(join(checkout, folder), { recursive: true });
  symlinkSync(join(elsewhere, folder, file), join(checkout, folder, file));
  expect(await seen(checkout)).toEqual([]);
  const other = join(checkout, "other");
  mkdirSync(other);
  symlinkSync(join(elsewhere, "docs"), join(other, "docs"));
  expect(await seen(other)).toEqual([]);
});

test("a pipe that nobody writes to holds nothing up, and a folder or a huge file is no artifact", async () => {
  mkdirSync(join(checkout, folder), { recursive: true });
  execFileSync("mkfifo", [join(checkout, folder, file)]);
  expect(await seen(checkout)).toEqual([]);
  const [one, two] = [join(elsewhere, "one"), join(elsewhere, "two")];
  mkdirSync(join(one, folder, file), { recursive: true });
  put(join(two, folder, file), "x".repeat(2 * 1024 * 1024 + 1));
  expect([await seen(one), await seen(two)]).toEqual([[], []]);
});

test("what is not committed has a name of its own for each state of the files, whatever their sizes and dates say, and none where everything is", async () => {
  const changes = [" M one.txt", "?? two.txt"];
  const [one, two] = [join(checkout, "one.txt"), join(checkout, "two.txt")];
  const date = new Date("2026-01-01T00:00:00Z");
  put(one, "first");
  utimesSync(one, date, date);
  put(two, "second");
  const named = (list: readonly string[]): Promise<string | null> => uncommittedOf(list);
  const before = await named(changes);
  expect(before).toMatch(/^[0-9a-f]{64}$/);
  // The same state has the same name, in whichever order git lists it.
  expect(await named(changes.toReversed())).toBe(before);
  expect(await named([])).toBeNull();
  const names = [before];
  // Another content of the same length, with the dates of before: the time of the last change of
  // all cannot be set.
  put(one, "tsrif");
  utimesSync(one, date, date);
  names.push(await named(changes));
  names.push(
    await named([" M one.txt"]),
    await named(["M  one.txt", "?? two.txt"]),
    await named(["?? one.txt?? two.txt"]),
  );
  rmSync(two);
  names.push(await named(changes));
  expect(new Set(names).size).toBe(names.length);
});

test("what is not committed is looked for only where somebody's answer may be about it", async () => {
  let looks = 0;
  const looking = {
    files: graphFiles,
    headOf: async () => "abc",
    changesOf: async () => ((looks += 1), ["?? two.txt"]),
  };
  if (definition === undefined) throw new Error("the bundled graphs are empty");
  expect(
    await observe(checkout, { root: checkout, folder }, definition, looking, false),
  ).toMatchObject({ uncommitted: null });
  expect(looks).toBe(0);
  expect(
    (await observe(checkout, { root: checkout, folder }, definition, looking))?.uncommitted,
  ).toMatch(/./);
});

async function uncommittedOf(changes: readonly string[]): Promise<string | null> {
  if (definition === undefined) throw new Error("the bundled graphs are empty");
  return (
    (
      await observe(checkout, { root: checkout, folder }, definition, {
        files: graphFiles,
        headOf: async () => "abc",
        changesOf: async () => changes,
      })
    )?.uncommitted ?? null
  );
}

async function seen(root: string): Promise<readonly string[]> {
  if (definition === undefined) throw new Error("the bundled graphs are empty");
  const found = await observe(root, { root, folder }, definition, {
    files: graphFiles,
    headOf: async () => "abc",
    changesOf: async () => [],
  });
  return found?.artifacts.map((each) => each.file) ?? [];
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function graphsOf(text: string): ReadonlyMap<string, NonNullable<Parameters<typeof observe>[2]>> {
  const parsed = parseGraphs(text);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.graphs;
}
