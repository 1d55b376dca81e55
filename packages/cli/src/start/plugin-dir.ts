import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * Folder of our plugin: inside of the package when it was packed, in the repository else. Harness A
 * ignores a missing one silently, so the adapter checks it again.
 */
export function pluginDir(): string {
  const packed = fileURLToPath(new URL("../../plugin/loop", import.meta.url));
  return existsSync(packed)
    ? packed
    : fileURLToPath(new URL("../../../../plugins/loop", import.meta.url));
}
