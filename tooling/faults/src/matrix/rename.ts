import { promises } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { basename } from "node:path";
import type { Strike } from "./point.ts";

/** In front of the file system: the renaming of a new text over a file of that name. */
export function watchRename(name: string, when: "before" | "after", strike: Strike): void {
  const { rename } = promises;
  promises.rename = (from, to) =>
    typeof to === "string" && basename(to) === name
      ? strike.call(when, () => rename(from, to))
      : rename(from, to);
  syncBuiltinESMExports();
}
