import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { blocksOf } from "./markdown.ts";
import { root } from "./repository.ts";
import { compile, projectOf } from "./snippets.ts";

/** A file that a page shows whole: a block of code whose fence names it, as in `ts adapter.ts`. */
export type ShownFile = { readonly name: string; readonly text: string };

/** The files of a page, in its order. */
export function filesIn(page: string): readonly ShownFile[] {
  return blocksOf(page).flatMap(({ language, text }) => {
    const name = language.split(" ")[1];
    return name === undefined ? [] : [{ name, text: `${text}\n` }];
  });
}

/** What came of the files: complaints of the compiler, and what their program printed. */
export type Tried = {
  readonly complaints: readonly string[];
  readonly code: number | null;
  readonly printed: readonly string[];
};

/**
 * Writes the files into a folder of their own, compiles them, and runs one of them, as a reader
 * would who copies them.
 */
export function tryOut(files: readonly ShownFile[], program: string): Tried {
  const dist = join(root, "tooling/conformance/dist"); // Below a package that depends on core; not below node_modules, where Node reads no TypeScript.
  mkdirSync(dist, { recursive: true });
  const folder = mkdtempSync(join(dist, "page-"));
  try {
    for (const { name, text } of files) writeFileSync(join(folder, name), text);
    for (const { name, text } of files)
      if (text.startsWith("#!")) chmodSync(join(folder, name), 0o755);
    const project = join(folder, "tsconfig.json");
    writeFileSync(
      project,
      projectOf(files.map(({ name }) => join(folder, name)).filter((file) => file.endsWith(".ts"))),
    );
    const complaints = compile(project).split("\n").filter(Boolean);
    const ran = spawnSync(
      process.execPath,
      ["--conditions=@loopwork/source", join(folder, program)],
      { encoding: "utf8" },
    );
    return {
      complaints,
      code: ran.status,
      printed: `${ran.stdout}${ran.stderr}`.split("\n").filter(Boolean),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
