import { objectOf, publishedExports } from "../workspace.ts";
import type { Entry } from "./report.ts";

/**
 * Entries of a manifest, as it is published, with the declaration files that people's compilers find. Throws at one
 * without any.
 */
export function entriesOf(name: string, manifest: string): readonly Entry[] {
  return Object.entries(publishedExports(objectOf(JSON.parse(manifest)))).flatMap(
    ([entry, conditions]) => {
      if (entry === "./package.json") return [];
      const types = objectOf(conditions)["types"];
      if (typeof types !== "string") throw new Error(`${name} says no declarations for ${entry}`);
      return [{ name: name + entry.slice(1), types: types.replace(/^\.\//, "") }];
    },
  );
}

/** The first line in which two texts differ, as people read a difference. */
export function firstDifference(present: string, built: string): string {
  const [before, after] = [present.split("\n"), built.split("\n")];
  const at = after.findIndex((line, index) => line !== before[index]);
  const line = at < 0 ? after.length : at;
  return `line ${line + 1}: ${JSON.stringify(before[line] ?? "")} is now ${JSON.stringify(after[line] ?? "")}`;
}
