import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What the manifest of a package of ours says about how it is published and used. */
export type Manifest = {
  readonly name: string;
  readonly folder: string;
  /** Names of its programs. */
  readonly programs: readonly string[];
  /** What can be imported from it: `.`, `./refs`, … without `./package.json`. */
  readonly entries: readonly string[];
};

/** Every package under `packages/`; all of them are published. */
export function readManifests(root: string): readonly Manifest[] {
  const folders = readdirSync(join(root, "packages"))
    .toSorted()
    .map((name) => join(root, "packages", name));
  return folders.map((folder) =>
    parseManifest(folder, readFileSync(join(folder, "package.json"), "utf8")),
  );
}

/** Reads the manifest text of the package in `folder`. */
export function parseManifest(folder: string, text: string): Manifest {
  const manifest = objectOf(JSON.parse(text));
  const name = manifest["name"];
  if (typeof name !== "string") throw new Error(`${folder} has no name`);
  return {
    name,
    folder,
    programs: Object.keys(objectOf(manifest["bin"])),
    entries: Object.keys(publishedExports(manifest)).filter((entry) => entry !== "./package.json"),
  };
}

/** `exports` as people get them: those of the tree may name more, for our own tooling. */
export function publishedExports(
  manifest: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return objectOf(objectOf(manifest["publishConfig"])["exports"] ?? manifest["exports"]);
}

export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}
