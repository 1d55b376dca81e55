import { join } from "node:path";
import type { Git } from "./git.ts";
import type { Making } from "./making.ts";
import { readRefs } from "./records.ts";

/**
 * Fetches what `refspecs` say into a clone. Git talks to the remote in a repository of ours, so that nothing in the clone's
 * configuration is read for it: no helper, no proxy, no program. Objects go straight into the clone, and the references
 * follow once all of them are there. `options` are more of git's options for it.
 */
export async function fetchInto({ git, own, layout, remote }: Pick<Making, "git" | "own" | "layout" | "remote">, options: readonly string[], refspec: string): Promise<void> {
  const common = join(layout.clone, ".git");
  const before = await readRefs(common, fetched);
  const format = before.size > 0 ? {} : { format: await formatOf(git, common) };
  await own({ common, workTree: null, purpose: "no-files", refs: before, keepsObjects: true, ...format }, async (where) => {
    const args = ["fetch", "--quiet", ...options, "--no-recurse-submodules", "--no-write-fetch-head", "--end-of-options", remote.url, refspec];
    await git.run(where, args, { protocol: remote.protocol, minutes: 30 });
    await moveRefs(git, layout.clone, before, await readRefs(where.repository.gitDir, fetched));
  });
}

/** What a fetch may change: branches and heads of pull requests as the remote has them, and tags, which it only adds. */
export const fetched: readonly string[] = ["refs/remotes/origin/", "refs/loop/pull/", "refs/tags/"];

/** What is gone goes first: one branch may have the name of another's folder. */
export async function moveRefs(git: Git, clone: string, before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): Promise<void> {
  const gone = [...before.keys()].filter((name) => !after.has(name)).map((name) => `delete ${name}\n`);
  const moved = [...after].filter(([name, id]) => before.get(name) !== id).map(([name, id]) => `update ${name} ${id}\n`);
  for (const lines of [gone, moved]) if (lines.length > 0) await git.run({ kind: "records", clone }, ["update-ref", "-m", "fetch", "--stdin"], { input: lines.join(""), minutes: 5 });
}

/** How a clone without any reference names its objects. */
async function formatOf(git: Git, common: string): Promise<"sha1" | "sha256"> {
  const said = await git.run({ kind: "nowhere" }, ["config", "--file", join(common, "config"), "--no-includes", "--get", "extensions.objectFormat"], { answers: [1] });
  return said.trim() === "sha256" ? "sha256" : "sha1";
}
