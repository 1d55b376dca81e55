import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Registry } from "./registry.ts";
import { run } from "./run.ts";

/**
 * Publishes each tarball to the registry as a release would; what went wrong, each in one sentence.
 * `folder` is scratch.
 */
export async function publishAll(
  tarballs: ReadonlyMap<string, string>,
  registry: Registry,
  folder: string,
): Promise<readonly string[]> {
  const settings = join(folder, "publish.npmrc");
  writeFileSync(settings, `${registry.url.slice("http:".length)}/:_auth=${registry.token}\n`);
  const failures: string[] = [];
  for (const [name, file] of tarballs) {
    const ran = await run(
      [
        "npm",
        "publish",
        file,
        "--registry",
        registry.url,
        "--access",
        "public",
        "--userconfig",
        settings,
      ],
      folder,
      process.env,
    );
    if (ran.code !== 0)
      failures.push(
        `${name} cannot be published: ${`${ran.stdout}${ran.stderr}`.trim().split("\n").slice(-8).join("\n")}`,
      );
  }
  return failures;
}

/**
 * In the folder, packages of ours come from the registry; all others from where npm has them from
 * on this machine.
 */
export function useRegistry(registry: Registry, folder: string): void {
  writeFileSync(join(folder, ".npmrc"), `@loopwork:registry=${registry.url}\n`);
}
