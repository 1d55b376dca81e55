import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { ifAbsent } from "./if-absent.ts";
import { packRefs } from "./change-refs.ts";
import { fetched } from "./fetch.ts";
import type { Tools } from "./move-clone.ts";
import { readRefs, refuseLinkedRecords } from "./records.ts";

/** Loose objects, and packs, from which on they are packed; git's own usual numbers. */
const usual = { looseObjects: 6_700, packs: 50 } as const;

/**
 * Packs what has gathered in a shared clone, if that is due. Our clones have git's own housekeeping
 * off, because it would start in the background of any command, collide with the next, and obey the
 * clone's configuration; this runs in the foreground, under the repository's lock, in a repository
 * of ours. Nothing is ever dropped: what no reference leads to may be somebody's work. What could
 * not be packed is packed another time.
 */
export async function keepHouse(
  { git, own }: Tools,
  clone: string,
  looseObjects: number = usual.looseObjects,
): Promise<void> {
  const common = join(clone, ".git");
  // One of 256 folders, as git itself estimates it.
  const sample = (await readdir(join(common, "objects", "17")).catch(() => [])).length;
  const packs = (await readdir(join(common, "objects", "pack")).catch(() => [])).filter((name) =>
    name.endsWith(".idx"),
  ).length;
  if (sample * 256 < looseObjects && packs <= usual.packs) return;
  await own({ common, workTree: null, purpose: "no-files", keepsObjects: true }, async (where) => {
    await refuseLinkedRecords(common);
    await refuseLinkedObjects(common);
    await git.run(where, ["repack", "-d", "--geometric=2", "--quiet", "--no-write-bitmap-index"], {
      minutes: 30,
    });
    await packRefs(clone, await readRefs(common, [...fetched, "refs/heads/"]));
  }).catch(() => undefined);
}

/** Git removes what it has packed, also from a folder that a link leads to. */
async function refuseLinkedObjects(common: string): Promise<void> {
  for (const name of await readdir(join(common, "objects"))) {
    const stat = await lstat(join(common, "objects", name)).catch(ifAbsent(null));
    if (stat !== null && !stat.isDirectory())
      throw new Error(`${name} of its objects is no folder, but a link or the like`);
  }
}
