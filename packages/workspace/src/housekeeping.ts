import type { Git } from "./git.ts";

/** Loose objects from which on git packs; its own usual number. */
const usualLooseObjects = 6_700;

/**
 * Lets git pack what has gathered in a shared clone, if it thinks that is due. Our clones have git's own housekeeping off,
 * because it would start in the background of any command and collide with the next (performance: worktrees); this runs
 * in the foreground, under the repository's lock. What could not be packed is packed another time.
 */
export async function keepHouse(git: Git, clone: string, looseObjects: number = usualLooseObjects): Promise<void> {
  const options = [`gc.auto=${looseObjects}`, "gc.autoDetach=false", "gc.worktreePruneExpire=never"].flatMap((pair) => ["-c", pair]);
  await git.run(clone, [...options, "gc", "--auto", "--quiet"], { minutes: 30 }).catch(() => "");
}
