import { footprint } from "./footprint.ts";
import { covers, type Manifest } from "./manifest.ts";

/** A file in the repository, from its root; `sha256` of those that the manifest gives one for. */
export type SeenFile = { readonly path: string; readonly sha256: string | null };

export type ManifestFinding = {
  readonly kind: "missing" | "changed" | "unlisted";
  readonly path: string;
  readonly message: string;
};

/**
 * Where manifest and repository differ:
 *
 *     missing    listed, owned by loop or a single file, and not there; folders of the project may be empty
 *     changed    listed with a digest, and another one now
 *     unlisted   lies where only the product writes, and is not listed
 */
export function checkManifest(
  manifest: Manifest,
  seen: readonly SeenFile[],
): readonly ManifestFinding[] {
  const byPath = new Map(seen.map((file) => [file.path, file]));
  const missing = manifest.files.filter(({ path }) => !path.endsWith("/") && !byPath.has(path));
  const changed = manifest.files.filter(
    ({ path, sha256 }) =>
      sha256 !== undefined && byPath.has(path) && byPath.get(path)?.sha256 !== sha256,
  );
  const unlisted = seen.filter(({ path }) => isOurs(path) && !covers(manifest, path));
  return [
    ...missing.map(({ path }): ManifestFinding => ({
      kind: "missing",
      path,
      message: "is listed and not there",
    })),
    ...changed.map(({ path }): ManifestFinding => ({
      kind: "changed",
      path,
      message: "is not as it was when it was listed",
    })),
    ...unlisted.map(({ path }): ManifestFinding => ({
      kind: "unlisted",
      path,
      message: "is a file of the product and not listed",
    })),
  ];
}

/** Everything in `.loop/` is the product's, and the folder of learnings. */
function isOurs(path: string): boolean {
  return (
    path.startsWith(".loop/") ||
    footprint.some((entry) => entry.role === "learnings" && path.startsWith(entry.path))
  );
}
