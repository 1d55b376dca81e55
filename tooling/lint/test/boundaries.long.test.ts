import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cruise, judge } from "../src/boundaries.ts";
import { root, scratch, type Scratch } from "./scratch.ts";

/** Built packages as small as they can be, linked to each other as an installation links them. */
function builtPackages(): Scratch {
  const built = scratch();
  built.write("package.json", `{ "type": "module" }`);
  for (const name of ["core", "receiver", "store", "store-postgres", "runtime", "cli"]) {
    built.write(
      `packages/${name}/package.json`,
      JSON.stringify({
        name: `@loopwork/${name}`,
        type: "module",
        exports: { ".": "./dist/index.js" },
      }),
    );
    built.write(
      `packages/${name}/dist/index.js`,
      name === "core" ? "export const core = 1;" : `export { core } from "@loopwork/core";`,
    );
    if (name === "core") continue;
    mkdirSync(join(built.path, `packages/${name}/node_modules/@loopwork`), { recursive: true });
    symlinkSync("../../../core", join(built.path, `packages/${name}/node_modules/@loopwork/core`));
  }
  for (const name of ["receiver", "store", "runtime"])
    symlinkSync(
      `../../../${name}`,
      join(built.path, `packages/cli/node_modules/@loopwork/${name}`),
    );
  built.write(
    "packages/cli/dist/start/wire.js",
    `import "@loopwork/receiver";\nimport "@loopwork/store";`,
  );
  built.copy("tooling/lint/dependency-cruiser.json");
  mkdirSync(join(built.path, "node_modules"));
  symlinkSync(
    join(root, "node_modules/dependency-cruiser"),
    join(built.path, "node_modules/dependency-cruiser"),
  );
  mkdirSync(join(built.path, "packages/core/node_modules"));
  symlinkSync(
    join(root, "packages/core/node_modules/yaml"),
    join(built.path, "packages/core/node_modules/yaml"),
  );
  return built;
}

const rows: readonly {
  readonly name: string;
  readonly file: string;
  readonly text: string;
  readonly rule: string;
}[] = [
  {
    name: "a declared sibling of the command line outside of start",
    file: "packages/cli/dist/runtime.js",
    text: `import "@loopwork/store";`,
    rule: "only-start-imports-siblings",
  },
  {
    name: "a sibling that nobody declared",
    file: "packages/receiver/dist/index.js",
    text: `import "@loopwork/store";`,
    rule: "packages-import-no-sibling",
  },
  {
    name: "a sibling by its path",
    file: "packages/receiver/dist/index.js",
    text: `import "../../store/dist/index.js";`,
    rule: "packages-import-no-sibling",
  },
  {
    name: "a sibling that is loaded late",
    file: "packages/receiver/dist/index.js",
    text: `export const later = () => import("../../store/dist/index.js");`,
    rule: "packages-import-no-sibling",
  },
  {
    name: "Node in core",
    file: "packages/core/dist/index.js",
    text: `import "node:fs";`,
    rule: "core-imports-only-yaml",
  },
  {
    name: "another package in core",
    file: "packages/core/dist/index.js",
    text: `import "../../store/dist/index.js";`,
    rule: "core-imports-only-yaml",
  },
  {
    name: "a sibling in the runtime",
    file: "packages/runtime/dist/ingest.js",
    text: `import "../../store/dist/index.js";`,
    rule: "packages-import-no-sibling",
  },
  {
    name: "a sibling of the PostgreSQL store other than the store",
    file: "packages/store-postgres/dist/index.js",
    text: `import "../../receiver/dist/index.js";`,
    rule: "store-postgres-imports-only-the-store",
  },
  {
    name: "a file that the runtime opens",
    file: "packages/runtime/dist/ingest.js",
    text: `import "node:fs/promises";`,
    rule: "runtime-opens-nothing",
  },
  {
    name: "a process that the runtime starts",
    file: "packages/runtime/dist/turn/attempt.js",
    text: `import { join } from "node:path";\nexport const run = () => import("child_process");`,
    rule: "runtime-opens-nothing",
  },
  {
    name: "yaml outside of the configuration",
    file: "packages/core/dist/ports/index.js",
    text: `import "yaml";`,
    rule: "yaml-only-behind-config",
  },
  {
    name: "a cycle",
    file: "packages/store/dist/a.js",
    text: `import "./a.js";\nimport "./b.js";`,
    rule: "no-cycles",
  },
  {
    name: "a dependency that is not there",
    file: "packages/store/dist/index.js",
    text: `import "no-such-package";`,
    rule: "nothing-unresolved",
  },
];

describe("the boundaries between packages", { timeout: 60_000 }, () => {
  it("stand when packages import core, and start imports the siblings", () => {
    using built = builtPackages();
    built.write("packages/core/dist/config/parse.js", `import "yaml";`);
    built.write("packages/cli/dist/commands/why.js", `import "@loopwork/runtime";`);
    built.write(
      "packages/runtime/dist/own.js",
      `import "node:path";\nimport "node:timers/promises";`,
    );
    built.write("packages/store-postgres/dist/own.js", `import "../../store/dist/index.js";`);
    const found = cruise(built.path);
    expect(found.violations).toEqual([]);
    expect(found.modules).toBeGreaterThanOrEqual(6);
    expect(judge(found, 6)).toEqual([]);
  });

  it("let a lazy table be read by one of its rows", () => {
    using built = builtPackages();
    built.write(
      "packages/cli/dist/table.js",
      `export const rows = [() => import("./completion.js")];`,
    );
    built.write("packages/cli/dist/completion.js", `import "./table.js";`);
    expect(cruise(built.path).violations).toEqual([]);
  });

  it.each(rows)("are broken by $name", ({ file, text, rule }) => {
    using built = builtPackages();
    built.write(file, text);
    built.write("packages/store/dist/b.js", `import "./a.js";`);
    if (rule !== "no-cycles") built.write("packages/store/dist/a.js", "");
    expect(cruise(built.path).violations.join("\n")).toContain(rule);
  });

  it("are broken by folders of the command line that lead to each other, also by a type alone and over a third", () => {
    using built = builtPackages();
    built.write("packages/cli/src/commands/stop.ts", `import { line } from "../output/line.ts";`);
    built.write("packages/cli/src/output/line.ts", `export const line = "";`);
    expect(cruise(built.path).violations).toEqual([]);
    built.write("packages/cli/src/output/line.ts", `import type { Io } from "../io/io.ts";`);
    built.write("packages/cli/src/io/io.ts", `export type { Call } from "../commands/stop.ts";`);
    expect(cruise(built.path).violations).toEqual([
      "no-folder-cycles: packages/cli/src: commands ⇄ output",
      "no-folder-cycles: packages/cli/src: commands ⇄ io",
      "no-folder-cycles: packages/cli/src: io ⇄ output",
    ]);
  });

  it("are not taken for whole when nothing was built, or too little was read", () => {
    using empty = scratch();
    empty.write("packages/core/package.json", "{}");
    expect(judge(cruise(empty.path), 1)).toEqual([
      expect.stringContaining("only 0 modules were read"),
      "packages/core is not built",
    ]);
    expect(judge({ modules: 99, unbuilt: [], violations: [] }, 100)).toHaveLength(1);
  });
});
