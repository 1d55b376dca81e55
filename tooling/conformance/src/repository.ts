import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Root of this repository. */
export const root: string = fileURLToPath(new URL("../../..", import.meta.url));

/** Text of a file, named from the root; null when there is none. */
export function textOf(path: string): string | null {
  try {
    return readFileSync(join(root, path), "utf8");
  } catch {
    return null;
  }
}

/** Files that a pattern names, from the root, without what was built or installed. */
export function filesOf(pattern: string): readonly string[] {
  return globSync(pattern, {
    cwd: root,
    exclude: (name) => name === "node_modules" || name === "dist",
  }).toSorted();
}

/** Pages that people read: the ones at the root, those of packages, and everything in docs. */
export function pages(): readonly string[] {
  return [
    "README.md",
    "CONTRIBUTING.md",
    ...filesOf("docs/**/*.md"),
    ...filesOf("packages/*/README.md"),
    ...filesOf("plugins/*/README.md"),
    ...filesOf("examples/*/README.md"),
    ...filesOf("tooling/*/README.md"),
  ];
}
