import { chmodSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ownProgram } from "../files/own-package.ts";

const binFile = ownProgram("bin");

/** Program and leading arguments that run this very `loop`, from source or as it was built. */
export function selfCommand(): readonly [string, ...string[]] {
  return [
    process.execPath,
    ...(binFile.endsWith(".ts") ? ["--conditions=@loopwork/source"] : []),
    binFile,
  ];
}

/**
 * Folders that this very `loop` is read from: the outermost `node_modules` around it, or the source
 * tree with the packages that it consists of.
 */
export function ownFolders(file: string = realpathSync(binFile)): readonly string[] {
  const installed = file.indexOf("/node_modules/");
  return installed === -1
    ? [join(dirname(file), "../../..")]
    : [file.slice(0, installed + "/node_modules".length)];
}

/**
 * Writes the `loop` that agents and hooks call, so that they reach this version whatever else is
 * installed. Resolves to its folder.
 */
export function writeSelfShim(stateRoot: string): string {
  const dir = join(stateRoot, "bin");
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const file = join(dir, "loop");
  writeFileSync(file, `#!/bin/sh\nexec ${selfCommand().map(quote).join(" ")} "$@"\n`);
  chmodSync(file, 0o755);
  return dir;
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
