import { existsSync } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "../files/own-package.ts";

/**
 * Folder of our plugin: inside of the package when it was packed, in the repository else. Harness A
 * ignores a missing one silently, so the adapter checks it again.
 */
export function pluginDir(): string {
  const packed = join(packageFolder, "plugin/loop");
  return existsSync(packed) ? packed : join(packageFolder, "../../plugins/loop");
}
