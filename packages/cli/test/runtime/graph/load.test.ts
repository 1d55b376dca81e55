import { execFileSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundledGraphs, defaultConfig } from "@loopwork/core/config";
import { expect, test } from "vitest";
import { readGraphs } from "@loopwork/runtime/graph";
import { graphFiles } from "../../../src/files/graph-files.ts";
import { createScene } from "../../support/scene.ts";

test(
  "a pipe in the place of the file of graphs is not waited for",
  { timeout: 20_000 },
  async () => {
    const graphFile = join(createScene().dir, "graphs.yaml");
    execFileSync("mkfifo", [graphFile]);
    expect(await readGraphs({ config: defaultConfig, graphFile }, graphFiles)).toMatchObject({
      ok: false,
      problems: [{ message: expect.stringContaining("cannot be read") }],
    });
  },
);

test("the file of graphs may be a link", async () => {
  const { dir } = createScene();
  writeFileSync(join(dir, "real.yaml"), bundledGraphs);
  symlinkSync("real.yaml", join(dir, "graphs.yaml"));
  expect(
    await readGraphs({ config: defaultConfig, graphFile: join(dir, "graphs.yaml") }, graphFiles),
  ).toMatchObject({ ok: true });
});
