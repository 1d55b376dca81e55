import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { copyOfCore, root } from "./scratch.ts";

/** What core must not be able to name, because its build knows neither Node nor a browser. */
const foreign: Readonly<Record<string, string>> = {
  "node-fs": `import { readFileSync } from "node:fs";\nexport const value: unknown = readFileSync;`,
  "node-path": `import { join } from "node:path";\nexport const value: unknown = join;`,
  "bare-fs": `import { readFileSync } from "fs";\nexport const value: unknown = readFileSync;`,
  process: "export const value: unknown = process;",
  Buffer: "export const value: unknown = Buffer;",
  setTimeout: "export const value: unknown = setTimeout;",
  console: "export const value: unknown = console;",
  fetch: "export const value: unknown = fetch;",
  URL: "export const value: unknown = URL;",
  crypto: "export const value: unknown = crypto;",
  performance: "export const value: unknown = performance;",
  window: "export const value: unknown = window;",
};

function compile(folder: string): { readonly status: number | null; readonly output: string } {
  const { status, stdout } = spawnSync(
    join(root, "node_modules/.bin/tsc"),
    ["-p", "packages/core/tsconfig.json", "--noEmit"],
    { cwd: folder, encoding: "utf8" },
  );
  return { status, output: stdout };
}

describe("the compiler settings of core", { timeout: 60_000 }, () => {
  it("accept core as it is, and refuse every name of Node or of a browser", () => {
    using core = copyOfCore();
    const clean = compile(core.path);
    expect(clean.output).toBe("");
    expect(clean.status).toBe(0);

    for (const [name, text] of Object.entries(foreign))
      core.write(`packages/core/src/violation-${name}.ts`, text);
    const dirty = compile(core.path);
    const refused = Object.keys(foreign).filter((name) =>
      dirty.output.includes(`violation-${name}.ts`),
    );
    expect(refused).toEqual(Object.keys(foreign));
    expect(dirty.status).not.toBe(0);
  });

  it("refuse syntax that a type stripper cannot run", () => {
    using core = copyOfCore();
    core.write("packages/core/src/violation-enum.ts", "export enum Colour { red, green }");
    core.write(
      "packages/core/src/violation-parameter.ts",
      "export class Point { constructor(readonly x: number) {} }",
    );
    const { output } = compile(core.path);
    expect(output).toContain("violation-enum.ts");
    expect(output).toContain("violation-parameter.ts");
  });
});
