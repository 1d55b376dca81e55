import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/**
 * A copy of a package that may be broken at will. Paths are absolute; `sources` are relative to
 * `root`.
 */
export type Sandbox = {
  readonly root: string;
  readonly sources: readonly string[];
  readonly tests: readonly string[];
  readonly setup: string;
  close(): void;
};

/**
 * Copies what the tests of `packages/core` need, never touching the checkout. Dependencies are
 * linked.
 */
export function openSandbox(repository: string): Sandbox {
  const folder = mkdtempSync(path.join(tmpdir(), "loop-mutation-"));
  const bring = (what: string): void =>
    cpSync(path.join(repository, what), path.join(folder, what), {
      recursive: true,
      filter: (from) => !/[\\/](node_modules|dist|\.turbo)$/.test(from),
    });
  for (const what of [
    "packages/core",
    "tooling/check/seed.ts",
    "tooling/check/package.json",
    "docs/configuration.md",
    "tsconfig.base.json",
  ])
    bring(what);
  for (const where of ["packages/core", "tooling/check"])
    symlinkSync(
      path.join(repository, where, "node_modules"),
      path.join(folder, where, "node_modules"),
    );
  return {
    ...openFolder(path.join(folder, "packages/core")),
    setup: path.join(folder, "tooling/check/seed.ts"),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The sources and tests in a folder with `src` and `test`. */
export function openFolder(root: string): Pick<Sandbox, "root" | "sources" | "tests"> {
  mkdirSync(root, { recursive: true });
  return {
    root,
    sources: globSync("src/**/*.ts", { cwd: root }).toSorted(),
    tests: globSync("test/**/*.test.ts", { cwd: root })
      .toSorted()
      .map((file) => path.join(root, file)),
  };
}
