import { objectOf } from "../workspace.ts";

/** A package to be released, with the packages of ours that it needs. */
export type Releasable = {
  readonly name: string;
  readonly version: string;
  readonly needs: readonly string[];
};

/** Reads what a release has to know of a manifest's text. */
export function parseReleasable(text: string, ours: ReadonlySet<string>): Releasable {
  const manifest = objectOf(JSON.parse(text));
  const needs = ["dependencies", "peerDependencies", "optionalDependencies"].flatMap((kind) =>
    Object.keys(objectOf(manifest[kind])),
  );
  return {
    name: String(manifest["name"]),
    version: String(manifest["version"]),
    needs: needs.filter((name) => ours.has(name)),
  };
}

/**
 * Each after all that it needs, so that whoever installs one in the middle of a release gets a
 * whole one.
 */
export function releaseOrder(packages: readonly Releasable[]): readonly Releasable[] {
  const done = new Map<string, Releasable>();
  while (done.size < packages.length) {
    const next = packages.filter(
      ({ name, needs }) => !done.has(name) && needs.every((need) => done.has(need)),
    );
    if (next.length === 0)
      throw new Error(
        `these need each other: ${packages
          .filter(({ name }) => !done.has(name))
          .map(({ name }) => name)
          .join(", ")}`,
      );
    for (const each of next) done.set(each.name, each);
  }
  return [...done.values()];
}

/**
 * The manifest's text with the repository that the provenance will name; the registry refuses
 * another.
 */
export function withRepository(text: string, repository: string, directory: string): string {
  return `${JSON.stringify({ ...objectOf(JSON.parse(text)), repository: { type: "git", url: `git+https://github.com/${repository}.git`, directory } }, null, 2)}\n`;
}
