import { run } from "../run.ts";
import type { Releasable } from "./order.ts";

/**
 * Publishes each package in this order, except those whose version stands in the registry already:
 * a release that broke off goes on where it was. Ends at the first that fails. `flags` go to npm;
 * the words of what was done are returned.
 */
export async function publishNew(
  packages: readonly Releasable[],
  tarballs: ReadonlyMap<string, string>,
  folder: string,
  flags: { readonly all: readonly string[]; readonly publish: readonly string[] },
): Promise<readonly string[]> {
  const done: string[] = [];
  for (const { name, version } of packages) {
    const known = await run(
      ["npm", "view", `${name}@${version}`, "version", ...flags.all],
      folder,
      process.env,
    );
    if (known.code === 0 && known.stdout.trim() === version) {
      done.push(`${name}@${version} stands already`);
      continue;
    }
    const ran = await run(
      [
        "npm",
        "publish",
        tarballs.get(name) ?? "",
        "--access",
        "public",
        ...flags.all,
        ...flags.publish,
      ],
      folder,
      process.env,
    );
    if (ran.code !== 0)
      throw new Error(
        `${name}@${version} could not be published, after ${done.join(", ") || "nothing"}: ${`${ran.stdout}${ran.stderr}`.trim().split("\n").slice(-8).join("\n")}`,
      );
    done.push(`${name}@${version} is published`);
  }
  return done;
}
