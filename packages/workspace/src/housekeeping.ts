import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Tools } from "./move-clone.ts";

/** Loose objects from which on they are packed; git's own usual number. */
const usualLooseObjects = 6_700;

/**
 * Packs what has gathered in a shared clone, if that is due. Our clones have git's own housekeeping off, because it would
 * start in the background of any command, collide with the next, and obey the clone's configuration; this runs in the
 * foreground, under the repository's lock, in a repository of ours. Nothing is ever dropped: what no reference leads to may
 * be somebody's work. What could not be packed is packed another time.
 */
export async function keepHouse({ git, own }: Tools, clone: string, looseObjects: number = usualLooseObjects): Promise<void> {
  const common = join(clone, ".git");
  // One of 256 folders, as git itself estimates it.
  const sample = (await readdir(join(common, "objects", "17")).catch(() => [])).length;
  if (sample * 256 < looseObjects) return;
  await own({ common, workTree: null, purpose: "no-files", keepsObjects: true }, async (where) => {
    await git.run(where, ["repack", "-d", "--geometric=2", "--quiet", "--no-write-bitmap-index"], { minutes: 30 });
    await git.run({ kind: "records", clone }, ["pack-refs", "--all"]);
  }).catch(() => undefined);
}
