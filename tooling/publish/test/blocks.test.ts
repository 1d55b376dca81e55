import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { blocksOf } from "../src/replay/blocks.ts";
import { scripts } from "../src/replay/documents.ts";

const root = join(import.meta.dirname, "..", "..", "..");

it("finds what a reader types, under which heading, and why a block is left out", () => {
  const text = [
    "# Tutorial",
    "",
    "```sh",
    "loop start",
    "```",
    "",
    "## `loop` stops",
    "",
    "<!-- not replayed: it never ends -->",
    "```sh",
    "loop logs -f",
    "```",
    "",
    "```yaml",
    "a: 1",
    "```",
    "",
    "1. First",
    "",
    "   ```sh",
    "   loop status",
    "   ```",
    "",
  ].join("\n");
  expect(blocksOf(text)).toEqual([
    { heading: "Tutorial", line: 3, script: "loop start\n", leftOut: null },
    { heading: "loop stops", line: 10, script: "loop logs -f\n", leftOut: "it never ends" },
    { heading: "loop stops", line: 20, script: "loop status\n", leftOut: null },
  ]);
});

it("replays the README, the tutorial and every how-to guide with commands in it", () => {
  const guides = globSync("docs/how-to/*.md", { cwd: root }).filter(
    (file) => blocksOf(readFileSync(join(root, file), "utf8")).length > 0,
  );
  expect(scripts.map(({ file }) => file).toSorted()).toEqual(
    ["README.md", "docs/tutorial.md", ...guides].toSorted(),
  );
});

it.each(scripts.map(({ file, acts }) => [file, acts] as const))(
  "%s has blocks to replay, and its acts stand before headings that are there",
  (file, acts) => {
    const blocks = blocksOf(readFileSync(join(root, file), "utf8"));
    expect(blocks.length).toBeGreaterThan(0);
    expect(
      Object.keys(acts).filter((heading) => !blocks.some((block) => block.heading === heading)),
    ).toEqual([]);
  },
);
