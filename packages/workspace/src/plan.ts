import type { Strategy } from "./layout.ts";

/** What stands on disk for one checkout. */
export type Observed = {
  /** `unfinished`: made, and its first fetch never ended. */
  readonly clone: "absent" | "unfinished" | "ready" | "occupied";
  /**
   * `stale`: git remembers a worktree whose folder is gone. `unwritten`: registered, its files were
   * never all written. `replaced`: it is ours, and its `.git` is not what we wrote. `occupied`:
   * something of somebody else stands there.
   */
  readonly checkout: "absent" | "stale" | "unwritten" | "ready" | "replaced" | "occupied";
};

/**
 * One thing to do. Steps up to `register` run under the repository's lock; after it come
 * `follow-default`, under the lock again, and `write-files` beside it.
 */
export type Step =
  | "make-clone"
  | "clean-config"
  | "fetch"
  | "forget-worktree"
  | "register"
  | "follow-default"
  | "write-files";

export type Plan =
  | { readonly kind: "steps"; readonly steps: readonly Step[] }
  | { readonly kind: "blocked"; readonly by: "clone" | "checkout" | "dot-git" };

/**
 * What to do so that the checkout stands, from what stands. Pure. A checkout that is whole is left
 * as it is: work may be going on in it. Files are written last and outside of the lock, because
 * they are the cost and git never races over them (performance: worktrees).
 */
export function planCheckout(observed: Observed, strategy: Strategy): Plan {
  if (observed.clone === "occupied") return { kind: "blocked", by: "clone" };
  if (observed.checkout === "occupied") return { kind: "blocked", by: "checkout" };
  if (observed.checkout === "replaced") return { kind: "blocked", by: "dot-git" };
  if (observed.checkout === "ready") return { kind: "steps", steps: ["clean-config"] };
  if (observed.checkout === "unwritten")
    return { kind: "steps", steps: ["clean-config", "write-files"] };
  const clone: readonly Step[] = observed.clone === "absent" ? ["make-clone"] : [];
  // A clone of its own has one work tree, which is the work item's: there is nothing beside it to
  // keep on the default branch.
  const shared: readonly Step[] = strategy === "clone" ? [] : ["follow-default"];
  const stale: readonly Step[] = observed.checkout === "stale" ? ["forget-worktree"] : [];
  return {
    kind: "steps",
    steps: [...clone, "clean-config", "fetch", ...stale, "register", ...shared, "write-files"],
  };
}
