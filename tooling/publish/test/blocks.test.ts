import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { blocksOf } from "../src/replay/blocks.ts";
import { scripts } from "../src/replay/documents.ts";

const root = join(import.meta.dirname, "..", "..", "..");

it("finds what a reader types, under which heading, and why a block is left out", () => {
  const text = ["# Tutorial", "", "```sh", "loop start", "```", "", "## `loop` stops", "", "<!-- not replayed: it never ends -->", "```sh", "loop logs -f", "```", "", "```yaml", "a: 1", "```", ""].join("\n");
  expect(blocksOf(text)).toEqual([
    { heading: "Tutorial", line: 3, script: "loop start\n", leftOut: null },
    { heading: "loop stops", line: 10, script: "loop logs -f\n", leftOut: "it never ends" },
  ]);
});

it.each(scripts.map(({ file, acts }) => [file, acts] as const))("%s has blocks to replay, and its acts stand before headings that are there", (file, acts) => {
  const blocks = blocksOf(readFileSync(join(root, file), "utf8"));
  expect(blocks.some(({ leftOut }) => leftOut === null)).toBe(true);
  expect(Object.keys(acts).filter((heading) => !blocks.some((block) => block.heading === heading))).toEqual([]);
});
