import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Root of this repository. */
export const root: string = fileURLToPath(new URL("../../..", import.meta.url));

/** A folder of its own that is removed when it goes out of scope. */
export type Scratch = Disposable & {
  readonly path: string;
  readonly write: (file: string, text: string) => void;
  readonly copy: (file: string) => void;
};

export function scratch(): Scratch {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "loop-lint-")));
  return {
    path,
    write: (file, text) => {
      mkdirSync(dirname(join(path, file)), { recursive: true });
      writeFileSync(join(path, file), text);
    },
    copy: (file) => cpSync(join(root, file), join(path, file), { recursive: true }),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

/**
 * A copy of core with its configuration and its dependencies, into which a test may put what must
 * not be there.
 */
export function copyOfCore(): Scratch {
  const copy = scratch();
  for (const file of [
    "tsconfig.base.json",
    ".oxlintrc.json",
    "packages/core/src",
    "packages/core/tsconfig.json",
    "packages/core/package.json",
  ])
    copy.copy(file);
  symlinkSync(join(root, "node_modules"), join(copy.path, "node_modules"));
  symlinkSync(
    join(root, "packages/core/node_modules"),
    join(copy.path, "packages/core/node_modules"),
  );
  return copy;
}
