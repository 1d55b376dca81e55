import { formatRef, type Ref, type Workspace } from "@loopwork/core/ports";
import type { Random } from "../random.ts";
import type { Life } from "./life.ts";

/** Checkouts on the simulated disk: directory to the commit that is checked out there. */
export type Checkouts = Map<string, string>;

export const checkoutOf = (workItem: Ref): string => `/checkouts/${formatRef(workItem)}`;

/**
 * Makes and removes checkouts, and takes its time. `fails` is the share of checkouts that cannot be
 * made.
 */
export function createSimulatedWorkspace(
  checkouts: Checkouts,
  life: Life,
  random: Random,
): Workspace {
  return {
    async prepare({ workItem }) {
      await life.wait(random.int(5, random.pick([500, 3_000, 15_000])));
      return life.call(
        "workspace.prepare",
        async () => {
          const workdir = checkoutOf(workItem);
          const created = !checkouts.has(workdir);
          if (created) checkouts.set(workdir, random.uuid());
          return { kind: "ready", workdir, created, head: checkouts.get(workdir) ?? "", notes: [] };
        },
        () => formatRef(workItem),
      );
    },
    async release(workItem) {
      await life.wait(random.int(5, 1_000));
      return life.call(
        "workspace.release",
        async () => {
          const workdir = checkoutOf(workItem);
          return checkouts.delete(workdir)
            ? { kind: "released", removed: [workdir], salvage: null }
            : { kind: "nothing" };
        },
        () => formatRef(workItem),
      );
    },
    changesOf: () => Promise.resolve([]),
    hasChosenLoop: () => Promise.resolve(false),
    unpushedOf: () => Promise.resolve([]),
    strategyAt: () => null,
    borrowedBy: () => Promise.resolve([]),
    copyOf: () => Promise.resolve({ kind: "failed", why: "nothing is copied here" }),
    headOf: (workdir) => life.call("workspace.headOf", async () => checkouts.get(workdir) ?? null),
  };
}
