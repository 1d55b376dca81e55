import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of this package. A module can't tell it by its own place: the build moves code. */
export const packageFolder: string = dirname(
  fileURLToPath(import.meta.resolve("@loopwork/cli/package.json")),
);

/** A program of this package, such as `bin`, from source or as it was built. */
export function ownProgram(name: string): string {
  return import.meta.url.endsWith(".ts")
    ? join(packageFolder, "src", `${name}.ts`)
    : join(packageFolder, "dist", `${name}.js`);
}
