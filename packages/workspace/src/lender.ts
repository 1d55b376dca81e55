import { join } from "node:path";
import type { Ref } from "@loopwork/core/ports";
import { WorkspaceError } from "./failure.ts";
import type { Git } from "./git.ts";
import { type Layout, layoutOf, type Place } from "./layout.ts";
import { observe } from "./observe.ts";
import type { Parts } from "./parts.ts";
import { refuseLinks } from "./root.ts";
import { withoutStaleLocks } from "./stale-lock.ts";

/** The shared clone of a repository, as clones of their own borrow objects from it (ADR 0020). */
export type Lender = {
  readonly layout: Layout;
  readonly git: Git;
  /** Folder of its objects. */
  readonly objects: string;
  /**
   * Runs work while nothing else happens to the shared clone. Whoever holds the lock of a clone of
   * its own may ask for this one, never the other way round.
   */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Rejects where something else stands in its place. */
  isAbsent(): Promise<boolean>;
};

export function lenderOf(root: string, place: Place, workItem: Ref, parts: Parts): Lender {
  const layout = layoutOf(root, place, workItem, "worktree");
  return {
    layout,
    git: withoutStaleLocks(parts.git, {
      ...layout,
      now: parts.now,
      note: (text) => parts.options.onNote?.(text),
    }),
    objects: join(layout.clone, ".git", "objects"),
    alone: (work) => parts.withRepository(place, work),
    async isAbsent() {
      await refuseLinks(root, layout.cloneSegments);
      const { clone } = await observe(layout, false);
      if (clone === "occupied")
        throw new WorkspaceError(
          "LOOP_E_WORKSPACE_OCCUPIED",
          `${layout.clone} holds something that is no checkout of ours.`,
          "Look what it is and move it away; nothing there is touched.",
        );
      return clone === "absent";
    },
  };
}
