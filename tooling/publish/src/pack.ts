import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { run, type Ran } from "./run.ts";
import type { Manifest } from "./workspace.ts";

/**
 * Builds every package and packs it as it would be published. Gives the tarball of each by package
 * name. pnpm has to do it: npm would leave `workspace:` and `catalog:` in the manifests.
 */
export async function packAll(
  root: string,
  into: string,
  manifests: readonly Manifest[],
): Promise<ReadonlyMap<string, string>> {
  const pnpm = pinnedPnpm(root);
  must(
    await run(
      [
        "npx",
        "--yes",
        pnpm,
        "exec",
        "turbo",
        "run",
        "build",
        "--filter=./packages/*",
        "--output-logs=errors-only",
      ],
      root,
    ),
  );
  must(
    await run(
      [
        "npx",
        "--yes",
        pnpm,
        "-r",
        "--filter=./packages/*",
        "exec",
        "pnpm",
        "pack",
        "--pack-destination",
        into,
      ],
      root,
    ),
  );
  const files = readdirSync(into);
  return new Map(manifests.map(({ name }) => [name, join(into, tarballOf(name, files))]));
}

function pinnedPnpm(root: string): string {
  const { packageManager }: { readonly packageManager: string } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  return packageManager;
}

/** `@loopwork/harness-a` is packed as `loopwork-harness-a-0.1.0.tgz`. */
export function tarballOf(name: string, files: readonly string[]): string {
  const stem = name.replace("@", "").replace("/", "-");
  const found = files.filter(
    (file) =>
      file.startsWith(`${stem}-`) &&
      /^\d/.test(file.slice(stem.length + 1)) &&
      file.endsWith(".tgz"),
  );
  if (found.length !== 1 || found[0] === undefined)
    throw new Error(`${name} was not packed once but ${found.length} times`);
  return found[0];
}

function must({ code, stdout, stderr }: Ran): void {
  if (code !== 0)
    throw new Error(`the packages could not be built and packed:\n${stdout}${stderr}`);
}
