import { randomUUID } from "node:crypto";
import { lstat, mkdir, readdir, rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ifAbsent } from "./if-absent.ts";
import { setOrigin } from "./clean-config.ts";
import { changeHead } from "./change-refs.ts";
import type { Git } from "./git.ts";
import { inFolder } from "./no-follow-folder.ts";
import { removeTree } from "./remove-tree.ts";
import { makeParent } from "./root.ts";

/**
 * An empty repository on a branch, which knows its remote. Git makes it in a folder of ours whose
 * name nobody can know, and it gets its place when it is whole: where something stands, git would
 * write through whatever link it finds.
 */
export async function newClone(
  git: Git,
  clone: string,
  branch: string,
  url: string,
): Promise<void> {
  if ((await lstat(join(clone, ".git")).catch(ifAbsent(null))) !== null) {
    return finish(clone, branch);
  }
  await makeParent(clone);
  await removeAbandoned(clone);
  const fresh = join(dirname(clone), `.${randomUUID()}.new`);
  await mkdir(fresh, { mode: 0o700 });
  try {
    const args = ["init", "--quiet", `--initial-branch=${branch}`];
    await git.run({ kind: "new", clone: fresh }, args);
    await setOrigin(git, fresh, url);
    await rename(fresh, clone);
  } finally {
    await removeTree(fresh);
  }
}

/**
 * What stands without a HEAD is no repository yet, or no longer: it gets what it needs, by hand.
 * Its configuration is looked after by those who clean it.
 */
async function finish(clone: string, branch: string): Promise<void> {
  const parts = [
    ["objects", "info"],
    ["objects", "pack"],
    ["refs", "heads"],
    ["refs", "tags"],
  ];
  for (const part of parts) {
    await inFolder(join(clone, ".git"), part, async () => {}, { make: 0o777 });
  }
  await changeHead(clone, `refs/heads/${branch}`);
}

/** What a killed daemon left half made goes after an hour. */
async function removeAbandoned(clone: string): Promise<void> {
  for (const name of await readdir(dirname(clone))) {
    if (!/^\.[0-9a-f-]{36}\.new$/.test(name) || name === basename(clone)) continue;
    const stat = await lstat(join(dirname(clone), name)).catch(ifAbsent(null));
    if (stat !== null && Date.now() - stat.mtimeMs > 3_600_000)
      await removeTree(join(dirname(clone), name));
  }
}
