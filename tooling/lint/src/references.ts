import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

/**
 * A package of the workspace: what its manifest names as dependencies, and what its build settings
 * refer to.
 */
export type Member = {
  readonly name: string;
  readonly folder: string;
  readonly needs: readonly string[];
  readonly refersTo: readonly string[];
  readonly build: string | null;
};

/**
 * A package whose settings refer to another one that its manifest does not name is built beside it
 * instead of after it: two compilers then write the same files, and half written ones end up in the
 * build cache. For the same reason a package builds itself alone; the order is turbo's.
 */
export function referenceBreaches(members: readonly Member[]): readonly string[] {
  const nameOf = new Map(members.map(({ folder, name }) => [basename(folder), name]));
  return members.flatMap(({ folder, needs, refersTo, build }) => [
    ...refersTo
      .filter((other) => !needs.includes(nameOf.get(other) ?? other))
      .map(
        (other) => `${folder}/tsconfig.json: refers to ${other}, which package.json does not name`,
      ),
    ...(build === null || ownBuild.test(build)
      ? []
      : [
          `${folder}/package.json: builds with ${JSON.stringify(build)}, which may write the files of others`,
        ]),
  ]);
}

/**
 * The compiler on the package's own settings, and after it a page of the package that is bundled
 * into its own `dist`.
 */
const ownBuild = /^tsc -p tsconfig\.json( && vite build src\/[a-z-]{1,40} --logLevel warn)?$/;

/** Every package with build settings under `packages/`, `tooling/` and `examples/`. */
export function readMembers(root: string): readonly Member[] {
  return ["packages", "tooling", "examples"].flatMap((group) =>
    readdirSync(join(root, group))
      .map((name) => `${group}/${name}`)
      .filter((folder) => existsSync(join(root, folder, "tsconfig.json")))
      .map((folder) => readMember(root, folder)),
  );
}

type ManifestFile = {
  readonly name: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
};

function readMember(root: string, folder: string): Member {
  const manifest: ManifestFile = JSON.parse(
    readFileSync(join(root, folder, "package.json"), "utf8"),
  );
  const { references = [] }: { readonly references?: readonly { readonly path: string }[] } =
    JSON.parse(readFileSync(join(root, folder, "tsconfig.json"), "utf8"));
  return {
    name: manifest.name,
    folder,
    needs: [
      ...Object.keys(manifest.dependencies ?? {}),
      ...Object.keys(manifest.devDependencies ?? {}),
    ],
    refersTo: references.map(({ path }) => basename(path)),
    build: manifest.scripts?.["build"] ?? null,
  };
}
